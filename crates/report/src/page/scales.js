// Numbers to places and back: ticks, scales, thinning, colours. Pure: nothing here draws, and node
// runs it for `tests/interop/check_charts.mjs`.
"use strict";

/** Whether a value is a number that can be drawn. */
const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

/** The least and the greatest number of values; null if there is none. */
function extent(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (isNumber(value)) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return low <= high ? [low, high] : null;
}

/** The step of 1, 2 or 5 times a power of ten that parts a range into about so many. */
function niceStep(range, count) {
  const rough = range / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const part = rough / power;
  // Thresholds are the geometric means of neighbours.
  const factor = part < Math.SQRT2 ? 1 : part < Math.sqrt(10) ? 2 : part < Math.sqrt(50) ? 5 : 10;
  return factor * power;
}

/** Whether two ends are so far apart that numbers between them can be told apart. */
const isRange = (low, high) => high - low > 1e-12 * Math.max(Math.abs(low), Math.abs(high));

/** Ticks of a linear axis: whole multiples of a nice step within the range. */
function linearTicks(low, high, count) {
  if (!isRange(low, high)) return [low];
  const step = niceStep(high - low, count);
  const ticks = [];
  // Products of whole numbers gather no error as sums would.
  for (let k = Math.ceil(low / step - 1e-9); k <= high / step + 1e-9; k += 1) {
    ticks.push(Number((k * step).toPrecision(15)) + 0);
  }
  return ticks;
}

/** Ticks of a logarithmic axis: powers of ten, with 2 and 5 between them where there is room. */
function logTicks(low, high, count) {
  if (!(low > 0)) return linearTicks(low, high, count);
  const decades = Math.log10(high / low);
  if (decades < 0.7) return linearTicks(low, high, count).filter((tick) => tick > 0);
  const factors = decades <= count / 3 ? [1, 2, 5] : [1];
  const stride = Math.max(1, Math.ceil(decades / count));
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) {
    if (power % stride !== 0) continue;
    for (const factor of factors) {
      const tick = Number(`${factor}e${power}`);
      if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push(tick);
    }
  }
  return ticks.length > 1 ? ticks : linearTicks(low, high, count).filter((tick) => tick > 0);
}

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A power of ten as it is printed. */
function power(exponent) {
  const digits = [...String(Math.abs(exponent))].map((digit) => SUPERSCRIPTS[Number(digit)]);
  return `10${exponent < 0 ? "⁻" : ""}${digits.join("")}`;
}

/** A number with so many figures at the most, as it is printed. */
function shown(value, figures = 4) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return String(value);
  if (value === 0 || !Number.isFinite(value)) return String(value + 0).replace("-", "−");
  const size = Math.abs(value);
  const isPlain = size >= 1e-3 && size < 1e6;
  const text = isPlain ? plain(value, figures) : scientific(value, figures);
  return text.replace("-", "−");
}

function plain(value, figures) {
  const digits = Math.floor(Math.log10(Math.abs(value)));
  if (digits >= figures) return String(Math.round(value));
  return String(Number(value.toPrecision(figures)));
}

function scientific(value, figures) {
  const [mantissa, exponent] = value.toExponential(figures - 1).split("e");
  const short = String(Number(mantissa));
  const factor = short === "1" ? "" : `${short}·`;
  return `${factor}${power(Number(exponent))}`;
}

/** The labels of an axis's ticks, all in one notation, with the figures that tell them apart. */
function tickLabels(ticks) {
  const gaps = ticks.slice(1).map((tick, i) => Math.abs(tick - ticks[i])).filter((gap) => gap > 0);
  const largest = Math.max(...ticks.map(Math.abs));
  const needed = gaps.length ? Math.ceil(Math.log10(largest / Math.min(...gaps))) + 1 : 6;
  const figures = Math.min(15, Math.max(6, needed));
  const [low, high] = extent(ticks.filter((tick) => tick !== 0).map(Math.abs)) ?? [1, 1];
  if (low >= 1e-3 && high < 1e5) {
    return ticks.map((tick) => String(Number(tick.toPrecision(figures))).replace("-", "−"));
  }
  return ticks.map((tick) => (tick === 0 ? "0" : scientific(tick, figures).replace("-", "−")));
}

/** A range with some room at its ends, or around a single value. */
function padded([low, high], isLog, part = 0.05) {
  if (isLog) {
    const room = low === high ? 1.5 : (high / low) ** part;
    return [low / room, high * room];
  }
  const room = isRange(low, high) ? (high - low) * part : Math.abs(low) * 0.1 || 1;
  return [low - room, high + room];
}

/** Places numbers of `domain` on `range`; `invert` goes back. */
function makeScale(domain, range, isLog) {
  const bend = isLog ? Math.log : (x) => x;
  const [low, high] = domain.map(bend);
  const factor = (range[1] - range[0]) / (high - low);
  const place = (value) => range[0] + (bend(value) - low) * factor;
  place.invert = (at) => {
    const value = low + (at - range[0]) / factor;
    return isLog ? Math.exp(value) : value;
  };
  place.ticks = (count) => (isLog ? logTicks : linearTicks)(domain[0], domain[1], count);
  place.isLog = isLog;
  return place;
}

/** Whether values ask for a logarithmic axis: above 0, over two decades, and evenly so. */
function asksForLog(values) {
  const distinct = [...new Set(values.filter(isNumber))].sort((a, b) => a - b);
  if (distinct.length < 2 || distinct[0] <= 0) return false;
  const [low, high] = [Math.log(distinct[0]), Math.log(distinct[distinct.length - 1])];
  if (high - low < Math.log(100) - 1e-9) return false;
  const half = Math.floor(distinct.length / 2);
  const median = (Math.log(distinct[half]) + Math.log(distinct[distinct.length - 1 - half])) / 2;
  return Math.abs(median - (low + high) / 2) < (high - low) / 4;
}

/**
 * The places in a series that stand for all of it on so many columns of pixels: of each column the
 * first, the least, the greatest and the last. `xs` ascend; gaps are kept.
 */
function thinned(xs, ys, columns) {
  const count = xs.length;
  if (count <= 4 * columns) return xs.map((_, i) => i);
  const [first, last] = [xs[0], xs[count - 1]];
  const width = (last - first) / columns || 1;
  const kept = [];
  for (let start = 0; start < count; ) {
    const column = Math.floor((xs[start] - first) / width);
    let end = start + 1;
    while (end < count && Math.floor((xs[end] - first) / width) === column) end += 1;
    kept.push(...ofColumn(ys, start, end));
    start = end;
  }
  return kept;
}

/** The first, least, greatest and last place of a part, and a gap if it has one. */
function ofColumn(ys, start, end) {
  const places = new Set([start, end - 1]);
  let [least, greatest, gap] = [-1, -1, -1];
  for (let i = start; i < end; i += 1) {
    if (!isNumber(ys[i])) {
      gap = i;
      continue;
    }
    if (least < 0 || ys[i] < ys[least]) least = i;
    if (greatest < 0 || ys[i] > ys[greatest]) greatest = i;
  }
  for (const place of [least, greatest, gap]) if (place >= 0) places.add(place);
  return [...places].sort((a, b) => a - b);
}

/** Means over so many even parts of a series, for series that are drawn as areas. */
function binned(xs, columns, bins) {
  if (xs.length <= 2 * bins) return { xs, columns };
  const starts = Array.from({ length: bins + 1 }, (_, k) => Math.round((k * xs.length) / bins));
  const mean = (values) => starts.slice(1).map((end, k) => {
    const part = values.slice(starts[k], end).filter(isNumber);
    return part.length ? part.reduce((sum, value) => sum + value, 0) / part.length : null;
  });
  return { xs: mean(xs), columns: columns.map(mean) };
}

/** The place in ascending numbers that is nearest to a value. */
function nearest(xs, value) {
  let [low, high] = [0, xs.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (xs[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low > 0 && value - xs[low - 1] < xs[low] - value ? low - 1 : low;
}

/** Means of `ys` over equal `xs`, in ascending order of x; null where there is no number. */
function meansByX(xs, ys) {
  const sums = new Map();
  xs.forEach((x, i) => {
    const [sum, count] = sums.get(x) ?? [0, 0];
    sums.set(x, isNumber(ys[i]) ? [sum + ys[i], count + 1] : [sum, count]);
  });
  const ascending = [...sums].sort(([a], [b]) => a - b);
  return ascending.map(([x, [sum, count]]) => [x, count ? sum / count : null]);
}

/** Each distinct value once: numbers ascending, then texts in the order of their coming. */
function levels(values) {
  const distinct = [...new Set(values.filter((value) => value !== null))];
  const numbers = distinct.filter(isNumber).sort((a, b) => a - b);
  return [...numbers, ...distinct.filter((value) => !isNumber(value))];
}

/** Whether two parameters span a grid: few levels, and points in at least half of the cells. */
function isGrid(first, second) {
  const [rows, columns] = [levels(first).length, levels(second).length];
  if (rows < 2 || columns < 2 || rows * columns > 10000) return false;
  const cells = new Set(first.map((value, i) => JSON.stringify([value, second[i]])));
  return cells.size * 2 >= rows * columns;
}

/** Viridis (van der Walt & Smith 2015) at ninths: even to the eye, and for all eyes. */
const VIRIDIS = [
  [68, 1, 84], [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142],
  [31, 158, 137], [53, 183, 121], [110, 206, 88], [181, 222, 43], [253, 231, 37],
];

/** The red, green and blue of a part from 0 to 1. */
function viridis(part) {
  const at = Math.min(1, Math.max(0, part)) * (VIRIDIS.length - 1);
  const below = Math.min(VIRIDIS.length - 2, Math.floor(at));
  const blend = (a, b) => Math.round(a + (b - a) * (at - below));
  return VIRIDIS[below].map((channel, i) => blend(channel, VIRIDIS[below + 1][i]));
}

/** Whether dark letters read better than light ones on a colour (WCAG 2's luminance). */
function isLight(rgb) {
  const [red, green, blue] = rgb.map((channel) => (channel / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18;
}

if (typeof module === "object") {
  module.exports = {
    asksForLog, binned, extent, isGrid, isLight, levels, linearTicks, logTicks, makeScale, meansByX,
    nearest, niceStep, padded, shown, thinned, tickLabels, viridis,
  };
}
