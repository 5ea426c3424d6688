module fount/clients

go 1.26.0

require fount v0.0.0-00010101000000-000000000000

replace fount => ../
