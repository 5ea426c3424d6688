module fount/remote

go 1.26.0

replace fount => ../
