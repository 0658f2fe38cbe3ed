# sh install.sh SOURCE-FOLDER BUILD-FOLDER COMPILER: install into an empty folder, then use what is there as a stranger would:
# the command, the library through pkg-config, the library through CMake.
source=$1 build=$2 compiler=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
prefix=$folder/usr
fail() { echo "$*" >&2; exit 1; }

# What ./run has built is enough to install.
for target in rb_command rb_manual rb_shared; do
    grep -q "^build release .*$target" "$source/run" || fail "./run does not build $target, which is installed"
done
cmake --install "$build" --prefix "$prefix" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; fail "installing failed"; }
lib=$(dirname "$(find "$prefix" -name 'librattleback.so')")
[ -n "$lib" ] || fail "no library"
objdump -p "$lib/librattleback.so" | grep -q 'SONAME *librattleback\.so\.[0-9]' || fail "no SONAME"
for page in rattleback rattleback-simulate rattleback-selftest; do
    [ -s "$prefix/share/man/man1/$page.1" ] || fail "no man page $page"
done
[ -s "$prefix/share/bash-completion/completions/rattleback" ] || fail "no completion"

doc=$(dirname "$(find "$prefix/share/doc" -name README.md ! -path "*/docs/*")")
[ -s "$doc/docs/guide/basics.md" ] || fail "no guide"
[ -s "$prefix/share/rattleback/examples/modelica/FourBar.mo" ] || fail "no examples"
contact=$prefix/share/rattleback/library/RattlebackContact
ldd "$contact/Resources/Library/linux64/librattleback_contact.so" | grep -v 'linux-vdso\|/lib[^ ]*/lib[mc]\.so\|ld-linux\|libcjson' >"$folder/needs" &&
    fail "the contact library needs $(cat "$folder/needs")"

# Nothing may point back to where it was built.
mv "$prefix" "$folder/moved"
lib=$folder/moved/${lib#"$prefix"/}
"$folder/moved/bin/rattleback" selftest >/dev/null || fail "the installed command does not work"
package=$source/tests/models/contact_package
"$folder/moved/bin/rattleback" simulate "$package/Contacts.mo" Contacts.Drop --library "$package" \
    --library "$folder/moved/share/rattleback/library" --output-file "$folder/drop.csv" --quiet || fail "the installed package RattlebackContact does not work"
export LD_LIBRARY_PATH="$lib" PKG_CONFIG_PATH="$lib/pkgconfig"
grep -rq "$build" "$lib/pkgconfig" "$lib/cmake" && fail "the build folder is named in what is installed"

cd "$folder" || exit 1
cp "$source/examples/c/ball.c" .
# shellcheck disable=SC2046 # several words
"$compiler" ball.c -o ball $(pkg-config --cflags --libs rattleback) || fail "cannot build with pkg-config"
./ball | grep -q '^t = 2 s after' || fail "the program built with pkg-config does not work"

cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(user C)
find_package(rattleback 0.1 REQUIRED)
add_executable(ball2 ball.c)
target_link_libraries(ball2 rattleback::rattleback)
END
cmake -S . -B b -DCMAKE_PREFIX_PATH="$folder/moved" -DCMAKE_C_COMPILER="$compiler" >log 2>&1 && cmake --build b >>log 2>&1 ||
    { cat log >&2; fail "cannot build with find_package"; }
b/ball2 | grep -q '^t = 2 s after' || fail "the program built with find_package does not work"

# The examples, as somebody who has copied the folder builds them.
cp -r "$source/examples/c" examples
cmake -S examples -B e -DCMAKE_PREFIX_PATH="$folder/moved" -DCMAKE_C_COMPILER="$compiler" >log 2>&1 && cmake --build e >>log 2>&1 ||
    { cat log >&2; fail "examples/c cannot be built against what is installed"; }
e/example_control | grep -q 'phi1 = .*e-[01][0-9] rad, phi2 = .*e-[01][0-9] rad' || fail "example control: the pendulum is not upright"
e/example_optimize | grep -q '^best damping 5\.3' || fail "example optimize: another optimum"
for program in ball collide scene; do
    (cd e && ./example_$program >/dev/null) || fail "example $program fails"
done
