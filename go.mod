module github.com/plumb-project/plumb

go 1.25
