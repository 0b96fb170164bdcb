// The beginning: the legend, and the first frame.

function legend() {
  if (!RUN.scale.title) return;
  $("legend").hidden = false;
  $("title").textContent = RUN.scale.title;
  const css = (colour) => `rgb(${colour.join(",")})`;
  const ends = RUN.scale.names.length ? RUN.scale.names
    : RUN.scale.range.map((value) => String(Number(value.toPrecision(3))));
  ends.forEach((text, k) => {
    const span = document.createElement("span");
    if (RUN.scale.names.length) {
      const dot = document.createElement("i");
      dot.style.background = css(RUN.scale.colours[k]);
      span.append(dot, " ");
    }
    span.append(text);
    $("ends").append(span);
  });
  $("bar").hidden = RUN.scale.names.length > 0;
  const stops = RUN.scale.colours.filter((_, k) => k % 15 === 0).map(css);
  $("bar").style.background = `linear-gradient(to right, ${stops.join(",")})`;
}

document.title = RUN.name;
$("name").textContent = RUN.name;
$("time").max = RUN.frames.length - 1;
legend();
if (!gl) {
  $("note").textContent = "This browser has no WebGL 2.";
} else if (RUN.frames.length === 0) {
  $("note").textContent = "There are no frames.";
} else {
  prepare();
  reset();
  show(0);
  loadSolids();
}
