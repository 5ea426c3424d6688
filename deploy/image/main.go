// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Image makes the OCI images of fountd, without a daemon, as a layout in a new directory. The same
// programs, version, commit and time give the same bytes.
//
//	go run ./image STAGE VERSION COMMIT TIME DIRECTORY
//
// The files come from linux_amd64 and linux_arm64 in STAGE. TIME is the commit's, in RFC 3339.
package main

import (
	"archive/tar"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// user owns the socket's directory. From a number Kubernetes sees that it is not root.
const user = 65532

func main() {
	log.SetFlags(0)
	log.SetPrefix("image: ")
	if len(os.Args) != 6 {
		log.Fatal("want the arguments STAGE VERSION COMMIT TIME DIRECTORY")
	}
	if err := write(os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]); err != nil {
		log.Fatal(err)
	}
}

// write writes an index of both processors' images.
func write(stage, version, commit, date, to string) error {
	created, err := time.Parse(time.RFC3339, date)
	if err != nil {
		return err
	}

	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, arch := range []string{"amd64", "arm64"} {
		file := &v1.ConfigFile{OS: "linux", Architecture: arch, Created: v1.Time{Time: created}, Config: config(version, commit, date)}
		image, err := newImage(filepath.Join(stage, "linux_"+arch), file)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: file.Platform()}})
	}

	path, err := layout.Write(to, empty.Index)
	if err != nil {
		return err
	}
	return path.AppendIndex(index, layout.WithAnnotations(map[string]string{
		"io.containerd.image.name":          "localhost/fountd:" + version,
		"org.opencontainers.image.ref.name": version,
	}))
}

// config is how a container runs. Docker reads the health check; podman and Kubernetes do not.
func config(version, commit, date string) v1.Config {
	return v1.Config{
		User:        fmt.Sprint(user, ":", user),
		Entrypoint:  []string{"/fountd"},
		Env:         []string{"CREDENTIALS_DIRECTORY=/run/secrets"}, // where credential:NAME is the secret NAME
		Volumes:     map[string]struct{}{"/run/fountd": {}},         // the root may be read-only
		Healthcheck: &v1.HealthConfig{Test: []string{"CMD", "/fountd", "health"}, Interval: 10 * time.Second, Timeout: 5 * time.Second},
		Labels: map[string]string{
			"org.opencontainers.image.version":  version,
			"org.opencontainers.image.revision": commit,
			"org.opencontainers.image.created":  date,
			"org.opencontainers.image.licenses": "BSD-3-Clause",
		},
	}
}

// root is what an image has. Files come from the stage.
var root = []tar.Header{
	{Typeflag: tar.TypeReg, Name: "LICENSE", Mode: 0o644},
	{Typeflag: tar.TypeReg, Name: "THIRD-PARTY", Mode: 0o644},
	{Typeflag: tar.TypeReg, Name: "fountd", Mode: 0o755},
	{Typeflag: tar.TypeDir, Name: "run/", Mode: 0o755},
	{Typeflag: tar.TypeDir, Name: "run/fountd/", Mode: 0o750, Uid: user, Gid: user},
}

// newImage makes an image of one layer.
func newImage(stage string, file *v1.ConfigFile) (v1.Image, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, header := range root {
		var content []byte
		var err error
		if header.Typeflag == tar.TypeReg {
			content, err = os.ReadFile(filepath.Join(stage, header.Name))
		}
		header.Size = int64(len(content))
		header.ModTime = file.Created.Time
		if err = cmp.Or(err, w.WriteHeader(&header)); err != nil {
			return nil, err
		}
		w.Write(content) // Close returns its error
	}
	if err := w.Close(); err != nil {
		return nil, err
	}

	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(b.Bytes())), nil
	}, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}

	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	if image, err = mutate.ConfigFile(image, file); err != nil {
		return nil, err
	}
	return mutate.AppendLayers(image, layer)
}
