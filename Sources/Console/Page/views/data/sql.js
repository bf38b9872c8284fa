// SQL, read only: for questions that no filter asks. The server sees to it that nothing is written, and that it ends.

import { fill, freshId, h } from "../../parts/dom.js";
import { count, plural, shorten, took } from "../../parts/format.js";
import { busy, empty, problem } from "../../parts/notice.js";
import { list, table } from "../../parts/table.js";
import { router } from "../../state/router.js";
import { keepDraft } from "../../state/drafts.js";
import { server } from "../../state/server.js";
import { shortcuts } from "../../state/shortcuts.js";

/** A statement beyond this stays out of the address. */
const addressLettersMax = 1500;
const rowsMax = 1000;

const identifier = (name) => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);

function cell(value) {
    if (value === null) return h("span.null", "null");
    if (typeof value === "object") return h("span.quiet", `${count(value.blob)} bytes`);
    return shorten(String(value), 200);
}

export function sqlView({ signal, context }) {
    const id = freshId("sql");
    const hintId = freshId("hint");
    const editor = keepDraft(h("textarea.in.mono", { id, rows: 6, spellcheck: "false", autocapitalize: "off", "aria-describedby": hintId, placeholder: "SELECT …" }), "data/sql");
    const hint = h("p.small.quiet", { id: hintId }, "One SELECT. Nothing can be written; it ends after 2 s and 5,000 rows.");
    const runButton = h("button.main", { onclick: () => run(), title: "Ctrl Enter" }, "Run ▸");
    const result = h("div.result", { role: "region", "aria-label": "Result" }, empty("Results appear here. Pick a table to start."));
    const facts = h("span.quiet.small", { "aria-live": "polite" });
    const tables = h("div.tables", { role: "group", "aria-label": "Tables" });
    let shown = null;
    let control = null;

    editor.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            event.stopPropagation();
            run();
        }
    });

    async function run() {
        const sql = editor.value.trim();
        if (!sql) return editor.focus();
        control?.abort();
        control = new AbortController();
        const stop = () => control.abort();
        signal.addEventListener("abort", stop, { once: true });
        if (sql.length <= addressLettersMax) router.replace({ params: { sql } });
        try {
            const answer = await busy(result, server.post("/sql", { sql, parameters: [], limit: rowsMax }, { signal: control.signal }));
            show(answer);
        } catch (error) {
            if (error.name === "AbortError") return;
            const { offset } = error.body ?? {};
            fill(result, problem(error));
            facts.textContent = "";
            if (Number.isInteger(offset)) {
                editor.focus();
                const text = editor.value;
                const from = text.length - text.trimStart().length + offset;
                const word = /^\S*/.exec(text.slice(from))?.[0].length ?? 0;
                editor.setSelectionRange(from, from + Math.max(word, 1));
            }
        }
    }

    function show(answer) {
        shown?.destroy();
        const widths = answer.columns.map((name, index) => {
            const longest = answer.rows.slice(0, 50).reduce((most, row) => Math.max(most, typeof row[index] === "string" ? row[index].length : 8), name.length);
            return Math.min(320, Math.max(80, 28 + longest * 8));
        });
        const isNumber = answer.columns.map((_, index) => answer.rows.length > 0 && answer.rows.every((row) => typeof row[index] === "number" || row[index] === null));
        shown = table({
            label: "Rows",
            columns: answer.columns.map((name, index) => ({ name: String(index), title: name, width: widths[index], numeric: isNumber[index], cell: (row) => cell(row[index]) })),
            source: list(() => answer.rows), key: (_, index) => String(index),
            empty: () => empty("No row. The statement is right, and nothing meets it."),
        });
        facts.textContent = `${plural(answer.rows.length, "row")}${answer.truncated ? ", and more that were cut off" : ""} · ${took(answer.milliseconds)}`;
        const scans = answer.plan.filter((line) => /^SCAN (?!CONSTANT)/.test(line) && !/INDEX/.test(line)).length;
        fill(result, shown.node, answer.plan.length ? h("details.plan", h("summary", `Plan${scans ? `: reads ${scans === 1 ? "a table" : "tables"} from end to end` : ""}`), h("ul", answer.plan.map((line) => h("li.mono", line)))) : null);
    }

    server.get("/sql/tables", {}, { signal }).then((answer) => fill(tables, answer.tables.map((each) => h("details",
        h("summary", h("span.mono.cut", each.name), h("span.count", count(each.rows))),
        h("button.link", { onclick: () => {
            editor.value = `SELECT * FROM ${identifier(each.name)} LIMIT 100`;
            editor.dispatchEvent(new Event("input"));
            run();
        } }, "First 100 rows"),
        h("ul", each.columns.map((column) => h("li", h("span.mono", column.name), h("small.quiet", column.type))))))), (error) => { if (error.name !== "AbortError") fill(tables, problem(error)); });

    const remove = shortcuts.add({ keys: "Ctrl+Enter", says: "Run the SQL", run });
    signal.addEventListener("abort", remove, { once: true });
    if (router.now.params.sql && router.now.params.sql !== editor.value) editor.value = router.now.params.sql;
    if (router.now.params.sql) queueMicrotask(run);
    context.title("SQL");

    return {
        node: h("div.sql", h("div.bar", h("h1", "SQL"), runButton, h("kbd.kbd.only-wide", shortcuts.label("Ctrl+Enter")), facts, h("span.grow"), h("span.chip", "read only")),
            h("div.statement", h("label.visually-hidden", { for: id }, "Statement"), editor, hint), result),
        tables,
        focus: () => editor.focus(),
        destroy: () => shown?.destroy(),
    };
}
