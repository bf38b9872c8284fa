// A model's records as a table: columns from the schema, rows by pages, relations as links that open beside it.

import { h } from "../../parts/dom.js";
import { plural, count, shorten } from "../../parts/format.js";
import { person } from "../../parts/person.js";
import { pages, table } from "../../parts/table.js";
import { address } from "../../state/router.js";
import { caller } from "../../state/caller.js";
import { names } from "../../state/names.js";
import { server } from "../../state/server.js";
import { cellText } from "./values.js";
import { columnsOf, farEnd, fieldOf, isToMany, keyName, keyPath, keyText, nameField, newestFirst, targetKey, wordOf, wordsOf } from "./models.js";

const pageSize = 200;
/** What the server gives at once. */
const pageSizeMax = 500;
/** Relations are counted up to here. */
const relatedMax = 1000;
/** A cell shows no more of a text, however long it is. */
const cellLettersMax = 160;

/** As wide as a head is with its type. */
const headWidth = (field) => 24 + 8 * field.name.length + (field.kind === "relation" ? 0 : 7 * field.type.length + 8) + 16;

/** A width by type, until rows are there. */
function widthOf(model, field) {
    const head = headWidth(field);
    const body = {
        ID: 140, Int: 90, Float: 100, Boolean: 80, AWSDate: 112, AWSTime: 100, AWSDateTime: 140, AWSTimestamp: 140, AWSEmail: 200, AWSURL: 220, AWSPhone: 140, AWSIPAddress: 140, AWSJSON: 220,
    }[field.base] ?? (field.kind === "enum" ? 130 : field.kind === "relation" ? 120 : field.kind === "custom" ? 200 : nameField(model)?.name === field.name ? 260 : 180);
    return Math.min(Math.max(head, body), 320);
}

function relationCell(schema, model, field, row, path, params) {
    const to = [...path, ...keyPath(model, row.key), field.name];
    const target = schema.model(field.relation.model);
    if (isToMany(field)) {
        const number = row.related?.[field.name];
        if (number === undefined || number === null) return h("a.rel", { href: address("data", to, params()) }, "open");
        if (number === 0) return h("a.rel.none", { href: address("data", to, params()) }, `0 ${target ? wordsOf(target) : ""}`);
        const words = target ? plural(number, wordOf(target), wordsOf(target)) : count(number);
        return h("a.rel", { href: address("data", to, params()) }, number >= relatedMax ? `${count(relatedMax)} or more` : words);
    }
    const key = targetKey(schema, field, row.values);
    if (!key) return field.relation.kind === "belongsTo" ? h("span.null", "null") : h("a.rel", { href: address("data", to, params()) }, "open");
    return h("a.rel", { href: address("data", [...to, ...keyPath(target, key)], params()) }, keyText(target, key));
}

function valueCell(field, value) {
    const text = cellText(field, value);
    if (text === null) return h("span.null", "null");
    if (text === "") return h("span.null", field.isList ? "[ ]" : "“ ”");
    if (field.kind === "enum" && !field.isList) return h("span.chip", shorten(text, cellLettersMax));
    return shorten(text, cellLettersMax);
}

const isHidden = (row, name) => row.hidden === true || (Array.isArray(row.hidden) && row.hidden.includes(name));

/** The columns of a model's table. `path` leads to it, `params` are what stays in the address. */
export function columnsFor(schema, model, path, params, { without = [], join = null } = {}) {
    const fields = columnsOf(model).filter((field) => !without.includes(field.name));
    // Of joins nobody wants the join itself first, but who is joined.
    if (join) fields.sort((one, other) => Number(other === join) - Number(one === join));
    return fields.map((field) => {
        const isNumeric = !field.isList && (field.base === "Int" || field.base === "Float") && field.kind === "scalar";
        return {
            name: field.name, title: field.name, kind: field.kind === "relation" ? null : field.type, width: widthOf(model, field), numeric: isNumeric,
            mono: field.kind !== "relation" && !field.isList && (field.base === "ID" || field.base === "AWSJSON" || field.kind === "custom"),
            sort: field.column && !field.isList && field.kind !== "custom",
            tone: (row) => (isHidden(row, field.name) ? "hidden" : null),
            cell: (row) => (isHidden(row, field.name) ? h("span", { title: `Hidden from ${caller.label}` }, "hidden")
                : field.isOwner && typeof row.values[field.name] === "string" ? person(row.values[field.name])
                : field.kind === "relation" ? relationCell(schema, model, field, row, path, params) : valueCell(field, row.values[field.name])),
        };
    });
}

/** Widths by what the first page holds: they are set before it is drawn, and stay. */
export function fitColumns(columns, model, rows) {
    return columns.map((column) => {
        const field = fieldOf(model, column.name);
        const isCounted = field.kind === "relation";
        const longest = rows.slice(0, 60).reduce((most, row) => Math.max(most, isCounted ? wordsOf({ name: field.relation.model }).length + 4 : (cellText(field, row.values[field.name]) ?? "null").length), 4);
        const body = 28 + longest * (column.mono ? 7.4 : field.kind === "enum" ? 8.6 : 6.9);
        // Identifiers are long, and seldom what tells records apart.
        return { ...column, width: Math.round(Math.min(Math.max(headWidth(field), body), field.base === "ID" ? 150 : 300)) };
    });
}

/** Rows of a model, page by page. `query()` gives filters and order; `seen(total, isEstimate)` is told how many there are. */
export const rowsSource = (model, query, { seen, first } = {}) => pages({
    size: pageSize, most: pageSizeMax,
    load: async (from, size, cursor, signal) => {
        await names.load();
        const answer = await server.post("/rows", { model: model.name, as: caller.as, ...query(), limit: size, cursor, related: true }, { signal });
        seen?.(answer.total, answer.isEstimate);
        if (from === 0) first?.(answer.rows);
        return { rows: answer.rows, total: answer.isEstimate ? null : answer.total, cursor: answer.next };
    },
});

/** The table of records that belong to another one, for the panel beside. */
export function relatedTable({ schema, step, filter, path, params, onopen, empty }) {
    const { model, field } = step;
    const join = field.relation.through ? farEnd(model, field) : null;
    const without = [...field.relation.targetFields, ...model.fields.filter((each) => each.kind === "relation" && each !== join && each.relation.fields.some((name) => field.relation.targetFields.includes(name))).map((each) => each.name)];
    const columns = columnsFor(schema, model, path, params, { without: without.filter((name) => !fieldOf(model, name)?.isKey), join });
    const grid = table({
        label: `${field.name} of ${step.parent.model.name} ${keyText(step.parent.model, step.parent.key)}`,
        columns, source: rowsSource(model, () => ({ filter, match: "all", sort: newestFirst(model) ? [{ field: newestFirst(model).name, descending: true }] : [] }), { first: (rows) => { grid.columns = fitColumns(columns, model, rows); } }),
        key: (row) => keyName(model, row.key), onopen, empty,
    });
    return grid;
}
