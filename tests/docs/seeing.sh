# sh seeing.sh SOURCE-FOLDER PROGRAM: the commands of docs/guide/seeing.md as they stand there; exit code 77 without a browser.
source=$1 program=$2
page=$source/docs/guide/seeing.md
command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || exit 77
command -v ffmpeg >/dev/null || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0; next } inside' "$page" >"$folder/commands.sh"
cd "$folder" || exit 1
mkdir bin
ln -s "$program" bin/rattleback
PATH=$folder/bin:$PATH sh -eux commands.sh >said.txt 2>&1 || { cat said.txt >&2; exit 1; }
for file in billiards.html break.png break.mp4 report.html curves.svg path.png apart.svg drawn.png billiards.glb billiards.json moment.obj; do
    [ -s $file ] || { echo "the page writes no $file" >&2; exit 1; }
done
grep -q 'difference of cue' apart.svg || { echo "no difference in apart.svg" >&2; exit 1; }
[ "$(grep -c 'ball\[[123]\]\.r_0\[1\]' curves.svg)" -ge 3 ] || { echo "the expression did not choose three balls" >&2; exit 1; }
for link in $(grep -o '](\([^)#]*\)' "$page" | sed 's/](//'); do
    [ -e "$source/docs/guide/$link" ] || { echo "seeing.md names $link, which is not there" >&2; exit 1; }
done
