// A metric over two parameters: a cell for each pair of values, coloured and with its number. Cells
// whose point failed are hatched, and cells without a point are empty.
"use strict";

/** A cell's height, and the least that a number needs \[pixels\]. */
const CELL = { least: 4, most: 64, forNumber: [44, 17], forGap: 8 };
/** The bar of colours at the right, and room for its numbers \[pixels\]. */
const BAR = { width: 12, room: 78 };

/** The cells of two parameters, by row and column: sum and number of values, points, failed. */
function cellsOf(rows, columns, values, failed) {
  const [down, across] = [levels(rows.values), levels(columns.values)];
  const rowOf = new Map(down.map((value, i) => [value, i]));
  const columnOf = new Map(across.map((value, i) => [value, i]));
  const cells = new Map();
  rows.values.forEach((value, i) => {
    const [row, column] = [rowOf.get(value), columnOf.get(columns.values[i])];
    if (row === undefined || column === undefined) return;
    const key = row * across.length + column;
    const cell = cells.get(key) ?? { row, column, sum: 0, count: 0, points: [], failed: 0 };
    cell.points.push(i);
    if (failed[i]) cell.failed += 1;
    else if (isNumber(values[i])) [cell.sum, cell.count] = [cell.sum + values[i], cell.count + 1];
    cells.set(key, cell);
  });
  return { down, across, cells: [...cells.values()] };
}

const meanOf = ({ sum, count }) => (count ? sum / count : null);

/** The map. `options`: rows, columns ({name, values}), metric, failed, describe. */
function heatMap(options) {
  const { metric, rows, columns, failed } = options;
  const plot = html("div", { class: "plot" });
  const title = `${metric.column} over ${columns.name} and ${rows.name}`;
  const name = withUnit(metric.title, metric.unit);
  const caption = html("figcaption", {}, html("span", {}, name), saver(title));
  const grid = cellsOf(rows, columns, metric.values, failed);
  const isMean = grid.cells.some(({ count }) => count > 1);
  const note = html("p", { class: "note" }, "Each cell is the mean of its points.");
  drawByWidth(plot, (width) => drawHeatMap(plot, options, grid, width));
  return html("figure", { class: "chart" }, caption, plot, ...(isMean ? [note] : []));
}

function drawHeatMap(plot, { metric, rows, columns, describe }, grid, width) {
  const { down, across, cells } = grid;
  const labels = labelsOf(down);
  const left = 16 + 7 * Math.max(4, ...labels.map((label) => label.length));
  const right = width - BAR.room - 16;
  const size = [(right - left) / across.length,
    Math.min(CELL.most, Math.max(CELL.least, 440 / down.length))];
  // Numbers ascend upwards, as on an axis.
  const place = (row, column) => [left + column * size[0], 24 + (down.length - 1 - row) * size[1]];
  const bottom = 24 + down.length * size[1];
  const means = cells.map(meanOf).filter((mean) => mean !== null);
  const colours = colourScale(means, metric.isLog);
  const height = bottom + 42;
  const drawn = cells.map((cell) => drawCell(cell, place, size, colours, describe));
  const stride = Math.ceil(15 / size[1]);
  const beside = labels.map((label, row) => text(left - 8, place(row, 0)[1] + size[1] / 2 + 4,
    row % stride ? "" : label, "end"));
  const names = [text(left - 8, 14, rows.name, "start", "label"),
    text(right, bottom + 34, columns.name, "end", "label")];
  names[0].setAttribute("x", 0);
  const frame = svg("rect", { class: "empty", x: left, y: 24, width: right - left,
    height: bottom - 24 });
  plot.replaceChildren(svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height }, hatching(),
    frame, ...drawn, ...beside, ...across.map(textBelow(across, left, size[0], bottom)), ...names,
    ...colourBar(colours, right + 18, 24, Math.max(60, bottom - 24))));
}

/** Labels under columns: as many as have room. */
function textBelow(across, left, width, bottom) {
  const stride = Math.ceil(40 / width);
  const letters = Math.max(4, Math.floor((width * stride) / 6.6));
  const labels = labelsOf(across, letters);
  return (_, column) => text(left + (column + 0.5) * width, bottom + 17,
    column % stride ? "" : labels[column], "middle");
}

/** The colour of a mean, and what its numbers reach over. */
function colourScale(means, isLog) {
  const bent = isLog && means.every((mean) => mean > 0);
  const reach = extent(means);
  const isFlat = !reach || reach[0] === reach[1];
  const domain = isFlat ? padded(reach ?? [0, 1], bent) : reach;
  return { part: makeScale(domain, [0, 1], bent), domain, isLog: bent, isEmpty: !reach };
}

function drawCell(cell, place, [width, height], colours, describe) {
  const [x, y] = place(cell.row, cell.column);
  const mean = meanOf(cell);
  const rgb = mean === null ? null : viridis(colours.part(mean));
  const gap = Math.min(width, height) < CELL.forGap ? 0 : 1;
  const shape = { x: x + gap / 2, y: y + gap / 2, width: width - gap, height: height - gap };
  const fill = rgb ? `rgb(${rgb.join(" ")})` : "none";
  const parts = [svg("rect", { ...shape, fill, class: rgb ? null : "empty" })];
  if (cell.failed) parts.push(svg("rect", { ...shape, fill: "url(#hatching)" }));
  if (rgb && width >= CELL.forNumber[0] && height >= CELL.forNumber[1]) {
    const kind = isLight(rgb) ? "on-light" : "on-dark";
    parts.push(text(x + width / 2, y + height / 2 + 4, shown(mean, 3), "middle", kind));
  }
  const group = svg("g", {}, ...parts);
  group.addEventListener("pointermove", (event) => {
    const [title, lines] = describe(cell.points[0]);
    const many = cell.points.length > 1;
    const rows = [["mean", shown(mean, 4)], ["not finished", String(cell.failed)]];
    showTip(event, many ? `${cell.points.length} points` : title, many ? rows : lines);
  });
  group.addEventListener("pointerleave", hideTip);
  return group;
}

/** Stripes for cells whose point failed. */
function hatching() {
  const stripe = svg("path", { class: "hatch", d: "M0,7L7,0M-1,1L1,-1M6,8L8,6" });
  const pattern = { id: "hatching", width: 7, height: 7, patternUnits: "userSpaceOnUse" };
  return svg("defs", {}, svg("pattern", pattern, stripe));
}

/** The bar that tells which number a colour stands for. */
function colourBar({ domain, isLog, isEmpty }, x, top, height) {
  if (isEmpty) return [];
  const steps = 64;
  const bar = Array.from({ length: steps }, (_, i) => svg("rect", {
    x, y: (top + height * (1 - (i + 1) / steps)).toFixed(2), width: BAR.width,
    height: (height / steps + 0.6).toFixed(2), fill: `rgb(${viridis((i + 0.5) / steps).join(" ")})`,
  }));
  const y = makeScale(domain, [top + height, top], isLog);
  const ticks = ticksOf(y, Math.min(8, Math.max(2, height / 40)));
  return [...bar, ...ticks.map(([at, label]) => text(x + BAR.width + 6, at + 4, label, "start"))];
}
