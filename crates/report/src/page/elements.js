// Elements, and the box that tells what is under the pointer.
"use strict";

/** The name that elements of drawings belong to, as the parser gives it. */
const DRAWING = (() => {
  const template = document.createElement("template");
  template.innerHTML = "<svg></svg>";
  return template.content.firstChild.namespaceURI;
})();

/** Gives an element its attributes, and children: elements or text. */
function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** An element of HTML. */
const html = (tag, attributes = {}, ...children) =>
  furnish(document.createElement(tag), attributes, children);

/** An element of a drawing. */
const svg = (tag, attributes = {}, ...children) =>
  furnish(document.createElementNS(DRAWING, tag), attributes, children);

/** A choice among options, each a value and its label. */
function chooser(label, options, chosen, onChange) {
  const items = options.map(([value, text]) => html("option", { value }, text));
  const select = html("select", { "aria-label": label }, ...items);
  select.value = chosen;
  select.addEventListener("change", () => onChange(select.value));
  return html("label", { class: "chooser" }, html("span", {}, label), select);
}

/** A switch. */
function checkBox(label, isOn, onChange) {
  const input = html("input", { type: "checkbox" });
  input.checked = isOn;
  input.addEventListener("change", () => onChange(input.checked));
  return html("label", { class: "chooser" }, input, html("span", {}, label));
}

const tip = html("div", { class: "tip", role: "status" });
tip.hidden = true;
document.body.append(tip);

/** Shows rows of a key, a value and perhaps a colour under a title beside the pointer. */
function showTip(event, title, rows) {
  const lines = rows.map(([key, value, colour]) => {
    const mark = html("i");
    mark.style.background = colour ?? "transparent";
    return html("div", {}, mark, html("span", {}, key), html("b", {}, value));
  });
  tip.replaceChildren(html("strong", {}, title), ...lines);
  tip.hidden = false;
  const room = 14;
  const beyond = event.clientX + room + tip.offsetWidth > window.innerWidth;
  const left = beyond ? event.clientX - room - tip.offsetWidth : event.clientX + room;
  const top = Math.min(event.clientY + room, window.innerHeight - tip.offsetHeight - room);
  tip.style.left = `${Math.max(0, left)}px`;
  tip.style.top = `${Math.max(0, top)}px`;
}

function hideTip() {
  tip.hidden = true;
}

/** Draws anew whenever the width of a place changes; `draw` is given the width. */
function drawByWidth(place, draw) {
  let width = 0;
  const look = () => {
    const now = Math.round(place.clientWidth);
    if (now === width || now === 0) return;
    width = now;
    draw(width);
  };
  // In a frame of its own: what is drawn changes sizes, and those are told to observers.
  new ResizeObserver(() => requestAnimationFrame(look)).observe(place);
}

/** What a drawing takes from the page's style, so that it looks the same outside of it. */
const OWN_STYLE = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap",
  "stroke-linejoin", "opacity", "fill-opacity", "font-size", "font-family", "font-weight",
  "text-anchor"];

/** Room above a saved drawing for its title and its legend, and for a letter \[pixels\]. */
const HEAD = { height: 46, letter: 7 };

/** What stands above a drawing on the page, for its file. */
function headOf(figure) {
  const label = (x, y, content, weight) =>
    svg("text", { x, y, "font-weight": weight, fill: getComputedStyle(figure).color }, content);
  const parts = [label(8, 14 - HEAD.height, figure.querySelector("figcaption").firstChild
    .textContent, 600)];
  let x = 8;
  for (const entry of figure.querySelectorAll(".legend > :not([aria-pressed=false])")) {
    const mark = entry.querySelector("i");
    const fill = mark ? getComputedStyle(mark).getPropertyValue("--mark") : "none";
    parts.push(svg("rect", { x, y: 27 - HEAD.height, width: 12, height: 4, fill }));
    parts.push(label(x + 17, 33 - HEAD.height, entry.textContent, 400));
    x += 30 + HEAD.letter * entry.textContent.length;
  }
  return parts;
}

/** A drawing as a file of its own, with what stands above it. */
function asFile(figure) {
  const drawing = figure.querySelector(".plot svg");
  const copy = drawing.cloneNode(true);
  const [from, to] = [drawing, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of OWN_STYLE) to[i].setAttribute(name, style.getPropertyValue(name));
  });
  copy.querySelectorAll(".cursor").forEach((cursor) => cursor.remove());
  const head = svg("g", { "font-size": "12px" }, ...headOf(figure));
  copy.append(head);
  const { width, height } = drawing.viewBox.baseVal;
  copy.setAttribute("viewBox", `0 ${-HEAD.height} ${width} ${height + HEAD.height}`);
  copy.setAttribute("height", height + HEAD.height);
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
}

/** A button that saves the drawing in a figure. */
function saver(title) {
  const button = html("button", { class: "save", type: "button", title: "Save as SVG" }, "SVG");
  button.addEventListener("click", () => {
    const address = URL.createObjectURL(asFile(button.closest("figure")));
    html("a", { href: address, download: `${title}.svg` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  });
  return button;
}
