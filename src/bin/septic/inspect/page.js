"use strict";

// ---- Pure functions: no document. ----

/** How a trace of `rows` rows and `width` columns is drawn in a pane. Wide rows go over several lines. */
function plan(rows, width, paneWidth, paneHeight) {
  const wide = width > 120;
  const gutter = 40;
  const perLine = wide ? 98 : width;
  const lines = Math.ceil(width / perLine);
  const head = wide ? 4 : 76;
  const cellWidth = Math.max(5, Math.min(20, Math.floor((paneWidth - gutter - 16) / perLine)));
  const fit = Math.floor((paneHeight - head) / rows);
  const cellHeight = wide ? 10 : Math.max(4, Math.min(22, fit));
  const gap = wide ? 18 : 0;
  const rowHeight = lines * cellHeight + gap;
  return {
    wide, gutter, perLine, lines, head, cellWidth, cellHeight, rowHeight,
    // Room on the right for the last field's slanted name.
    width: gutter + perLine * cellWidth + (wide ? 16 : 44),
    height: head + rows * rowHeight,
  };
}

/** Where a cell is drawn. */
function place(plan, row, column) {
  const line = Math.floor(column / plan.perLine);
  return {
    x: plan.gutter + (column % plan.perLine) * plan.cellWidth,
    y: plan.head + row * plan.rowHeight + line * plan.cellHeight,
  };
}

/** The cell at a place, or null. */
function hit(plan, rows, width, x, y) {
  const row = Math.floor((y - plan.head) / plan.rowHeight);
  const line = Math.floor((y - plan.head - row * plan.rowHeight) / plan.cellHeight);
  const inLine = Math.floor((x - plan.gutter) / plan.cellWidth);
  const column = line * plan.perLine + inLine;
  const inside = row >= 0 && row < rows && line >= 0 && line < plan.lines && inLine >= 0 && inLine < plan.perLine;
  return inside && column < width ? { row, column } : null;
}

/** How strongly a value is drawn: 0, small, any. */
function grade(value) {
  return value === 0 ? 0.16 : value < 65536 ? 0.55 : 0.95;
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

/** The name of a range of columns of one field. */
function runName(field, start, end) {
  if (end - start === field.width) return field.name;
  return end - start === 1 ? `${field.name}[${start}]` : `${field.name}[${start}..${end}]`;
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
  return [...found.values()];
}

/** The columns that a constraint reads. If it is violated on the row, those of the violated assertions. */
function reads(data, label, row) {
  const violated = data.violations.filter((v) => v.row === row && v.label === label && v.assertion !== null);
  const indices = new Set(violated.map((violation) => violation.assertion));
  const local = new Set();
  const next = new Set();
  const add = (set, ranges) => {
    for (const [start, end] of ranges) for (let i = start; i < end; i++) set.add(i);
  };
  data.assertions.forEach((assertion, i) => {
    if (data.constraints[assertion.constraint].label !== label) return;
    if (indices.size > 0 && !indices.has(i)) return;
    add(local, assertion.local);
    add(next, assertion.next);
  });
  return { local, next };
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
        names.push(runName(field, start, i));
        start = null;
      }
    }
  }
  return names;
}

const P = 2130706433;

/** A value in the ways that it may be easiest to recognise. */
function describe(value) {
  const forms = [String(value), "0x" + value.toString(16)];
  if (value > P - (1 << 20)) forms.push("−" + (P - value));
  return forms.join("  =  ");
}

/** What is selected, from the address's fragment. */
function parseHash(hash) {
  const read = new URLSearchParams(hash.replace(/^#/, ""));
  const number = (name) => (/^\d+$/.test(read.get(name) || "") ? Number(read.get(name)) : null);
  return { row: number("row"), column: number("column"), constraint: read.get("constraint") };
}

function formatHash(state) {
  const write = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) if (value !== null) write.set(name, value);
  return "#" + write.toString();
}

/** The constraints that a text is found in, those that are violated first. */
function listed(data, text, violated) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = data.constraints.filter((constraint) => {
    const hay = `${constraint.label} ${constraint.formula} ${constraint.means}`.toLowerCase();
    return words.every((word) => hay.includes(word));
  });
  return [...shown.filter((c) => violated.has(c.label)), ...shown.filter((c) => !violated.has(c.label))];
}

// ---- The page. ----

function start() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const roles = [...new Set(data.fields.map((field) => field.role))];
  const state = { row: 0, column: null, constraint: null };
  const violated = new Map();
  for (const violation of data.violations) {
    if (!violated.has(violation.label)) violated.set(violation.label, []);
    const rows = violated.get(violation.label);
    if (!rows.includes(violation.row)) rows.push(violation.row);
  }
  const badRows = [...new Set(data.violations.map((violation) => violation.row))].sort((a, b) => a - b);
  // What is no constraint and may be violated.
  const others = [...violated.keys()].filter((label) => !data.constraints.some((c) => c.label === label));
  const entries = data.constraints.concat(others.map((label) => {
    const message = data.messages.find((message) => message.label === label);
    return message
      ? { label, formula: `(${message.fields}) is on the bus ${message.bus}`, means: "no table provides it", equations: 0 }
      : { label, formula: "cell = what the claim says", means: "the verifier compares it with its own", equations: 0 };
  }));

  const make = (tag, properties = {}, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
  };
  const colour = (role) => `var(--${role})`;
  const changed = (row, column) => data.changes.find((change) => change.row === row && change.column === column);

  // -- Head.
  document.title = `${data.operation}, event ${data.event}: septic inspect`;
  $("title").textContent = data.operation.toUpperCase();
  const padding = data.height - data.rows_per_event;
  $("subtitle").textContent = [
    data.file, `event ${data.event}`, `layout ${data.layout}`,
    `${data.rows_per_event} ${data.rows_per_event === 1 ? "row" : "rows"} of ${data.width} columns`,
    padding > 0 ? `then ${padding} of padding` : null,
    ...data.changes.map((change) => `${change.name} on row ${change.row} set to ${change.new}`),
  ].filter(Boolean).join(" · ");
  $("status").textContent = data.satisfied ? "every constraint holds" : `${violated.size} violated`;
  $("status").className = `pill ${data.satisfied ? "good" : "bad"}`;
  for (const role of roles) {
    const item = make("span", { textContent: role });
    item.style.setProperty("--role", colour(role));
    $("legend").append(item);
  }
  $("legend").append(make("span", { className: "plain", textContent: "faint: 0, middle: below 2¹⁶, full: larger" }));

  // -- Map.
  const canvas = $("canvas");
  const shape = () => {
    const pane = $("map");
    return plan(data.rows.length, data.width, pane.clientWidth, pane.clientHeight);
  };
  let drawn = null;
  const draw = () => {
    const p = (drawn = shape());
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.round(p.width * scale);
    canvas.height = Math.round(p.height * scale);
    canvas.style.width = `${p.width}px`;
    canvas.style.height = `${p.height}px`;
    const g = canvas.getContext("2d");
    g.scale(scale, scale);
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(`--${name}`).trim();
    const colours = new Map(roles.map((role) => [role, of(role)]));
    const read = state.constraint ? reads(data, state.constraint, state.row) : null;
    const nextRow = (state.row + 1) % data.rows.length;
    const isRead = (row, column) =>
      read && ((row === state.row && read.local.has(column)) || (row === nextRow && read.next.has(column)));
    const inset = p.cellHeight > 6 && p.cellWidth > 6 ? 1 : 0;
    data.rows.forEach(({ cells }, row) => {
      for (const field of data.fields) {
        g.fillStyle = colours.get(field.role);
        for (let column = field.offset; column < field.offset + field.width; column++) {
          const { x, y } = place(p, row, column);
          const seen = isRead(row, column);
          g.globalAlpha = seen ? 1 : grade(cells[column]) * (read ? 0.45 : 1);
          g.fillRect(x, y, p.cellWidth - inset, p.cellHeight - inset);
        }
      }
    });
    g.globalAlpha = 1;
    marks(g, p, of, isRead);
    labels(g, p, of);
  };
  const outline = (g, p, row, column, width) => {
    const { x, y } = place(p, row, column);
    g.lineWidth = width;
    g.strokeRect(x - 0.5, y - 0.5, p.cellWidth, p.cellHeight);
  };
  const marks = (g, p, of, isRead) => {
    // The selected row.
    g.strokeStyle = of("mark");
    g.lineWidth = 1;
    if (!p.wide) {
      const y = p.head + state.row * p.rowHeight;
      g.strokeRect(p.gutter - 2.5, y - 1.5, p.perLine * p.cellWidth + 4, p.rowHeight + 2);
    }
    // Cells that the constraint reads.
    [state.row, (state.row + 1) % data.rows.length].forEach((row) => {
      for (let column = 0; column < data.width; column++) if (isRead(row, column) && p.wide) outline(g, p, row, column, 1);
    });
    g.strokeStyle = of("bad");
    for (const change of data.changes) outline(g, p, change.row, change.column, 2);
    g.fillStyle = of("bad");
    for (const row of badRows) {
      g.fillRect(p.gutter - 9, p.head + row * p.rowHeight, 5, Math.max(3, p.lines * p.cellHeight));
    }
    if (state.column !== null) {
      g.strokeStyle = of("mark");
      outline(g, p, state.row, state.column, 2);
    }
  };
  const labels = (g, p, of) => {
    g.fillStyle = of("muted");
    g.font = "11px sans-serif";
    g.textBaseline = "middle";
    g.textAlign = "right";
    const step = p.rowHeight >= 12 ? 1 : p.rowHeight >= 6 ? 8 : 16;
    data.rows.forEach((row, i) => {
      if (i % step === 0) g.fillText(row.row, p.gutter - 13, p.head + i * p.rowHeight + Math.max(p.cellHeight / 2, 3));
    });
    if (p.wide) return;
    g.textAlign = "left";
    let last = -99;
    for (const field of data.fields) {
      const x = p.gutter + (field.offset + field.width / 2) * p.cellWidth;
      // Slanted names need some room.
      if (x - last < 9) continue;
      last = x;
      g.save();
      g.translate(x, p.head - 6);
      g.rotate(-Math.PI / 3.2);
      g.fillStyle = of(field.role);
      g.fillText(field.name, 0, 0);
      g.restore();
    }
  };

  // -- Row.
  const limb = (row, column, read) => {
    const field = fieldOf(data.fields, column);
    const value = data.rows[row].cells[column];
    const classes = ["limb"];
    if (value === 0) classes.push("zero");
    if (read && read.local.has(column)) classes.push("read");
    if (changed(row, column)) classes.push("changed");
    if (state.column === column) classes.push("selected");
    const node = make("button", { className: classes.join(" "), textContent: value, title: columnName(data.fields, column) });
    node.style.setProperty("--role", colour(field.role));
    node.tabIndex = -1;
    node.addEventListener("click", () => select({ column }));
    return node;
  };
  const fieldNode = (row, field, read) => {
    const limbs = make("div", { className: "limbs" });
    for (let i = 0; i < field.width; i++) limbs.append(limb(row, field.offset + i, read));
    const name = make("span", { className: "name", textContent: field.name, title: field.honest });
    let node;
    if (field.width > 28) {
      const inside = state.column !== null && fieldOf(data.fields, state.column) === field;
      const summary = make("summary", {}, name, make("span", { className: "muted", textContent: ` ${field.width} columns` }));
      node = make("details", { open: inside }, summary, limbs);
    } else {
      node = make("div", { className: "field" }, name, limbs);
    }
    node.style.setProperty("--role", colour(field.role));
    return node;
  };
  const decodedNode = (row) => {
    const body = make("tbody");
    for (const point of row.points) {
      const where = point.in_cells ? "" : "  y is computed";
      const notes = [point.is ? `= ${point.is}` : null, point.on_curve ? null : "not on the curve"].filter(Boolean).join(", ");
      body.append(make("tr", { title: `x ${point.x.join(" ")}\ny ${point.y.join(" ")}` },
        make("td", { className: "name", textContent: point.name }),
        make("td", { className: "print", textContent: `#${point.fingerprint}` }),
        make("td", { className: point.on_curve ? "wide" : "wide warn" }, notes,
          make("span", { className: "muted", textContent: where }))));
    }
    for (const number of row.numbers) {
      body.append(make("tr", {},
        make("td", { className: "name", textContent: number.name }),
        make("td", { className: "print", textContent: number.value.length > 12 ? "" : number.value }),
        make("td", { className: "wide" }, number.value.length > 12 ? `${number.value}  ` : "",
          make("span", { className: "muted", textContent: number.means }))));
    }
    return make("table", {}, body);
  };
  const cellNode = () => {
    const box = $("cell");
    box.replaceChildren();
    if (state.column === null) {
      box.style.removeProperty("--role");
      box.append(make("span", { className: "muted", textContent: "Click a cell to see what it is." }));
      return;
    }
    const field = fieldOf(data.fields, state.column);
    const value = data.rows[state.row].cells[state.column];
    const change = changed(state.row, state.column);
    box.style.setProperty("--role", colour(field.role));
    box.append(
      make("div", {},
        make("span", { className: "name", textContent: columnName(data.fields, state.column) }),
        make("span", { className: "muted", textContent: `  column ${state.column}, ${field.role}` })),
      make("p", { className: "value", textContent: describe(value) }));
    if (change) box.append(make("p", { className: "warn", textContent: `changed from ${change.old}` }));
    if (field.honest) box.append(make("p", { textContent: `Honest value: ${field.honest}` }));
    const by = [field.constrained_by ? `Constrained by ${field.constrained_by}.` : null,
      field.instance ? "The claims determine it." : null].filter(Boolean).join(" ");
    if (by) box.append(make("p", { className: "muted", textContent: by }));
    const chips = make("div", { className: "chips" });
    for (const reader of readers(data, state.column)) {
      const constraint = data.constraints[reader.constraint];
      const text = constraint.id + (reader.local ? "" : " ′");
      const chip = make("button", {
        className: violated.has(constraint.label) ? "chip bad" : "chip",
        textContent: text,
        title: `${constraint.label}: ${constraint.formula}${reader.next ? "\nread on the row before, as the next row" : ""}`,
      });
      chip.addEventListener("click", () => select({ constraint: constraint.label }));
      chips.append(chip);
    }
    box.append(make("p", { className: "muted", textContent: chips.children.length > 0 ? "Read by" : "No constraint reads it." }), chips);
  };
  const showRow = () => {
    const row = data.rows[state.row];
    $("row-title").textContent = `Row ${row.row}`;
    $("row-kind").textContent = row.kind;
    cellNode();
    $("decoded").replaceChildren(make("h3", { textContent: "Decoded" }), decodedNode(row));
    const read = state.constraint ? reads(data, state.constraint, state.row) : null;
    const fields = [];
    for (const role of roles) {
      fields.push(make("h3", { textContent: role }));
      for (const field of data.fields) if (field.role === role) fields.push(fieldNode(state.row, field, read));
    }
    const set = data.flags.map((name, i) => [name, row.flags[i]]).filter(([, value]) => value !== 0);
    if (data.flags.length > 0) {
      fields.push(make("h3", { textContent: "flags that are not 0" }));
      fields.push(make("div", { className: "print", textContent: set.map(([name, value]) => `${name} ${value}`).join(", ") || "none" }));
    }
    $("fields").replaceChildren(...fields);
  };

  // -- Constraints.
  const detailNode = (entry) => {
    const bad = data.violations.filter((v) => v.label === entry.label && v.row === state.row);
    const node = make("div", { className: bad.length > 0 ? "detail bad" : "detail" });
    if (entry.equations > 0) {
      const equations = entry.equations === 1 ? "1 equation" : `${entry.equations} equations`;
      node.append(make("p", { className: "muted", textContent: `${equations} of degree ${entry.degree}` }));
      const read = reads(data, entry.label, state.row);
      const line = (text, columns) =>
        columns.size > 0 ? make("p", { className: "reads", textContent: `${text} ${runs(data.fields, columns).join(", ")}` }) : "";
      node.append(line("reads", read.local), line("on the next row", read.next));
    }
    for (const violation of bad.slice(0, 3)) {
      for (const equation of violation.equations) {
        const at = equation.coordinate === null ? "" : `[${equation.coordinate}]  `;
        node.append(make("p", { className: "reads", textContent: `${at}left over: ${equation.residue}` }));
      }
      if (violation.assertion === null) {
        const cells = violation.cells.map((run) => `${run.field}[${run.start}…]: ${run.values.join(" ")}`);
        node.append(make("p", { className: "reads", textContent: cells.join("; ") }));
      }
    }
    const rows = (violated.get(entry.label) || []).slice(0, 40);
    if (rows.length > 0) {
      const chips = make("div", { className: "chips" });
      for (const row of rows) {
        const chip = make("button", { className: "chip bad", textContent: `row ${row}` });
        chip.addEventListener("click", () => select({ row }));
        chips.append(chip);
      }
      node.append(make("p", { textContent: "Violated on" }), chips);
    }
    return node;
  };
  const showConstraints = () => {
    const nodes = [];
    const shown = listed({ constraints: entries }, $("filter").value, violated);
    $("count").textContent = shown.length === entries.length ? entries.length : `${shown.length} of ${entries.length}`;
    for (const entry of shown) {
      const selected = state.constraint === entry.label;
      const node = make("button", { className: violated.has(entry.label) ? "constraint bad" : "constraint" },
        make("div", { className: "name", textContent: entry.label }),
        make("div", { className: "formula", textContent: entry.formula }),
        entry.means ? make("div", { className: "means", textContent: entry.means }) : null);
      node.setAttribute("aria-pressed", selected);
      node.addEventListener("click", () => {
        const rows = violated.get(entry.label) || [];
        const row = rows.length > 0 && !rows.includes(state.row) ? rows[0] : state.row;
        select(selected ? { constraint: null } : { constraint: entry.label, row });
      });
      nodes.push(node);
      if (selected) nodes.push(detailNode(entry));
    }
    $("constraints").replaceChildren(...nodes);
  };

  // -- Selection.
  const into = (pane, top, height) => {
    if (top < pane.scrollTop) pane.scrollTop = top;
    else if (top + height > pane.scrollTop + pane.clientHeight) pane.scrollTop = top + height - pane.clientHeight;
  };
  const render = (scroll) => {
    showRow();
    showConstraints();
    draw();
    if (scroll) {
      const { y } = place(drawn, state.row, drawn.wide && state.column !== null ? state.column : 0);
      into($("map"), Math.max(0, y - drawn.head), drawn.head + drawn.cellHeight * 3);
      const pressed = $("constraints").querySelector("[aria-pressed=true]");
      if (pressed) {
        const pane = $("list-pane");
        into(pane, pressed.offsetTop - pane.offsetTop - 60, pressed.offsetHeight + 160);
      }
    }
    try {
      history.replaceState(null, "", formatHash(state));
    } catch {
      // Some browsers refuse it for files.
    }
  };
  const select = (change) => {
    Object.assign(state, change);
    state.row = Math.max(0, Math.min(data.rows.length - 1, state.row));
    if (state.column !== null) state.column = Math.max(0, Math.min(data.width - 1, state.column));
    render(true);
  };
  canvas.addEventListener("click", (event) => {
    const found = hit(drawn, data.rows.length, data.width, event.offsetX, event.offsetY);
    if (found) select(found);
    $("map").focus({ preventScroll: true });
  });
  canvas.addEventListener("mousemove", (event) => {
    const found = hit(drawn, data.rows.length, data.width, event.offsetX, event.offsetY);
    canvas.title = found
      ? `${columnName(data.fields, found.column)}, row ${found.row}: ${data.rows[found.row].cells[found.column]}` : "";
  });
  const keys = {
    ArrowUp: () => ({ row: state.row - 1 }),
    ArrowDown: () => ({ row: state.row + 1 }),
    PageUp: () => ({ row: state.row - 16 }),
    PageDown: () => ({ row: state.row + 16 }),
    Home: () => ({ row: 0 }),
    End: () => ({ row: data.rows.length - 1 }),
    ArrowLeft: () => ({ column: (state.column ?? 1) - 1 }),
    ArrowRight: () => ({ column: (state.column ?? -1) + 1 }),
    Escape: () => ({ column: null, constraint: null }),
    n: () => {
      const row = badRows.find((row) => row > state.row) ?? badRows[0];
      if (row === undefined) return {};
      return { row, constraint: data.violations.find((violation) => violation.row === row).label };
    },
  };
  document.addEventListener("keydown", (event) => {
    if (event.target === $("filter") || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = keys[event.key];
    if (!key) return;
    event.preventDefault();
    select(key());
  });
  $("filter").addEventListener("input", showConstraints);
  window.addEventListener("resize", draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

  const asked = parseHash(location.hash);
  const known = entries.some((entry) => entry.label === asked.constraint);
  const first = data.violations[0];
  if (asked.row === null && first) Object.assign(state, { row: first.row, constraint: first.label });
  select({
    row: asked.row ?? state.row,
    column: asked.column,
    constraint: known ? asked.constraint : asked.row === null ? state.constraint : null,
  });
  document.body.dataset.ready = "yes";
}

if (typeof document === "undefined") {
  module.exports = { plan, place, hit, grade, fieldOf, columnName, readers, reads, runs, describe, parseHash, formatHash, listed };
} else {
  window.addEventListener("error", (event) => {
    document.body.dataset.error = event.message;
  });
  start();
}
