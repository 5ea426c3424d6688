module fount/internal/blowfish/_gen

go 1.26.0
