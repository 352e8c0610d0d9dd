package pack

import (
	"io"
	"os"
)

// readFile is readBounded for a file.
func readFile(name string, limit int64, tooLong error) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readBounded(f, limit, tooLong)
}

// readBounded reads to the end of what has no more than limit bytes; tooLong is the error of
// what has more, which may have no end.
func readBounded(r io.Reader, limit int64, tooLong error) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = tooLong
	}
	return data, err
}
