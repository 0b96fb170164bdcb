#!/usr/bin/env bash
# Opens a page of `sim preview` or `sim report` in headless Chromium: `check_page.sh FILE.html OUT.png`.
#
# Fails if the page logs an error, throws, asks for anything that is not on the disk, does not say
# that it is drawn, or if the picture of it is of one colour. OUT.png is that picture. CHROMIUM names the
# browser, if it is not `chromium`.
set -euo pipefail

if [ $# -ne 2 ]; then
    echo "usage: check_page.sh FILE.html OUT.png" >&2
    exit 2
fi
page=$(realpath "$1")
picture=$(realpath -m "$2")
browser=${CHROMIUM:-chromium}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# WebGL comes from SwiftShader, which needs no graphics card; nothing of the browser's own goes out.
open_page() {
    timeout 120 "$browser" --headless --no-sandbox --use-gl=angle --use-angle=swiftshader \
        --enable-unsafe-swiftshader --disable-quic --no-first-run --disable-background-networking \
        --disable-component-update --disable-sync --disable-extensions --hide-scrollbars \
        --host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir="$work/profile$RANDOM" \
        --enable-logging=stderr --v=0 --window-size=960,600 --virtual-time-budget=20000 \
        "$@" "file://$page"
}

fail() {
    echo "$page: $1" >&2
    exit 1
}

# A frame comes on a thread of its own, for which the browser's clock does not wait: so it may take
# more than one try until it is there.
is_drawn=false
for _ in 1 2 3 4 5; do
    open_page --dump-dom >"$work/dom" 2>"$work/log" || fail "the browser: $(tail -1 "$work/log")"
    if grep -E 'CONSOLE' "$work/log" >&2; then
        fail "the page has something to say in its console"
    fi
    grep -q 'data-drawn="' "$work/dom" && is_drawn=true && break
done
$is_drawn || fail "nothing was drawn"
# The name of SVG looks like an address, and is none.
if grep -oE '(https?|wss?)://[^"'"'"' <)]*' "$work/dom" | grep -v '^http://www.w3.org/2000/svg$' >&2; then
    fail "the page names something that is not on the disk"
fi

cat >"$work/has_colours.py" <<'PYTHON'
import struct, sys, zlib

data = open(sys.argv[1], "rb").read()
at, packed, width, height, kind = 8, b"", 0, 0, 0
while at < len(data):
    length, name = struct.unpack(">I4s", data[at : at + 8])
    body = data[at + 8 : at + 8 + length]
    if name == b"IHDR":
        width, height, _, kind = struct.unpack(">IIBB", body[:10])
    elif name == b"IDAT":
        packed += body
    at += 12 + length
step = {2: 3, 6: 4}[kind]
raw, stride = zlib.decompress(packed), step * width
before, colours = bytearray(stride), {}
for y in range(height):
    start = y * (stride + 1)
    method, row = raw[start], bytearray(raw[start + 1 : start + 1 + stride])
    for i in range(stride):
        a = row[i - step] if i >= step else 0
        b, c = before[i], before[i - step] if i >= step else 0
        p = a + b - c
        near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        row[i] = (row[i] + [0, a, b, (a + b) // 2, near][method]) & 255
    before = row
    # Coarsely, and only of the middle: the background alone is a gradient, too.
    if height // 4 < y < height * 3 // 4:
        for x in range(width // 4, width * 3 // 4):
            colour = tuple(value >> 5 for value in row[x * step : x * step + 3])
            colours[colour] = colours.get(colour, 0) + 1
sys.exit(0 if sum(count > 20 for count in colours.values()) >= 4 else 1)
PYTHON
has_colours=false
for _ in 1 2 3 4 5; do
    open_page --screenshot="$picture" >/dev/null 2>"$work/log" || fail "there is no picture"
    if grep -E 'CONSOLE' "$work/log" >&2; then
        fail "the page has something to say in its console"
    fi
    python3 "$work/has_colours.py" "$picture" && has_colours=true && break
done
$has_colours || fail "its picture is of one colour, or nearly"
echo "$page: drawn, nothing in the console"
