package environ

import (
	"runtime"
	"strings"
)

// foldNames tells whether the system ignores the case of variable names.
const foldNames = runtime.GOOS == "windows"

// keptNames are the names that stay whether a pack declares them or not, separated by white space:
// what a process, its language's runtime, a proxy or a cloud platform's identity needs. Static
// credentials (AWS_SECRET_ACCESS_KEY and the like) are left out on purpose.
const keptNames = `
	PATH HOME HOSTNAME USER LANG LANGUAGE TZ TMPDIR TMP TEMP PWD SHLVL _ __CF_USER_TEXT_ENCODING
	NODE_ENV NODE_VERSION YARN_VERSION NODE_OPTIONS NODE_EXTRA_CA_CERTS JAVA_HOME JAVA_VERSION
	JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS VIRTUAL_ENV PORT HTTP_PROXY HTTPS_PROXY NO_PROXY
	http_proxy https_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE
	K_SERVICE K_REVISION K_CONFIGURATION AWS_REGION AWS_DEFAULT_REGION AWS_EXECUTION_ENV
	AWS_CONTAINER_CREDENTIALS_RELATIVE_URI AWS_CONTAINER_CREDENTIALS_FULL_URI
	AWS_CONTAINER_AUTHORIZATION_TOKEN AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE
	AWS_WEB_IDENTITY_TOKEN_FILE AWS_ROLE_ARN ECS_CONTAINER_METADATA_URI ECS_CONTAINER_METADATA_URI_V4
	IDENTITY_ENDPOINT IDENTITY_HEADER MSI_ENDPOINT MSI_SECRET AZURE_CLIENT_ID AZURE_TENANT_ID
	AZURE_FEDERATED_TOKEN_FILE AZURE_AUTHORITY_HOST
	GODEBUG GOGC GOMEMLIMIT GOMAXPROCS GOTRACEBACK GOCOVERDIR`

// windowsNames are what Windows itself needs: sockets and child processes fail without SystemRoot.
const windowsNames = `SYSTEMROOT WINDIR SYSTEMDRIVE COMSPEC PATHEXT USERPROFILE LOCALAPPDATA APPDATA`

// keptPrefixes start the names that stay as well.
const keptPrefixes = `KINDGI_ LC_ PYTHON OTEL_ CLOUD_RUN_ CONTAINER_APP_`

// keeper decides which variables stay.
type keeper struct {
	names    map[string]bool
	prefixes []string
}

func newKeeper(declared []string) *keeper {
	k := &keeper{names: make(map[string]bool), prefixes: strings.Fields(keptPrefixes)}
	for _, name := range strings.Fields(keptNames) {
		k.names[fold(name)] = true
	}
	if foldNames {
		for _, name := range strings.Fields(windowsNames) {
			k.names[name] = true
		}
	}
	for _, name := range declared {
		k.names[fold(name)] = true
	}
	return k
}

func (k *keeper) keeps(name string) bool {
	name = fold(name)
	if k.names[name] || foldNames && strings.HasPrefix(name, "=") {
		return true
	}
	for _, prefix := range k.prefixes {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

func fold(name string) string {
	if foldNames {
		return strings.ToUpper(name)
	}
	return name
}
