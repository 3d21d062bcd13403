"use strict";

// node --test src/bin/septic/inspect/model.test.js

const assert = require("node:assert/strict");
const test = require("node:test");
const model = require("./model.js");

const fields = [
  { name: "x", offset: 0, width: 7, role: "state" },
  { name: "digit", offset: 7, width: 1, role: "bit" },
];
const data = {
  fields,
  constraints: [
    { label: "chip.C10.b", formula: "digit = 0", means: "" },
    { label: "chip.C2.a", formula: "x = x′", means: "held" },
  ],
  assertions: [
    { constraint: 0, local: [[7, 8]], next: [] },
    { constraint: 1, local: [[0, 7]], next: [[0, 7]] },
    { constraint: 1, local: [[0, 2], [7, 8]], next: [] },
  ],
  violations: [{ row: 3, label: "chip.C2.a", assertion: 2 }],
};

test("every cell is hit where it is drawn", () => {
  const wide = [{ name: "a", offset: 0, width: 300, role: "slope" }];
  for (const [rows, width, all, height] of [[256, 8, fields, 700], [2, 8, fields, 300], [2, 300, wide, 900]]) {
    const plan = model.plan(rows, width, all, 600, height);
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < width; column++) {
        const { x, y, width: w, height: h } = model.place(plan, row, column);
        assert.ok(x >= plan.gutter && x + w <= plan.width && y + h <= plan.height);
        assert.deepEqual(model.hit(plan, rows, width, x + 1, y + 1), { row, column });
        assert.deepEqual(model.hit(plan, rows, width, x + w - 1, y + h - 1), { row, column });
      }
    }
    for (const [x, y] of [[0, 0], [plan.gutter - 1, plan.top + 1], [plan.right + 1, plan.top + 1], [plan.gutter + 1, plan.height]]) {
      assert.equal(model.hit(plan, rows, width, x, y), null);
    }
  }
});

test("names", () => {
  assert.deepEqual([0, 6, 7].map((column) => model.columnName(fields, column)), ["x[0]", "x[6]", "digit"]);
  assert.deepEqual(model.runs(fields, new Set([0, 1, 2, 3, 4, 5, 6, 7])), ["x", "digit"]);
  assert.deepEqual(model.runs(fields, new Set([0, 2, 3, 6])), ["x[0]", "x[2..4]", "x[6]"]);
  assert.deepEqual(model.runs(fields, new Set()), []);
});

test("who reads a column", () => {
  assert.deepEqual(model.readers(data, 7), [
    { constraint: 1, local: true, next: false },
    { constraint: 0, local: true, next: false },
  ]);
  assert.deepEqual(model.readers(data, 0), [{ constraint: 1, local: true, next: true }]);
});

test("what a constraint reads", () => {
  const sizes = (row, column) => {
    const { local, next, part } = model.reads(data, "chip.C2.a", row, column);
    return [local.size, next.size, part];
  };
  assert.deepEqual(sizes(0, null), [8, 7, [2, 2]]);
  assert.deepEqual(sizes(0, 6), [7, 7, [1, 2]]);
  assert.deepEqual(sizes(3, 6), [3, 0, [1, 2]]);
  assert.deepEqual(model.reads(data, "claims.instance", 0, null).part, [0, 0]);
});

test("values", () => {
  assert.equal(model.describe(5), "5 = 0x5");
  assert.equal(model.describe(2130706432), "2130706432 = 0x7f000000 = −1");
  const grades = [0, 1, 65535, 65536, 1 << 30, 2130706432].map(model.grade);
  assert.ok(grades.every((grade, i) => grade > 0 && grade <= 1 && (i === 0 || grade >= grades[i - 1])));
});

test("the list of constraints", () => {
  const labels = (text, violated) => model.listed(data.constraints, text, new Set(violated)).map((c) => c.label);
  assert.deepEqual(labels("", []), ["chip.C2.a", "chip.C10.b"]);
  assert.deepEqual(labels("", ["chip.C10.b"]), ["chip.C10.b", "chip.C2.a"]);
  assert.deepEqual(labels("HELD x", []), ["chip.C2.a"]);
  assert.deepEqual(labels("nothing", []), []);
});

test("the fragment of the address", () => {
  for (const state of [{ row: 3, column: null, constraint: "chip.C2.a" }, { row: 0, column: 7, constraint: null }]) {
    assert.deepEqual(model.parseHash(model.formatHash(state)), state);
  }
  assert.deepEqual(model.parseHash("#row=-1&column=x"), { row: null, column: null, constraint: null });
});
