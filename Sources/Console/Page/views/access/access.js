// Access: model × operation × kind of caller, from the evaluator that decides requests. A cell opens its rules; "Who can see this record?"
// takes an id.

import { fill, h, later } from "../../parts/dom.js";
import { chip } from "../../parts/chip.js";
import { placeLink, rules } from "../../parts/denial.js";
import { choice, field, form, input } from "../../parts/form.js";
import { plural } from "../../parts/format.js";
import { announce, busy, empty, problem } from "../../parts/notice.js";
import { list, table } from "../../parts/table.js";
import { who } from "../../parts/who.js";
import { caller } from "../../state/caller.js";
import { link, router } from "../../state/router.js";
import { schema as schemaState } from "../../state/schema.js";
import { server } from "../../state/server.js";

const verdicts = {
    all: ["yes", "✓", "all"], own: ["partly", "◐", "own"], some: ["partly", "◐", "some"], none: ["none", "–", ""],
};
const says = {
    all: "may, for every record", own: "may, for their own records", some: "may, for some records or some fields", none: "may not",
};

function mount(place, context) {
    let matrix = null;
    let mine = null;
    let mineWord = null;
    let rows = [];
    let shown = "";

    const search = h("input.in.search", { type: "search", placeholder: "Filter models", "aria-label": "Filter models", value: context.route.params.search ?? "" });
    const side = h("aside.side", { "aria-label": "Why" });
    const split = h("div.split.whole");
    const recordButton = h("button", { onclick: () => router.go("access", ["record"], context.route.params), "aria-label": "Who can see this record?" }, h("span.only-wide", "Who can see this record?"), h("span.only-narrow", "A record"));
    const grid = table({
        label: "Who may do what", columns: [], source: list(() => rows), key: (row) => row.key, rowClass: (row) => (row.isFirst ? "first" : "within"),
        empty: () => (matrix ? empty(context.route.params.search ? "No model is called that." : "There is no model yet. A type with @model in the schema makes one.") : empty("")),
    });
    const matrixNode = h("div.matrix", grid.node, h("p.legend", h("span", "✓ all records"), h("span", "◐ own: records of which the caller is the owner"), h("span", "◐ some: some records, or some fields"), h("span", "– none"), h("span", "* fields differ"), h("span", "listen: subscriptions")));
    fill(split, matrixNode, side);
    side.hidden = true;
    fill(place, h("div.bar", h("h1", "Who may do what"), h("span.only-wide", chip("computed by the rules in force")), search, h("span.grow"), recordButton), split);

    const columnsOf = () => {
        const callers = [...(mine ? [{ id: "as", label: caller.label, as: caller.as, isMine: true }] : []), ...matrix.callers];
        return callers.map((one, index) => ({ ...one, index }));
    };
    const cellOf = (row, one) => (one.isMine ? row.mine : row.cells[one.index - (mine ? 1 : 0)]);
    const cellNode = (row, one) => {
        const cell = cellOf(row, one);
        if (!cell) return "";
        const [tone, sign, word] = verdicts[cell.verdict] ?? verdicts.none;
        const isOpen = context.route.path[0] === row.model && context.route.path[1] === row.operation && context.route.path[2] === one.id;
        return h("button.cell", {
            class: `${tone} ${isOpen ? "on" : ""}`, onclick: () => router.go("access", [row.model, row.operation, one.id], context.route.params),
            "aria-label": `${row.model} ${row.operation}, ${one.label}: ${says[cell.verdict] ?? cell.verdict}${cell.fields?.length ? `, ${plural(cell.fields.length, "field")} differ` : ""}`,
        }, h("span", { "aria-hidden": "true" }, sign), word, cell.fields?.length ? h("span.differs", { "aria-hidden": "true", title: `${plural(cell.fields.length, "field")} differ` }, "*") : null);
    };
    const build = () => {
        if (!matrix) return;
        const needle = (context.route.params.search ?? "").toLowerCase();
        rows = [];
        for (const model of matrix.models) {
            if (!model.name.toLowerCase().includes(needle)) continue;
            const own = mine?.models.find((one) => one.name === model.name);
            model.rows.forEach((row, index) => rows.push({
                key: `${model.name}/${row.operation}`, model: model.name, operation: row.operation, cells: row.cells, isFirst: index === 0,
                mine: own?.rows.find((one) => one.operation === row.operation), warnings: (model.warnings ?? []).filter((warning) => warning.operation === row.operation || (!warning.operation && index === 0)), place: model.place,
            }));
        }
        for (const operation of matrix.operations ?? []) {
            if (!operation.name.toLowerCase().includes(needle)) continue;
            rows.push({ key: `${operation.type}/${operation.name}`, model: operation.name, operation: operation.type, cells: operation.cells, isFirst: true, isCustom: true, mine: mine?.operations?.find((one) => one.type === operation.type && one.name === operation.name)?.cells[0], warnings: operation.warnings ?? [] });
        }
        grid.columns = [
            { name: "model", title: "", width: 132, narrow: 96, cell: (row) => (row.isFirst ? h("b", row.model) : "") },
            { name: "operation", title: "", width: 92, narrow: 84, cell: (row) => [h("span.quiet", row.operation), row.warnings.length ? h("button.warns", { "aria-label": `${plural(row.warnings.length, "warning")} about ${row.model} ${row.operation}`, title: row.warnings.map((each) => each.message).join("\n"), onclick: () => router.go("access", [row.model, row.operation, "warnings"], context.route.params) }, "◐") : null] },
            ...columnsOf().map((one) => ({ name: one.id, title: one.label, width: Math.min(152, Math.max(96, one.label.length * 7 + 20)), narrow: Math.min(120, Math.max(80, one.label.length * 7 + 12)), cell: (row) => cellNode(row, one) })),
            { name: "rest", title: "", width: 8, grows: true, cell: () => "" },
        ];
        grid.refresh();
    };

    const close = () => router.go("access", [], { search: context.route.params.search });
    const head = (...words) => h("header", h("h2", words), h("span.grow"), h("button.sign.plain", { onclick: close, "aria-label": "Close", dataset: { key: "close" } }, "×"));
    const operationName = (row) => {
        if (row.isCustom) return row.model;
        const model = schemaState.model(row.model);
        const names = model?.operations ?? {};
        return { read: names.list ?? names.get, get: names.get, list: names.list, sync: names.sync, search: names.search, create: names.create, update: names.update, delete: names.delete, listen: names.onCreate?.[0] }[row.operation] ?? null;
    };
    const drawCell = (model, operation, id) => {
        const row = rows.find((one) => one.model === model && one.operation === operation) ?? null;
        const one = columnsOf().find((each) => each.id === id);
        if (id === "warnings" && row) return fill(side, head(`${model} · ${operation}`), row.warnings.map(warning));
        if (!row || !one) return fill(side, head("Not there"), h("p.quiet", "The schema has no such model, operation or caller any more."));
        const cell = cellOf(row, one);
        const [tone] = verdicts[cell.verdict] ?? verdicts.none;
        const name = operationName(row);
        return fill(side, head(`${model} · ${operation} · ${one.label}`),
            h("p", chip(says[cell.verdict] ?? cell.verdict, tone === "none" ? "no" : tone)),
            cell.explanation?.length ? rules(cell.explanation) : h("p.quiet", "No rule speaks of this caller, and what no rule allows is denied."),
            cell.fields?.length ? [h("h3", "Fields that differ"), h("dl.facts", cell.fields.map((each) => [h("dt", h("code", each.name)), h("dd", chip(says[each.verdict] ?? each.verdict, (verdicts[each.verdict] ?? verdicts.none)[0] === "none" ? "no" : verdicts[each.verdict][0]), each.rules?.length ? h("span.small.quiet", ` ${each.rules.join(", ")}`) : null)]))] : null,
            row.warnings.map(warning),
            h("h3", "Try it"),
            h("div.row", name ? h("button", { onclick: () => { if (!one.isMine) caller.become(one.as); router.go("explorer", [], { operation: name, as: router.now.params.as }); } }, `Open ${name} as ${one.label}`) : null, one.isMine ? null : who(one.as, one.label)));
    };
    const warning = (one) => h("section.block.partly", h("h3", h("span", { "aria-hidden": "true" }, "◐ "), one.message), one.place ? h("footer", placeLink(one.place)) : null);

    // Who can see this record?
    const drawRecord = (path) => {
        const [model, ...key] = path;
        const models = schemaState.now?.models ?? [];
        const chosen = models.find((one) => one.name === model) ?? models[0];
        const answer = h("div.stack.answer");
        const fields = h("div.stack");
        const pick = field({ label: "Model", control: choice({ value: chosen?.name, options: models.map((one) => one.name), onchange: () => drawKeys(models.find((one) => one.name === pick.control.value)) }) });
        let keys = [];
        const drawKeys = (one, values = []) => {
            keys = (one?.key ?? ["id"]).map((name, index) => field({ label: name, kind: one?.fields.find((each) => each.name === name)?.type, control: input({ value: values[index] ?? "", class: "mono" }) }));
            fill(fields, keys.map((each) => each.node));
        };
        drawKeys(chosen, key);
        const ask = async (name, values) => {
            const one = models.find((each) => each.name === name);
            const record = Object.fromEntries((one?.key ?? ["id"]).map((each, index) => {
                const type = one?.fields.find((other) => other.name === each)?.base;
                return [each, type === "Int" || type === "Float" || type === "AWSTimestamp" ? Number(values[index]) : values[index]];
            }));
            try {
                const told = await busy(side, server.post("/access/record", { model: name, key: record }, { signal: context.signal }));
                fill(answer, told.callers.map(recordCaller), told.usersLeft ? h("p.quiet", `And ${plural(told.usersLeft, "user")} more of the pool.`) : null);
                announce(`${plural(told.callers.filter((each) => each.verdict !== "none").length, "caller")} can see it`);
            } catch (error) {
                if (error.name !== "AbortError") fill(answer, problem(error));
            }
        };
        fill(side, head("Who can see this record?"),
            form({
                fields: [pick, { node: fields }], submit: "Who can see it?",
                onsubmit: async () => {
                    const values = keys.map((each) => each.control.value.trim());
                    const missing = keys.find((each) => !each.control.value.trim());
                    if (missing) {
                        missing.error("Which record? Its key stands in Data, in the first columns.");
                        missing.control.focus();
                        return;
                    }
                    const to = ["record", pick.control.value, ...values];
                    if (to.join("/") === context.route.path.join("/")) await ask(pick.control.value, values);
                    else router.go("access", to, context.route.params);
                },
            }), answer);
        if (chosen && key.length) ask(chosen.name, key);
        else side.querySelector(".in:not(select)")?.focus();
    };
    const may = (value, word) => (value === true ? `may ${word}` : Array.isArray(value) ? `may ${word} ${value.join(", ")}` : null);
    const recordCaller = (one) => {
        const [tone] = verdicts[one.verdict] ?? verdicts.none;
        const rights = [may(one.may?.update, "change"), may(one.may?.delete, "delete")].filter(Boolean).join("; ");
        return h("details.caller", h("summary", h("span.grow.cut", h("b", one.label)), chip(one.verdict === "all" ? "sees all of it" : one.verdict === "none" ? "does not see it" : "sees a part", tone === "none" ? "no" : tone)),
            one.hidden?.length ? h("p", "Hidden: ", one.hidden.map((name, index) => [index ? ", " : "", h("code", name)])) : null,
            rights ? h("p.quiet", rights) : null,
            one.explanation?.length ? rules(one.explanation) : null, h("p", who(one.as, one.label)));
    };

    const drawSide = () => {
        const { path } = context.route;
        // Reading the same cell again is no reason to lose what was typed beside it.
        const now = JSON.stringify([path, schemaState.now?.version, path[0] === "record" ? null : [matrix !== null, mine !== null, caller.word]]);
        if (now === shown) return;
        shown = now;
        const isOpen = path.length > 0;
        side.hidden = !isOpen;
        split.classList.toggle("whole", !isOpen);
        if (!isOpen) return;
        if (path[0] === "record") drawRecord(path.slice(1));
        else if (matrix) drawCell(path[0], path[1], path[2]);
    };

    const load = () => busy(grid.node, server.get("/access", {}, { signal: context.signal })).then((answer) => {
        matrix = answer;
        build();
        drawSide();
    }, (error) => {
        if (error.name !== "AbortError") fill(split, h("div.pad", problem(error, () => { fill(split, matrixNode, side); load(); })));
    });
    const loadMine = () => {
        const { word } = caller;
        if (word === mineWord) return;
        mineWord = word;
        if (caller.isAdmin) {
            mine = null;
            build();
            return;
        }
        server.post("/access/as", { as: caller.as }, { signal: context.signal }).then((answer) => {
            if (mineWord !== word) return;
            mine = answer;
            build();
            drawSide();
        }, () => {
            // The bar says what is wrong with the caller; the matrix stands without them.
            if (mineWord === word) mine = null;
        });
    };
    const searchSoon = later(120, () => router.replace({ params: { search: search.value || null } }));
    search.addEventListener("input", searchSoon);
    context.shortcuts.add({ keys: "/", says: "Filter models", run: () => search.focus() });
    context.shortcuts.add({ keys: "Escape", says: "Close", run: () => { close(); grid.focus(); }, when: () => context.route.path.length > 0 });
    caller.watchDetail(() => { if (mine) build(); }, context.signal);
    let version = null;
    schemaState.watch((now) => {
        if (version !== null && version !== now.version) load();
        version = now.version;
        drawSide();
    }, context.signal);
    schemaState.load().catch(() => {});
    load();
    context.signal.addEventListener("abort", () => grid.destroy());

    return {
        update(route) {
            if (document.activeElement !== search) search.value = route.params.search ?? "";
            loadMine();
            build();
            drawSide();
        },
    };
}

export default { title: "Access", mount };
