// The schema as a list to walk: a field's type opens in place, a tick puts the field into the query. It is one stop for Tab; arrows move,
// Right opens, Space ticks. Below it stands what the schema says of the line that one is at.

import { fill, freshId, h, later, measure } from "../../parts/dom.js";
import { count } from "../../parts/format.js";
import { isRequired, named } from "../../language/schema.js";

const rowHeight = 28;
const overscan = 10;
const titles = { query: "Queries", mutation: "Mutations", subscription: "Subscriptions" };

export function tree({ ontick }) {
    const id = freshId("tree");
    const open = new Set(["query", "mutation", "subscription"]);
    let schema = null;
    let ticks = new Set();
    let rows = [];
    let at = 0;
    let drawn = "";

    const search = h("input.in", { type: "search", placeholder: "Search the schema", "aria-label": "Search the schema" });
    const part = h("div.window", { role: "presentation" });
    const space = h("div.space", { role: "presentation" }, part);
    const list = h("div.tree", { role: "tree", tabIndex: 0, "aria-label": "Schema", "aria-multiselectable": "true" }, space);
    const about = h("div.about", { "aria-live": "off" });
    const node = h("div.docs", h("div.search", search), list, about);

    const children = (row) => {
        const type = schema.type(row.type ?? "");
        const { depth, path } = row;
        const made = [];
        for (const arg of row.args ?? []) {
            made.push({ key: `${row.key}(${arg.name})`, kind: "argument", label: arg.name, type: arg.type, about: arg.description, depth: depth + 1, path: path && [...path, `(${arg.name})`], isRequired: isRequired(arg.type) });
        }
        if (type?.fields) for (const field of type.fields.values()) made.push(fieldRow(field, depth + 1, `${row.key}/${field.name}`, path && [...path, field.name], type));
        if (type?.kind === "union") for (const name of type.members) made.push(typeRow(schema.types.get(name), depth + 1, `${row.key}/${name}`));
        if (type?.inputs && row.kind !== "argument-open") for (const input of type.inputs.values()) made.push({ key: `${row.key}.${input.name}`, kind: "input", label: input.name, type: input.type, about: input.description, depth: depth + 1, isOpenable: Boolean(schema.type(input.type)?.inputs) });
        if (type?.kind === "enum") for (const value of type.values) made.push({ key: `${row.key}.${value.name}`, kind: "value", label: value.name, depth: depth + 1, about: value.description });
        return made;
    };
    const opens = (type, args) => {
        const definition = schema.type(type);
        return Boolean(args?.length || definition?.fields || definition?.inputs || definition?.kind === "enum");
    };
    const fieldRow = (field, depth, key, path, parent) => ({ key, kind: "field", label: field.name, type: field.type, args: field.args, about: field.description, deprecated: field.deprecated, depth, path, parent: parent?.name, isOpenable: opens(field.type, field.args) });
    const typeRow = (type, depth, key) => ({ key, kind: "type", label: type.name, detail: type.kind, type: type.name, about: type.description, depth, isOpenable: opens(type.name) });

    const build = () => {
        if (!schema) return;
        const needle = search.value.trim().toLowerCase();
        rows = [];
        const put = (row) => {
            rows.push(row);
            if (open.has(row.key) && row.isOpenable) for (const child of children(row)) put(child);
        };
        for (const [operation, title] of Object.entries(titles)) {
            const root = schema.root(operation);
            if (!root) continue;
            const fields = [...root.fields.values()].filter((field) => !needle || field.name.toLowerCase().includes(needle) || named(field.type).toLowerCase().includes(needle));
            if (!fields.length) continue;
            rows.push({ key: operation, kind: "group", label: title, depth: 0, isOpenable: true, number: fields.length });
            if (open.has(operation) || needle) for (const field of fields) put(fieldRow(field, 1, `${operation}/${field.name}`, [operation, field.name], root));
        }
        const roots = new Set(Object.values(schema.roots));
        const types = [...schema.types.values()].filter((type) => !roots.has(type.name) && (!needle || type.name.toLowerCase().includes(needle) || [...(type.fields?.keys() ?? [])].some((name) => name.toLowerCase() === needle)));
        if (types.length) {
            rows.push({ key: "types", kind: "group", label: "Types", depth: 0, isOpenable: true, number: types.length });
            if (open.has("types") || needle) for (const type of types) put(typeRow(type, 1, `types/${type.name}`));
        }
        at = Math.min(at, Math.max(0, rows.length - 1));
        draw();
    };
    const isTicked = (row) => (row.path ? ticks.has(row.path.at(-1).startsWith("(") ? row.path.slice(0, -1).join("/") + row.path.at(-1) : row.path.join("/")) : false);
    const rowNode = (row, index) => {
        const isOn = isTicked(row);
        const hasBox = Boolean(row.path) && row.kind !== "group";
        const line = h("div.tree-row", {
            role: "treeitem", id: `${id}-${index}`, "aria-level": row.depth + 1, "aria-expanded": row.isOpenable ? String(open.has(row.key) || (row.kind === "group" && Boolean(search.value))) : null,
            "aria-checked": hasBox ? String(isOn) : null, "aria-selected": String(index === at), class: `is-${row.kind} ${isOn ? "on" : ""} ${index === at ? "at" : ""}`, dataset: { index },
        },
        h("span.opener", { "aria-hidden": "true" }, row.isOpenable ? (open.has(row.key) || (row.kind === "group" && search.value) ? "▾" : "▸") : ""),
        hasBox ? h("span.box", { "aria-hidden": "true" }, isOn ? "✓" : "") : null,
        h("span.label.cut", { class: row.deprecated ? "deprecated" : "" }, row.label),
        row.number ? h("span.count", count(row.number)) : h("span.detail.cut", row.detail ?? (row.kind === "type" ? "" : (row.type ?? "").replace(/^Model\w*Connection!?$/, "Connection"))));
        measure(line, { "padding-left": `${8 + Math.max(0, row.depth - 1) * 12}px` });
        return line;
    };
    const draw = () => {
        drawn = "";
        measure(space, { height: `${rows.length * rowHeight}px` });
        scroll();
        tell();
    };
    const scroll = () => {
        const height = list.clientHeight || 600;
        const from = Math.max(0, Math.floor(list.scrollTop / rowHeight) - overscan);
        const to = Math.min(rows.length, Math.ceil((list.scrollTop + height) / rowHeight) + overscan);
        if (drawn === `${from}/${to}`) return;
        drawn = `${from}/${to}`;
        measure(part, { transform: `translateY(${from * rowHeight}px)` });
        fill(part, rows.length ? rows.slice(from, to).map((row, index) => rowNode(row, from + index)) : h("p.pad.quiet", schema ? "Nothing is called that." : ""));
        if (document.getElementById(`${id}-${at}`)) list.setAttribute("aria-activedescendant", `${id}-${at}`);
        else list.removeAttribute("aria-activedescendant");
    };
    const tell = () => {
        const row = rows[at];
        if (!row || row.kind === "group") {
            fill(about);
            about.hidden = true;
            return;
        }
        about.hidden = false;
        const type = row.type ? schema.type(row.type) : null;
        fill(about,
            h("h3", h("code", row.parent ? `${row.parent}.${row.label}` : row.label), row.type && row.kind !== "type" ? [" ", h("code.quiet", row.type)] : null),
            row.deprecated ? h("p", h("b", "Deprecated: "), row.deprecated) : null,
            row.about ? h("p", row.about) : null,
            row.args?.length ? h("p.quiet", "Takes ", row.args.map((arg, index) => [index ? ", " : "", h("code", `${arg.name}: ${arg.type}`)])) : null,
            type?.kind === "enum" ? h("p.quiet", "One of ", h("code", type.values.map((value) => value.name).join(", "))) : null,
            type && row.kind !== "type" && type.description ? h("p.quiet", `${type.name}: ${type.description}`) : null,
            type && !["scalar", "enum"].includes(type.kind) && row.kind !== "type" ? h("button.plain", { onclick: () => show(type.name) }, `Show ${type.name}`) : null);
    };
    const show = (name) => {
        search.value = "";
        open.add("types");
        open.add(`types/${name}`);
        build();
        const index = rows.findIndex((row) => row.key === `types/${name}`);
        if (index >= 0) {
            move(index);
            list.scrollTop = index * rowHeight;
        }
    };
    const move = (to) => {
        at = Math.max(0, Math.min(rows.length - 1, to));
        const top = at * rowHeight;
        if (top < list.scrollTop) list.scrollTop = top;
        else if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
        drawn = "";
        scroll();
        tell();
    };
    const toggle = (index, isOpen) => {
        const row = rows[index];
        if (!row?.isOpenable) return;
        if (isOpen ?? !open.has(row.key)) open.add(row.key);
        else open.delete(row.key);
        build();
    };
    const tickRow = (index) => {
        const row = rows[index];
        if (!row?.path) return;
        ontick(row.path, !isTicked(row));
    };

    list.addEventListener("click", (event) => {
        const line = event.target.closest("[data-index]");
        if (!line) return;
        const index = Number(line.dataset.index);
        const row = rows[index];
        move(index);
        if (event.target.closest(".box")) tickRow(index);
        else if (row.isOpenable) toggle(index);
        else if (row.path) tickRow(index);
    });
    list.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const row = rows[at];
        const run = {
            ArrowDown: () => move(at + 1), ArrowUp: () => move(at - 1), Home: () => move(0), End: () => move(rows.length - 1),
            PageDown: () => move(at + 12), PageUp: () => move(at - 12),
            ArrowRight: () => (row?.isOpenable && !open.has(row.key) ? toggle(at, true) : move(at + 1)),
            ArrowLeft: () => {
                if (row?.isOpenable && open.has(row.key)) toggle(at, false);
                else for (let up = at - 1; up >= 0; up -= 1) if (rows[up].depth < row.depth) { move(up); break; }
            },
            " ": () => tickRow(at), Enter: () => (row?.path ? tickRow(at) : toggle(at)),
        }[event.key];
        if (!run) return;
        event.preventDefault();
        event.stopPropagation();
        run();
    });
    list.addEventListener("scroll", scroll, { passive: true });
    if ("ResizeObserver" in globalThis) new ResizeObserver(() => { drawn = ""; scroll(); }).observe(list);
    const buildSoon = later(80, () => { list.scrollTop = 0; at = 0; build(); });
    search.addEventListener("input", buildSoon);
    search.addEventListener("keydown", (event) => {
        if (event.key === "ArrowDown") {
            event.preventDefault();
            list.focus();
        } else if (event.key === "Escape" && search.value) {
            event.stopPropagation();
            search.value = "";
            build();
        }
    });
    about.hidden = true;

    return {
        node, search,
        set schema(next) {
            schema = next;
            // Of a large schema the lists begin closed but the first.
            if (next.root("query")?.fields.size > 400) for (const each of ["mutation", "subscription"]) open.delete(each);
            build();
        },
        set ticks(next) {
            ticks = next;
            drawn = "";
            scroll();
        },
    };
}
