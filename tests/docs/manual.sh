# sh manual.sh SOURCE-FOLDER PROGRAM PACKAGES: the manual is made, and every link of it is followed (manual.py). A page that is not in the
# table of contents, and a link that leads nowhere, are refused when it is made. Exit code 77 without the packages.
source=$1 program=$2 packages=$3
[ -d "$packages/node_modules/marked" ] || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/site"
ln -s "$packages/node_modules" "$folder/site/node_modules"
cp "$source"/docs/site/*.mjs "$source"/docs/site/*.js "$source"/docs/site/*.css "$folder/site"
node "$folder/site/build.mjs" "$source" "$folder/manual" "$program" || exit 1
python3 "$source/tests/docs/manual.py" "$folder/manual" "$source" "$program" || exit 1

# What is wrong is found: a page that is not listed, a link to nothing.
mkdir "$folder/copy"
for name in include data tests examples; do ln -s "$source/$name" "$folder/copy/$name"; done
mkdir "$folder/copy/docs"
printf '# Manual\n\n## Reference\n\n* [Lost](lost.md)\n* [Gallery](gallery.md)\n' >"$folder/copy/docs/README.md"
printf '# Lost\n\n[nothing](nothing.md)\n' >"$folder/copy/docs/lost.md"
printf '# Gallery\n' >"$folder/copy/docs/gallery.md"
printf '# Alone\n' >"$folder/copy/docs/alone.md"
node "$folder/site/build.mjs" "$folder/copy" "$folder/wrong" "$program" >"$folder/said.txt" 2>&1 && { echo "mistakes are not found" >&2; exit 1; }
grep -q 'docs/lost.md: nothing.md is not there' "$folder/said.txt" && grep -q 'alone.html is not in docs/README.md' "$folder/said.txt" ||
    { cat "$folder/said.txt" >&2; exit 1; }
