// The pure parts of the reports' charts: ticks, scales, thinning, grids, colours.
//
// Run: node --test tests/interop/check_charts.mjs

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

const charts = createRequire(import.meta.url)("../../crates/report/src/page/scales.js");

/** A sequence that repeats: numbers from 0 to 1 (Park & Miller's generator). */
function chance(seed) {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

test("values that differ in their last digits alone are as one", () => {
  const { linearTicks, logTicks, padded } = charts;
  const near = [1, 1 + 2 ** -52];
  assert.deepEqual(padded(near, false), [0.9, 1.1 + 2 ** -52]);
  assert.ok(linearTicks(...padded(near, false), 5).length < 12);
  assert.deepEqual(linearTicks(...near, 5), [1]);
  assert.deepEqual(linearTicks(-3e8, -3e8, 5), [-3e8]);
  assert.ok(logTicks(0, 1, 5).length < 12);
});

test("linear ticks are multiples of 1, 2 or 5 times a power of ten, about as many as asked", () => {
  const random = chance(1);
  for (let k = 0; k < 2000; k += 1) {
    const range = 10 ** (12 * random() - 6);
    const low = (random() - 0.5) * range * 10 ** (8 * random());
    const high = low + range;
    const step = charts.niceStep(high - low, 6);
    assert.match(step.toExponential(6), /^[125]\.000000e/, `${step}`);
    const ticks = charts.linearTicks(low, high, 6);
    assert.ok(ticks.length >= 3 && ticks.length <= 10, `${ticks} of ${low} to ${high}`);
    for (const [i, tick] of ticks.entries()) {
      assert.ok(tick >= low - 1e-6 * step && tick <= high + 1e-6 * step);
      if (i > 0) assert.ok(Math.abs(tick - ticks[i - 1] - step) < 1e-3 * step);
    }
    // None is missing at the ends.
    assert.ok(ticks[0] - step < low && ticks[ticks.length - 1] + step > high);
  }
  assert.deepEqual(charts.linearTicks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(charts.linearTicks(-0.3, 0.3, 6), [-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3]);
  assert.deepEqual(charts.linearTicks(3, 3, 5), [3]);
});

test("logarithmic ticks are powers of ten, with 2 and 5 between them where there is room", () => {
  assert.deepEqual(charts.logTicks(1e-6, 1e-2, 6), [1e-6, 1e-5, 1e-4, 1e-3, 1e-2]);
  assert.deepEqual(charts.logTicks(0.9, 11, 6), [1, 2, 5, 10]);
  assert.deepEqual(charts.logTicks(1e-8, 1e8, 6), [1e-6, 1e-3, 1, 1e3, 1e6]);
  assert.deepEqual(charts.logTicks(2, 3, 5), [2, 2.2, 2.4, 2.6, 2.8, 3]);
  assert.ok(charts.logTicks(0.0021, 0.0049, 5).every((tick) => tick > 0.002 && tick < 0.005));
});

test("a scale goes to places and back", () => {
  for (const isLog of [false, true]) {
    const scale = charts.makeScale([0.01, 10], [60, 560], isLog);
    assert.deepEqual([0.01, 10].map((x) => Math.round(scale(x))), [60, 560]);
    for (const x of [0.01, 0.2, 3, 10]) {
      assert.ok(Math.abs(scale.invert(scale(x)) - x) < 1e-11);
    }
  }
  assert.ok(Math.abs(charts.makeScale([1, 100], [0, 10], true)(10) - 5) < 1e-12);
});

test("numbers are short and labels of an axis have one notation", () => {
  const shown = [[0, "0"], [-0.5, "−0.5"], [1234567, "1.235·10⁶"], [1e-5, "10⁻⁵"], [null, "–"],
    [-2.5e-7, "−2.5·10⁻⁷"], [423.79, "423.8"], [15872, "15872"], ["Dfsph()", "Dfsph()"],
    [0.1 + 0.2, "0.3"], [-0, "0"]];
  for (const [value, text] of shown) assert.equal(charts.shown(value), text);
  assert.deepEqual(charts.tickLabels([0, 0.1, 0.30000000000000004]), ["0", "0.1", "0.3"]);
  assert.deepEqual(charts.tickLabels([1e-6, 1e-4, 1e-2]), ["10⁻⁶", "10⁻⁴", "10⁻²"]);
  assert.deepEqual(charts.tickLabels([423.79205, 423.7921]), ["423.79205", "423.7921"]);
  assert.deepEqual(charts.tickLabels([-20000, 0, 200000]), ["−2·10⁴", "0", "2·10⁵"]);
});

test("extents pass over what is no number, and padding leaves room around a single value", () => {
  assert.deepEqual(charts.extent([3, null, "x", -1, NaN, Infinity]), [-1, 3]);
  assert.equal(charts.extent([null, "x"]), null);
  for (const isLog of [false, true]) {
    for (const range of [[5, 5], [0.001, 1000]]) {
      const [low, high] = charts.padded(range, isLog);
      assert.ok(low < range[0] && high > range[1] && (!isLog || low > 0));
    }
  }
  assert.deepEqual(charts.padded([0, 0], false), [-1, 1]);
});

test("an axis is logarithmic for even ratios over two decades", () => {
  assert.ok(charts.asksForLog([1e-6, 1e-5, 1e-4, 1e-3]));
  assert.ok(charts.asksForLog([0.1, 1, 10]));
  assert.ok(charts.asksForLog([1e-6, 1e-2]));
  const spread = [...Array(60).keys()].map((k) => 10 ** (-6 + (4 * k) / 59));
  assert.ok(charts.asksForLog(spread));
  const linear = [...Array(60).keys()].map((k) => 1 + 10 * k);
  const others = [linear, [0, 1, 10, 100], [-1, 1, 100], [1, 50, 100], [1, 99], [5], ["a"], []];
  for (const values of others) {
    assert.ok(!charts.asksForLog(values), `${values}`);
  }
});

test("thinning keeps ends, extremes and gaps, and few points", () => {
  const random = chance(7);
  const xs = [...Array(50000).keys()].map((k) => k * 1e-3);
  const ys = xs.map((x) => Math.sin(x) + 0.1 * random());
  [ys[12345], ys[23456], ys[34567]] = [50, -50, null];
  const kept = charts.thinned(xs, ys, 500);
  assert.ok(kept.length <= 5 * 501, `${kept.length}`);
  assert.ok(kept.every((place, i) => i === 0 || place > kept[i - 1]));
  for (const place of [0, 12345, 23456, 34567, 49999]) assert.ok(kept.includes(place), `${place}`);
  assert.deepEqual(charts.thinned([1, 2, 3], [1, 2, 3], 2), [0, 1, 2]);
});

test("bins keep the mean", () => {
  const xs = [...Array(1000).keys()];
  const { xs: places, columns } = charts.binned(xs, [xs.map((x) => 2 * x), xs.map(() => 1)], 10);
  assert.deepEqual(places, [...Array(10).keys()].map((k) => 100 * k + 49.5));
  assert.deepEqual(columns[0], places.map((x) => 2 * x));
  assert.deepEqual(columns[1], Array(10).fill(1));
  assert.equal(charts.binned([1, 2], [[3, 4]], 10).xs.length, 2);
});

test("the nearest place is found as by trying all", () => {
  const random = chance(3);
  const xs = [...Array(100)].map(() => random()).sort((a, b) => a - b);
  for (let k = 0; k < 500; k += 1) {
    const wanted = 1.2 * random() - 0.1;
    const best = Math.min(...xs.map((x) => Math.abs(x - wanted)));
    assert.equal(Math.abs(xs[charts.nearest(xs, wanted)] - wanted), best);
  }
});

test("means are over equal values, with gaps where there is none", () => {
  const means = charts.meansByX([2, 1, 2, 1, 3], [10, 1, 20, null, null]);
  assert.deepEqual(means, [[1, 1], [2, 15], [3, null]]);
});

test("levels and grids", () => {
  assert.deepEqual(charts.levels([10, "b", 9, null, "a", 10]), [9, 10, "b", "a"]);
  const rows = [1, 1, 1, 2, 2, 2];
  const columns = ["a", "b", "c", "a", "b", "c"];
  assert.ok(charts.isGrid(rows, columns));
  assert.ok(!charts.isGrid([1, 1, 1], ["a", "b", "c"]), "one row");
  const random = chance(5);
  const spread = () => [...Array(60)].map(() => random());
  assert.ok(!charts.isGrid(spread(), spread()), "a Latin hypercube");
});

test("colours ascend in lightness and letters are told from them", () => {
  const lightness = (rgb) => 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
  const all = [...Array(101).keys()].map((k) => lightness(charts.viridis(k / 100)));
  assert.ok(all.every((value, i) => i === 0 || value >= all[i - 1]));
  assert.deepEqual(charts.viridis(0), [68, 1, 84]);
  assert.deepEqual(charts.viridis(2), [253, 231, 37]);
  assert.ok(charts.isLight([253, 231, 37]) && !charts.isLight([68, 1, 84]));
});
