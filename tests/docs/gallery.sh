# sh gallery.sh SOURCE-FOLDER: every example is in the gallery with a picture that shows something, and nothing else is.
source=$1 failures=0
fail() { echo "$1" >&2; failures=1; }
page=$source/docs/gallery.md pictures=$source/docs/images/gallery
names=$(sh "$source/tools/examples" | cut -d '|' -f 2)
[ -n "$names" ] || fail "no examples found"
for name in $names; do
    grep -qF "| ![$name](images/gallery/$name.jpg) |" "$page" || fail "$name is not in docs/gallery.md: run tools/gallery"
    [ -s "$pictures/$name.jpg" ] || fail "there is no picture of $name: run tools/gallery"
done
for picture in "$pictures"/*.jpg; do
    name=$(basename "$picture" .jpg)
    echo "$names" | grep -qxF "$name" || fail "there is a picture of $name, which is no example"
done
size=$(cat "$pictures"/*.jpg | wc -c)
[ "$size" -lt 2000000 ] || fail "the pictures of the gallery take $size bytes"

# The share of pixels that differ much from their neighbours: sky and ground change slowly, edges of parts and curves do not.
# A blank one has less than ten, the emptiest good one 300.
if command -v ffmpeg >/dev/null; then
    for picture in "$pictures"/*.jpg; do
        edges=$(ffmpeg -loglevel error -i "$picture" -vf format=gray,sobel -f rawvideo - </dev/null | LC_ALL=C tr -d '\000-\050' | wc -c)
        [ "$edges" -gt 100 ] || fail "$(basename "$picture") is blank: $edges pixels of edges"
    done
fi
exit $failures
