module fount/internal/shard/_gen

go 1.26.0
