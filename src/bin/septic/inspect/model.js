"use strict";

// What the page computes, without the page: these functions know no document.

const P = 2130706433;

/**
 * How a trace of `rows` rows is drawn in a pane. Single columns are twice as wide as those of septic elements; wide rows go
 * over several lines of equal columns.
 */
function plan(rows, width, fields, paneWidth, paneHeight) {
  const wide = width > 120;
  const gutter = 40;
  const right = wide ? 16 : 54;
  const perLine = wide ? 98 : width;
  const lines = Math.ceil(width / perLine);
  const top = 4;
  // The names of fields stand above the map, on a canvas of their own.
  const head = wide ? 0 : 80;
  const weights = wide
    ? Array(perLine).fill(1)
    : fields.flatMap((field) => Array(field.width).fill(field.width === 1 ? 2 : 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const unit = Math.max(4, Math.min(16, Math.floor(((paneWidth - gutter - right) / total) * 2) / 2));
  const widths = weights.map((weight) => weight * unit);
  const lefts = [];
  widths.reduce((left, cell) => (lefts.push(left), left + cell), gutter);
  const fit = Math.floor((paneHeight - head - 2 * top) / rows);
  const cellHeight = wide ? 10 : Math.max(4, Math.min(22, fit));
  const gap = wide ? 18 : 0;
  const rowHeight = lines * cellHeight + gap;
  return {
    wide, gutter, perLine, lines, head, top, lefts, widths, cellHeight, rowHeight,
    right: gutter + total * unit,
    width: gutter + total * unit + right,
    height: top + rows * rowHeight + top,
  };
}

/** Where a cell is drawn. */
function place(plan, row, column) {
  const line = Math.floor(column / plan.perLine);
  const inLine = column % plan.perLine;
  return {
    x: plan.lefts[inLine],
    y: plan.top + row * plan.rowHeight + line * plan.cellHeight,
    width: plan.widths[inLine],
    height: plan.cellHeight,
  };
}

/** The cell at a place, or null. */
function hit(plan, rows, width, x, y) {
  const row = Math.floor((y - plan.top) / plan.rowHeight);
  const line = Math.floor((y - plan.top - row * plan.rowHeight) / plan.cellHeight);
  const inLine = plan.lefts.findIndex((left, i) => x >= left && x < left + plan.widths[i]);
  const column = line * plan.perLine + inLine;
  const inside = row >= 0 && row < rows && line >= 0 && line < plan.lines && inLine >= 0;
  return inside && column < width ? { row, column } : null;
}

/** How strongly a value is drawn: faint 0, small numbers, and the others by their size. */
function grade(value) {
  return value === 0 ? 0.13 : value < 65536 ? 0.5 : 0.55 + (0.45 * value) / P;
}

/** The field that a column is in. */
function fieldOf(fields, column) {
  return fields.find((field) => column >= field.offset && column < field.offset + field.width);
}

/** The name of a column: that of its field, with its place if the field has several. */
function columnName(fields, column) {
  const field = fieldOf(fields, column);
  return field.width === 1 ? field.name : `${field.name}[${column - field.offset}]`;
}

function inRanges(ranges, i) {
  return ranges.some(([start, end]) => i >= start && i < end);
}

/** The constraints that read a column, each once, with whether they read it on the row and on the next row. */
function readers(data, column) {
  const found = new Map();
  for (const assertion of data.assertions) {
    const local = inRanges(assertion.local, column);
    const next = inRanges(assertion.next, column);
    if (!local && !next) continue;
    const known = found.get(assertion.constraint) || { constraint: assertion.constraint, local: false, next: false };
    known.local = known.local || local;
    known.next = known.next || next;
    found.set(assertion.constraint, known);
  }
  return [...found.values()].sort((a, b) => number(data.constraints[a.constraint]) - number(data.constraints[b.constraint]));
}

/**
 * The columns that a constraint reads on the row and on the next. A constraint of many assertions: those that are violated on
 * the row, or else those that read the selected column, or else all; `part` says how many of how many.
 */
function reads(data, label, row, column) {
  const all = [...data.assertions.keys()].filter((i) => data.constraints[data.assertions[i].constraint].label === label);
  const bad = data.violations.filter((v) => v.row === row && v.label === label).map((v) => v.assertion);
  const reading = all.filter((i) => {
    const { local, next } = data.assertions[i];
    return column !== null && (inRanges(local, column) || inRanges(next, column));
  });
  const chosen = [all.filter((i) => bad.includes(i)), reading, all].find((some) => some.length > 0) || [];
  const local = new Set();
  const next = new Set();
  const add = (set, ranges) => {
    for (const [start, end] of ranges) for (let i = start; i < end; i++) set.add(i);
  };
  for (const i of chosen) {
    add(local, data.assertions[i].local);
    add(next, data.assertions[i].next);
  }
  return { local, next, part: [chosen.length, all.length] };
}

/** A set of columns as names of runs. */
function runs(fields, columns) {
  const names = [];
  for (const field of fields) {
    let start = null;
    for (let i = 0; i <= field.width; i++) {
      const inside = i < field.width && columns.has(field.offset + i);
      if (inside && start === null) start = i;
      if (!inside && start !== null) {
        const whole = i - start === field.width;
        names.push(whole ? field.name : i - start === 1 ? `${field.name}[${start}]` : `${field.name}[${start}..${i}]`);
        start = null;
      }
    }
  }
  return names;
}

/** A value in the ways that it may be easiest to recognise. */
function describe(value) {
  const forms = [String(value), "0x" + value.toString(16)];
  if (value > P - (1 << 20)) forms.push("−" + (P - value));
  return forms.join(" = ");
}

/** What is selected, from the address's fragment. */
function parseHash(hash) {
  const read = new URLSearchParams(hash.replace(/^#/, ""));
  const natural = (name) => (/^\d+$/.test(read.get(name) || "") ? Number(read.get(name)) : null);
  return { row: natural("row"), column: natural("column"), constraint: read.get("constraint") };
}

function formatHash(state) {
  const write = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) if (value !== null) write.set(name, value);
  return "#" + write.toString();
}

/** The number of a constraint: 4 of C4. */
function number(constraint) {
  const digits = /\.[A-Z](\d+)\./.exec(constraint.label);
  return digits ? Number(digits[1]) : Infinity;
}

/** The constraints in which all words of a text are found, by number, those that are violated first. */
function listed(constraints, text, violated) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = constraints.filter((constraint) => {
    const hay = `${constraint.label} ${constraint.formula} ${constraint.means}`.toLowerCase();
    return words.every((word) => hay.includes(word));
  });
  const rank = (constraint) => (violated.has(constraint.label) ? 0 : 1);
  return shown.sort((a, b) => rank(a) - rank(b) || number(a) - number(b));
}

if (typeof module !== "undefined") {
  module.exports = {
    plan, place, hit, grade, fieldOf, columnName, readers, reads, runs, describe, parseHash, formatHash, number, listed,
  };
}
