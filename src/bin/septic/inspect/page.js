// The page: what is selected, and what is shown of it.

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
  const short = (hex) => hex.replace(/^0x0*(?=.)/, "0x");
  $("event").textContent = [
    { add: "P + Q = R", double: "2P = R", scalar_mul: "s·P = R", verify: "s·G + e·A = R" }[data.operation],
    ...data.points.map((point) => `${point.name} ${point.is ? `= ${point.is}` : `#${point.fingerprint}`}`),
    ...data.scalars.map((scalar) => `${scalar.name} = ${short(scalar.value)}`),
  ].join("   ");
  document.body.classList.toggle("flat", data.rows.length <= 4 && data.width <= 120);
  $("status").textContent = data.satisfied ? "every constraint holds" : `${violated.size} violated`;
  $("status").className = `pill ${data.satisfied ? "good" : "bad"}`;
  for (const role of roles) {
    const item = make("span", { textContent: role });
    item.style.setProperty("--role", colour(role));
    $("legend").append(item);
  }
  $("legend").append(make("span", { className: "plain", textContent: "faint is 0, the larger the fuller" }));

  // -- Map.
  const map = new TraceMap(data, $("map"), $("canvas"), $("names"), badRows);
  const readBy = () => (state.constraint ? reads(data, state.constraint, state.row, state.column) : null);
  const draw = () => map.draw(state, readBy());

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
    const more = make("tbody");
    for (const point of row.points) {
      const where = `  (${point.x[0]}, …)${point.in_cells ? "" : ", y is computed"}`;
      const notes = [point.is ? `= ${point.is}` : null, point.on_curve ? null : "not on the curve"].filter(Boolean).join(", ");
      const into = point.name.startsWith("entry ") ? more : body;
      into.append(make("tr", { title: `x ${point.x.join(" ")}\ny ${point.y.join(" ")}` },
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
    const table = make("table", {}, body);
    if (more.children.length === 0) return table;
    const summary = make("summary", { className: "muted", textContent: `${more.children.length} entries of the generator table` });
    return make("div", {}, table, make("details", {}, summary, make("table", {}, more)));
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
      const unique = data.constraints.filter((other) => other.id === constraint.id).length === 1;
      const name = unique ? constraint.id : constraint.label.slice(constraint.label.indexOf(".") + 1);
      const text = name + (reader.local ? "" : " ′");
      const chip = make("button", {
        className: violated.has(constraint.label) ? "chip bad" : "chip",
        textContent: text,
        title: `${constraint.label}: ${constraint.formula}${reader.next ? "\nread on the row before, as the next row" : ""}`,
      });
      chip.addEventListener("click", () => select({ constraint: constraint.label }));
      chips.append(chip);
    }
    const primed = [...chips.children].some((chip) => chip.textContent.endsWith("′"));
    const reading = chips.children.length === 0 ? "No constraint reads it." : `Read by${primed ? " (′ only as the next row)" : ""}`;
    box.append(make("p", { className: "muted", textContent: reading }), chips);
  };
  const showRow = () => {
    const row = data.rows[state.row];
    $("row-title").textContent = `Row ${row.row}`;
    $("row-kind").textContent = row.kind;
    cellNode();
    $("decoded").replaceChildren(make("h3", { textContent: "Decoded" }), decodedNode(row));
    const read = readBy();
    const fields = [];
    for (const role of roles) {
      fields.push(make("h3", { textContent: role }));
      const singles = make("div", { className: "singles" });
      for (const field of data.fields) {
        if (field.role !== role) continue;
        const node = fieldNode(state.row, field, read);
        if (field.width === 1) singles.append(node);
        else fields.push(node);
      }
      fields.push(singles);
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
      const read = reads(data, entry.label, state.row, state.column);
      const [some, all] = read.part;
      if (some < all) {
        const which = bad.length > 0 ? "are violated here" : `read ${columnName(data.fields, state.column)}`;
        node.append(make("p", { className: "muted", textContent: `${some} of its ${all} parts ${which}; together they` }));
      }
      const line = (text, columns) =>
        columns.size > 0 ? make("p", { className: "reads", textContent: `${text} ${runs(data.fields, columns).join(", ")}` }) : "";
      node.append(line(some < all ? "read" : "reads", read.local), line("on the next row", read.next));
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
    const shown = listed(entries, $("filter").value, violated);
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
      const { y, height } = place(map.plan, state.row, map.plan.wide && state.column !== null ? state.column : 0);
      into($("map"), Math.max(0, y - map.plan.top), map.plan.head + map.plan.top + 3 * height);
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
  const canvas = $("canvas");
  canvas.addEventListener("click", (event) => {
    const found = map.at(event.offsetX, event.offsetY);
    if (found) select(found);
    $("map").focus({ preventScroll: true });
  });
  canvas.addEventListener("mousemove", (event) => {
    const found = map.at(event.offsetX, event.offsetY);
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
  window.addEventListener("resize", () => render(true));
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

window.addEventListener("error", (event) => {
  document.body.dataset.error = event.message;
});
start();
