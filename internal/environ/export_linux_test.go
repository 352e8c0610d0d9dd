package environ

import "errors"

// TakeWays runs scrub for one name with a single way to write, as where the others fail.
func TakeWays(name, way string) error {
	gone := func(entry string) bool { return entry == name }
	switch way {
	case "mem":
		return scrubWith(gone, stackAddress, writeMem)
	case "vm":
		return scrubWith(gone, stackAddress, writeVM)
	case "none":
		return scrubWith(gone, stackAddress, func(int64, []byte) error { return errors.New("no way in") })
	case "no effect":
		return scrubWith(gone, stackAddress, func(int64, []byte) error { return nil })
	case "unknown address":
		return scrubWith(gone, func() (int64, error) { return 0, errors.New("address unknown") }, writeMem)
	default:
		return errors.New("unknown way")
	}
}
