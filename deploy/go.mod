module fount/deploy

go 1.26.0

require (
	fount v0.0.0-00010101000000-000000000000
	golang.org/x/mod v0.43.0
)

require (
	github.com/google/go-containerregistry v0.22.1
	github.com/klauspost/compress v1.19.2 // indirect
	github.com/opencontainers/go-digest v1.0.0 // indirect
	github.com/opencontainers/image-spec v1.1.1 // indirect
	golang.org/x/sync v0.22.0 // indirect
)

replace fount => ../
