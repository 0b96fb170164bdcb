// All points of a sweep as a table that can be sorted and filtered, page by page.
"use strict";

const PAGE = 50;

/** Numbers before texts before nothing; numbers by size, texts by letters. */
function compare(a, b) {
  const kind = (value) => (isNumber(value) ? 0 : value === null ? 2 : 1);
  if (kind(a) !== kind(b)) return kind(a) - kind(b);
  return isNumber(a) ? a - b : String(a).localeCompare(String(b));
}

/** The folder of a point, relative to the sweep's. */
const folderOf = (point) => `points/${String(point).padStart(4, "0")}/`;

/** A point's number, which leads to its folder where the page lies beside that. */
function pointLink(point) {
  const number = String(point).padStart(4, "0");
  return sweep.is_beside ? html("a", { href: encodeURI(folderOf(point)) }, number) : number;
}

/**
 * The table. `columns` are `{name, values, isFigure}`, the first of them the points' numbers;
 * `failed` tells which points failed. `replaceColumn` shows another metric in the last column.
 */
function pointsTable(columns, failed) {
  const state = { sorted: 0, isDown: false, wanted: "", page: 0 };
  const body = html("tbody");
  const head = html("tr");
  const table = html("table", { class: "points" }, html("thead", {}, head), body);
  const pager = html("div", { class: "pager" });
  const search = html("input", { type: "search", placeholder: "Filter", "aria-label": "Filter" });
  const redraw = () => {
    const rows = chosenRows(columns, state);
    const pages = Math.max(1, Math.ceil(rows.length / PAGE));
    state.page = Math.min(state.page, pages - 1);
    const part = rows.slice(state.page * PAGE, (state.page + 1) * PAGE);
    head.replaceChildren(...columns.map((column, i) => headCell(column, i, state, redraw)));
    body.replaceChildren(...part.map((row) => tableRow(columns, row, failed[row])));
    pager.replaceChildren(search, ...pageButtons(state, pages, rows.length, redraw));
  };
  search.addEventListener("input", () => {
    [state.wanted, state.page] = [search.value.trim().toLowerCase(), 0];
    redraw();
    search.focus();
  });
  redraw();
  const replaceColumn = (column) => {
    columns[columns.length - 1] = column;
    redraw();
  };
  const element = html("div", {}, pager, html("div", { class: "scroll" }, table));
  return { element, replaceColumn };
}

/** The rows that hold every word of the filter, in the order asked for. */
function chosenRows(columns, { sorted, isDown, wanted }) {
  const words = wanted.split(/\s+/).filter((word) => word);
  const holds = (row) => {
    const line = columns.map(({ values }) => String(values[row] ?? "")).join("\t").toLowerCase();
    return words.every((word) => line.includes(word));
  };
  const all = columns[0].values.map((_, row) => row);
  const rows = words.length ? all.filter(holds) : all;
  const { values } = columns[sorted];
  // What is missing stays last in either order.
  const sign = isDown ? -1 : 1;
  const isMissing = (row) => values[row] === null;
  return rows.sort((a, b) => {
    if (isMissing(a) !== isMissing(b)) return isMissing(a) ? 1 : -1;
    return sign * compare(values[a], values[b]) || a - b;
  });
}

function headCell({ name, isFigure }, place, state, redraw) {
  const isSorted = state.sorted === place;
  const arrow = isSorted ? (state.isDown ? " ↓" : " ↑") : "";
  const button = html("button", { type: "button" }, name + arrow);
  button.addEventListener("click", () => {
    [state.sorted, state.isDown, state.page] = [place, isSorted && !state.isDown, 0];
    redraw();
  });
  const order = isSorted ? (state.isDown ? "descending" : "ascending") : null;
  const kind = isFigure ? null : "text";
  return html("th", { scope: "col", class: kind, "aria-sort": order }, button);
}

function tableRow(columns, row, hasFailed) {
  const cells = columns.map(({ name, values, isFigure }, i) => {
    const content = i === 0 ? pointLink(values[row]) : shown(values[row], 6);
    const mark = hasFailed && name === "status" ? "text failed" : isFigure ? null : "text";
    return html("td", { class: mark }, content);
  });
  return html("tr", {}, ...cells);
}

function pageButtons(state, pages, count, redraw) {
  const turn = (label, by) => {
    const button = html("button", { type: "button" }, label);
    button.disabled = state.page + by < 0 || state.page + by >= pages;
    button.addEventListener("click", () => {
      state.page += by;
      redraw();
    });
    return button;
  };
  const told = count === 1 ? "1 point" : `${count} points`;
  const where = pages > 1 ? `${told}, page ${state.page + 1} of ${pages}` : told;
  return [html("span", {}, where), ...(pages > 1 ? [turn("Previous", -1), turn("Next", 1)] : [])];
}
