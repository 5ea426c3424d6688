module fount/test

go 1.26.0

require (
	fount v0.0.0-00010101000000-000000000000
	golang.org/x/sys v0.49.0
)

replace fount => ../
