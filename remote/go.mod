module fount/remote

go 1.26.0

require fount v0.0.0-00010101000000-000000000000

require (
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace fount => ../
