package schema

import "strings"

// nearest gives the one of names that word was probably meant to be, or "".
func nearest(word string, names []string) string {
	best, least := "", len(word)/3+2
	for _, name := range names {
		if n := edits(strings.ToLower(word), strings.ToLower(name)); n < least {
			best, least = name, n
		}
	}
	return best
}

// edits is the number of bytes to insert, delete, replace or swap to make b of a.
func edits(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
