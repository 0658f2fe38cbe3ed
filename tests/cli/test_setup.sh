# ./run and ./test on machines that lack something: they stop and say what.
. "$(dirname "$0")/expect.sh"

# A machine of which only these tools are known.
mkdir bin
for tool in sh grep cat dirname mktemp tail rm basename; do ln -s "$(command -v $tool)" bin/$tool; done
tool() { printf '#!/bin/sh\n%s\n' "$2" >"bin/$1" && chmod +x "bin/$1"; }
packages() { # LIST...: their names, without the programs that may stand in for them
    cat "$@" | grep -v '^#' | sed 's/|.*//' | tr '\n' ' ' | sed 's/ $//'
}
missing=$(packages "$source/tools/packages")

try() { # SCRIPT WANTED-CODE WANTED-TEXT
    PATH="$folder/bin" "$source/$1" >stdout.txt 2>stderr.txt </dev/null
    code=$?
    [ $code -eq "$2" ] || complain "$1: exit code $code, want $2"
    is "$1" "$(cat stderr.txt)" "$3"
}

tool dpkg-query 'exit 1'
tool id 'echo 1000'
try run 1 "error: these packages are missing and there is no apt-get: $missing"
try test 1 "error: these packages are missing and there is no apt-get: $(packages "$source/tools/packages" "$source/tools/packages-test")"
tool node ''
try run 1 "error: these packages are missing and there is no apt-get: $(echo "$missing" | sed 's/ nodejs / /')"
rm bin/node
tool apt-get 'echo "Temporary failure resolving the name of the archive" >&2; exit 100'
try run 1 "error: please run this as root or install sudo; missing packages: $missing"
tool id 'echo 0'
try run 1 "Installing Debian packages: $missing
Temporary failure resolving the name of the archive
error: could not install: $missing (is there a network, and the right to install?)"

# Everything is there: the package manager is not called, and the next step says what it does.
tool dpkg-query 'printf "install ok installed"'
tool apt-get 'echo "called" >&2'
tool cmake 'echo "no compiler here"; exit 1'
try run 1 "Building (release)
no compiler here
error: configuring failed"

# Only what is missing is asked for.
tool dpkg-query 'case "$*" in *tcc) exit 1 ;; *) printf "install ok installed" ;; esac'
tool apt-get 'exit 100'
try run 1 "Installing Debian packages: tcc
error: could not install: tcc (is there a network, and the right to install?)"

"$source/run" --help >/dev/null 2>&1
is "./run --help" $? 0
"$source/test" --bogus >/dev/null 2>&1
is "./test --bogus" $? 2
finish
