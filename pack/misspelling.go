package pack

import (
	"strings"
	"unicode/utf8"
)

// misspelling is an environment variable that is set and whose name is nearly that of a
// setting, which is not set.
type misspelling struct{ name, meant string }

// settingNames lists the settings whose misspellings are looked for. PORT is none of them: for a
// Kubernetes Service called kindgi-pack, every container of its namespace has a
// KINDGI_PACK_SERVICE_PORT. Nor is NO_COLOR, which is every program's.
func settingNames() []string {
	var names []string
	for _, s := range serviceSettings() {
		if s.name != envPort && s.name != envNoColor {
			names = append(names, s.name)
		}
	}
	return names
}

// misspellings finds the misspelt settings among an environment's entries, in their order.
// They are no more than suspects: a newer runtime may set what this version does not know.
func misspellings(environ []string, getenv func(string) string) []misspelling {
	var unset []string
	known := map[string]bool{defaultTokenEnv: true}
	for _, name := range settingNames() {
		known[name] = true
		if getenv(name) == "" {
			unset = append(unset, name)
		}
	}
	var found []misspelling
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if value == "" || known[name] {
			continue
		}
		if meant := meantSetting(name, unset); meant != "" {
			found = append(found, misspelling{name, meant})
		}
	}
	return found
}

// meantSetting gives the setting that a name was probably meant to be; "" when it is near
// none. Near is what differs in two letters, and what differs in one when the words are
// left out that the settings have now and then: KINDGI, PACK and SERVICE.
func meantSetting(name string, settings []string) string {
	const longest = 64 // no setting's name is nearly as long
	if len(name) > longest {
		return ""
	}
	name = strings.ToUpper(name)
	ours := strings.HasPrefix(name, "KINDGI_")
	best, bestDistance := "", 3
	for _, s := range settings {
		d := bestDistance // far, as the most names are: by their length alone
		if n := utf8.RuneCountInString(name) - len(s); -bestDistance < n && n < bestDistance {
			d = distance(name, s)
		}
		// Other programs have settings such as LOG_LEVEL and PACK_INDEX. A token that is
		// missing is another matter: without it nothing starts.
		if ours || s == envToken && strings.HasPrefix(name, "PACK_") {
			if own := distance(ownWords(name), ownWords(s)); own <= 1 {
				d = min(d, own)
			}
		}
		if d < bestDistance {
			best, bestDistance = s, d
		}
	}
	return best
}

// ownWords gives the words of a setting's name that tell it from the other settings.
func ownWords(name string) string {
	var words []string
	for word := range strings.SplitSeq(name, "_") {
		if word != "KINDGI" && word != "PACK" && word != "SERVICE" {
			words = append(words, word)
		}
	}
	return strings.Join(words, "_")
}
