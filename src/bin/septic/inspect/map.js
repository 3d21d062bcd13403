/** A canvas of this size, ready to be drawn on. */
function blank(canvas, width, height) {
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const g = canvas.getContext("2d");
  g.scale(scale, scale);
  return g;
}

/** Draws the trace on a canvas, and the names of its fields on another. */
class TraceMap {
  constructor(data, pane, canvas, names, badRows) {
    Object.assign(this, { data, pane, canvas, names, badRows });
    this.plan = null;
  }

  /** The cell at a place of the canvas, or null. */
  at(x, y) {
    return hit(this.plan, this.data.rows.length, this.data.width, x, y);
  }

  /** Draws everything; `read` are the columns that the selected constraint reads, or null. */
  draw(state, read) {
    const { data, canvas } = this;
    const plan_ = plan(data.rows.length, data.width, data.fields, this.pane.clientWidth, this.pane.clientHeight);
    this.plan = plan_;
    const g = blank(canvas, plan_.width, plan_.height);
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    this.cells(g, colour, state, read);
    this.marks(g, colour, state);
    this.numbers(g, colour);
    this.fields(blank(this.names, plan_.width, plan_.head), colour);
  }

  cells(g, colour, state, read) {
    const { data } = this;
    const next = (state.row + 1) % data.rows.length;
    data.rows.forEach(({ cells }, row) => {
      for (const field of data.fields) {
        g.fillStyle = colour(field.role);
        for (let column = field.offset; column < field.offset + field.width; column++) {
          const { x, y, width, height } = place(this.plan, row, column);
          const seen =
            read && ((row === state.row && read.local.has(column)) || (row === next && read.next.has(column)));
          const inset = height > 6 ? 1 : 0;
          g.globalAlpha = seen ? 1 : grade(cells[column]) * (read ? 0.4 : 1);
          g.fillRect(x, y, width - inset, height - inset);
        }
      }
    });
    g.globalAlpha = 1;
  }

  outline(g, row, column) {
    const { x, y, width, height } = place(this.plan, row, column);
    g.lineWidth = 2;
    g.strokeRect(x - 1, y - 1, width + 1, height + 1);
  }

  /** The selected row and cell, changed cells, rows with violations. */
  marks(g, colour, state) {
    const { data, plan: p } = this;
    g.strokeStyle = colour("mark");
    g.lineWidth = 1;
    const top = p.top + state.row * p.rowHeight;
    if (p.wide) {
      g.fillStyle = colour("mark");
      g.fillRect(p.gutter - 3, top, 1, p.lines * p.cellHeight);
    } else {
      g.strokeRect(p.gutter - 2.5, top - 1.5, p.right - p.gutter + 4, p.rowHeight + 2);
    }
    g.strokeStyle = colour("bad");
    for (const change of data.changes) this.outline(g, change.row, change.column);
    g.fillStyle = colour("bad");
    for (const row of this.badRows) {
      g.fillRect(p.gutter - 9, p.top + row * p.rowHeight, 5, Math.max(3, p.lines * p.cellHeight));
    }
    if (state.column !== null) {
      g.strokeStyle = colour("mark");
      this.outline(g, state.row, state.column);
    }
  }

  /** Numbers of rows. */
  numbers(g, colour) {
    const { data, plan: p } = this;
    g.fillStyle = colour("muted");
    g.font = "11px sans-serif";
    g.textBaseline = "middle";
    g.textAlign = "right";
    const step = p.rowHeight >= 12 ? 1 : p.rowHeight >= 6 ? 8 : 16;
    data.rows.forEach((row, i) => {
      const y = p.top + i * p.rowHeight + Math.max(p.cellHeight / 2, 3);
      if (i % step === 0) g.fillText(row.row, p.gutter - 13, y);
    });
  }

  /** Names of fields. */
  fields(g, colour) {
    if (this.plan.wide) return;
    g.font = "11px sans-serif";
    g.textBaseline = "middle";
    for (const field of this.data.fields) {
      const first = place(this.plan, 0, field.offset);
      g.save();
      g.translate(first.x + (field.width * first.width) / 2, this.plan.head - 4);
      g.rotate(-Math.PI / 3.2);
      g.fillStyle = colour(field.role);
      g.fillText(field.name, 0, 0);
      g.restore();
    }
  }
}
