// A table that is a window over its rows: 10,000 scroll like 50, and rows that are not there yet are asked for. It is one stop for Tab;
// in it arrows move from cell to cell, Enter opens, Space chooses.

import { fill, freshId, h, measure } from "./dom.js";
import { busy, problem } from "./notice.js";

const rowHeight = 32;
const headHeight = 32;
/** Rows made beyond what is seen. */
const overscan = 12;

/** Rows in memory; `get` gives the array as it is now. */
export function list(get) {
    return { count: () => get().length, row: (index) => get()[index], want() {}, isDone: () => true, begin: () => Promise.resolve(), total: () => get().length };
}

/** Rows by pages: `load(from, size, cursor, signal)` gives `{ rows, total, cursor }`; without a cursor it was the last page. Who jumps far gets pages of `most`. */
export function pages({ size = 100, most = size, load }) {
    let rows = [];
    let total = null;
    let cursor = null;
    let isDone = false;
    let loading = null;
    let turn = 0;
    let control = new AbortController();

    const one = async (at, from, next, wanted = 0) => {
        const page = await load(from, wanted > size * 2 ? most : size, next, control.signal);
        if (at !== turn) return false;
        if (from === 0) rows = [];
        rows.push(...page.rows);
        total = page.total ?? null;
        cursor = page.cursor ?? null;
        isDone = cursor === null || page.rows.length === 0;
        return true;
    };
    return {
        count: () => (isDone ? rows.length : Math.max(rows.length, total ?? rows.length + 1)),
        row: (index) => rows[index],
        rows: () => rows,
        total: () => (isDone ? rows.length : total),
        isDone: () => isDone,
        /** The first page; what was there stays until it is here. */
        begin() {
            control.abort();
            control = new AbortController();
            turn += 1;
            isDone = false;
            const at = turn;
            loading = one(at, 0, null).finally(() => { if (at === turn) loading = null; });
            return loading;
        },
        /** Sees to it that rows up to `to` come; gives a promise where something has to. */
        want(to) {
            if (isDone || loading || to <= rows.length) return null;
            const at = turn;
            loading = (async () => {
                while (at === turn && !isDone && rows.length < to) if (!await one(at, rows.length, cursor, to - rows.length)) return;
            })().finally(() => { if (at === turn) loading = null; });
            return loading;
        },
        stop() {
            control.abort();
            turn += 1;
        },
    };
}

/** The table; see the top. `steady` rows never change: one that moves is the same node. */
export function table(options) {
    const { label, key = (row, index) => index, onopen, onsort, choose = false, empty, onchoose, rowClass, onmove, steady = false } = options;
    let { columns, source, sorted } = options;
    const prefix = freshId("grid");
    const chosen = new Set();
    let selected = null;
    let active = { row: 0, column: 0 };
    let drawn = null;

    const head = h("tr", { "aria-rowindex": 1 });
    const above = h("tr.space", { "aria-hidden": "true" }, h("td"));
    const below = h("tr.space", { "aria-hidden": "true" }, h("td"));
    const body = h("tbody");
    const widths = h("colgroup");
    const grid = h("table.rows", { role: "grid", "aria-label": label, tabIndex: 0, "aria-multiselectable": choose ? "true" : null }, widths, h("thead", head), body);
    const scroller = h("div.scroller", grid);
    const note = h("div.note", { hidden: true });
    const node = h("div.table", scroller, note);
    const offset = choose ? 1 : 0;

    const allChosen = h("input", { type: "checkbox", "aria-label": "Choose all that are loaded" });
    allChosen.addEventListener("change", () => {
        chosen.clear();
        if (allChosen.checked) for (let index = 0; index < source.count(); index += 1) {
            const row = source.row(index);
            if (row !== undefined) chosen.add(key(row, index));
        }
        onchoose?.(chosen);
        draw();
    });

    const isNarrow = () => matchMedia("(max-width: 900px)").matches;
    /** `narrow` is the width of a column under 900 px. */
    const widthOf = (column) => (isNarrow() && column.narrow ? column.narrow : column.width ?? 160);
    const drawHead = () => {
        fill(widths, choose ? measure(h("col"), { width: "36px" }) : null,
            columns.map((column) => measure(h("col", { class: column.optional ? "only-wide" : "" }), column.grows ? {} : { width: `${widthOf(column)}px` })));
        fill(head, choose ? h("th.box", { role: "columnheader" }, allChosen) : null, columns.map((column) => {
            const direction = sorted?.name === column.name ? sorted.direction : null;
            const words = [column.title ?? column.name, column.kind ? h("small", column.kind) : null];
            return h("th", {
                role: "columnheader", scope: "col", class: `${column.numeric ? "num" : ""} ${column.optional ? "only-wide" : ""}`,
                "aria-sort": direction ? (direction === "down" ? "descending" : "ascending") : null,
            }, column.sort && onsort
                ? h("button.sort", { dataset: { key: `sort-${column.name}` }, onclick: () => sort(column) }, h("span.cut", words), h("span.arrow", { "aria-hidden": "true" }, direction ? (direction === "down" ? "↓" : "↑") : ""))
                : h("span.cut", words));
        }));
        const least = columns.reduce((sum, column) => sum + (isNarrow() && column.optional ? 0 : widthOf(column)), choose ? 36 : 0);
        measure(grid, { "min-width": `${least}px` });
        grid.setAttribute("aria-colcount", columns.length + offset);
    };
    const sort = (column) => {
        const direction = sorted?.name === column.name && sorted.direction === "up" ? "down" : "up";
        sorted = { name: column.name, direction };
        drawHead();
        onsort(column, direction);
    };

    const cellId = (row, column) => `${prefix}-${row}-${column}`;
    const rowNode = (index) => {
        const row = source.row(index);
        if (row === undefined) {
            return h("tr.waiting", { "aria-rowindex": index + 2 }, choose ? h("td") : null,
                columns.map((column, at) => h("td", { class: column.optional ? "only-wide" : "" }, at === 0 ? "…" : "")));
        }
        const name = key(row, index);
        const isSelected = selected !== null && name === selected;
        const tr = h("tr", { role: "row", "aria-rowindex": index + 2, "aria-selected": String(choose ? chosen.has(name) : isSelected), class: `${isSelected ? "on" : ""} ${rowClass?.(row) ?? ""}`, dataset: { index } },
            choose ? h("td.box", { role: "gridcell", id: cellId(index, 0) }, h("input", { type: "checkbox", checked: chosen.has(name), tabIndex: -1, "aria-label": `Choose row ${index + 1}` })) : null,
            columns.map((column, at) => {
                const tone = column.tone?.(row) ?? null;
                return h("td", {
                    role: "gridcell", id: cellId(index, at + offset),
                    class: `${column.numeric ? "num" : ""} ${column.optional ? "only-wide" : ""} ${column.mono ? "mono" : ""} ${tone === "hidden" ? "hid" : tone ?? ""}`,
                }, column.cell ? column.cell(row, index) : row[column.name] ?? "");
            }));
        for (const stop of tr.querySelectorAll("a, button, input")) stop.tabIndex = -1;
        rowsOf.set(tr, row);
        return tr;
    };
    /** The same row at another place: what is pressed or spoken while rows come in above stays the same node. */
    const moveNode = (tr, index) => {
        const row = source.row(index);
        const isSelected = selected !== null && key(row, index) === selected;
        tr.classList.toggle("on", isSelected);
        if (!choose) tr.setAttribute("aria-selected", String(isSelected));
        if (Number(tr.dataset.index) === index) return tr;
        tr.dataset.index = index;
        tr.setAttribute("aria-rowindex", index + 2);
        [...tr.children].forEach((cell, at) => { cell.id = cellId(index, at); });
        return tr;
    };

    /** The rows that are drawn, by their index: what scrolls on is kept. */
    let made = new Map();
    const rowsOf = new WeakMap();
    const draw = () => {
        drawn = null;
        if (!steady) made = new Map();
        scroll();
    };
    const scroll = () => {
        const number = source.count();
        const height = scroller.clientHeight || 400;
        const from = Math.max(0, Math.floor(scroller.scrollTop / rowHeight) - overscan);
        const to = Math.min(number, Math.ceil((scroller.scrollTop + height) / rowHeight) + overscan);
        const waited = source.want(Math.min(number, to));
        if (waited) waited.then(draw, (error) => fail(error, draw));
        const state = `${from}/${to}/${number}`;
        if (state === drawn) return;
        drawn = state;
        measure(above.firstChild, { height: `${from * rowHeight}px` });
        measure(below.firstChild, { height: `${Math.max(0, number - to) * rowHeight}px` });
        const kept = new Map();
        const byRow = steady ? new Map([...made.values()].map((node) => [rowsOf.get(node), node])) : null;
        for (let index = from; index < to; index += 1) {
            if (steady) {
                const there = byRow.get(source.row(index));
                kept.set(index, there ? moveNode(there, index) : rowNode(index));
                continue;
            }
            const known = made.get(index);
            kept.set(index, known && (known.dataset.index !== undefined || source.row(index) === undefined) ? known : rowNode(index));
        }
        const stays = new Set(kept.values());
        if (![...made.values()].some((node) => stays.has(node))) body.replaceChildren(above, ...stays, below);
        else {
            for (const node of made.values()) if (!stays.has(node)) node.remove();
            if (above.parentNode !== body) body.prepend(above);
            if (below.parentNode !== body) body.append(below);
            let place = above.nextSibling;
            for (const node of kept.values()) {
                if (node === place) place = place.nextSibling;
                else body.insertBefore(node, place);
            }
        }
        made = kept;
        grid.setAttribute("aria-rowcount", source.isDone() ? number + 1 : (source.total() ?? -2) + 1);
        note.hidden = number > 0 || !source.isDone();
        if (!note.hidden) fill(note, empty?.() ?? "Nothing here.");
        mark();
    };
    const fail = (error, retry) => {
        if (error?.name === "AbortError") return;
        note.hidden = false;
        fill(note, problem(error, () => {
            note.hidden = true;
            retry();
        }));
    };
    const mark = () => {
        for (const each of body.querySelectorAll(".active")) each.classList.remove("active");
        const cell = document.getElementById(cellId(active.row, active.column));
        if (cell) {
            cell.classList.add("active");
            grid.setAttribute("aria-activedescendant", cell.id);
        } else grid.removeAttribute("aria-activedescendant");
    };
    const move = (row, column) => {
        const number = source.count();
        if (!number) return;
        const shown = [...Array(columns.length + offset).keys()].filter((at) => at < offset || !columns[at - offset].optional || !isNarrow());
        const to = shown.includes(column) ? column : column < active.column ? shown.findLast((at) => at <= column) ?? shown[0] : shown.find((at) => at >= column) ?? shown.at(-1);
        active = { row: Math.max(0, Math.min(number - 1, row)), column: to };
        const top = active.row * rowHeight;
        const height = scroller.clientHeight - headHeight;
        if (top < scroller.scrollTop) scroller.scrollTop = top;
        else if (top + rowHeight > scroller.scrollTop + height) scroller.scrollTop = top + rowHeight - height;
        scroll();
        mark();
        document.getElementById(cellId(active.row, active.column))?.scrollIntoView({ block: "nearest", inline: "nearest" });
        const there = source.row(active.row);
        if (there !== undefined) onmove?.(there, active.row);
    };
    const openRow = (index) => {
        const row = source.row(index);
        if (row === undefined) return;
        selected = key(row, index);
        draw();
        onopen?.(row, index);
    };
    const toggle = (index) => {
        const row = source.row(index);
        if (row === undefined) return;
        const name = key(row, index);
        if (chosen.has(name)) chosen.delete(name);
        else chosen.add(name);
        onchoose?.(chosen);
        draw();
    };

    grid.addEventListener("keydown", (event) => {
        if (event.target !== grid || event.ctrlKey || event.metaKey || event.altKey) return;
        const page = Math.max(1, Math.floor(scroller.clientHeight / rowHeight) - 2);
        const run = {
            ArrowDown: () => move(active.row + 1, active.column),
            ArrowUp: () => move(active.row - 1, active.column),
            ArrowRight: () => move(active.row, active.column + 1),
            ArrowLeft: () => move(active.row, active.column - 1),
            PageDown: () => move(active.row + page, active.column),
            PageUp: () => move(active.row - page, active.column),
            Home: () => move(0, active.column),
            End: () => move(source.count() - 1, active.column),
            Enter: () => {
                const within = document.getElementById(cellId(active.row, active.column))?.querySelector("a, button");
                if (within) within.click();
                else openRow(active.row);
            },
            " ": choose ? () => toggle(active.row) : null,
        }[event.key];
        if (!run) return;
        event.preventDefault();
        event.stopPropagation();
        run();
    });
    grid.addEventListener("click", (event) => {
        const cell = event.target.closest("td");
        const tr = cell?.closest("tr[data-index]");
        if (!tr) return;
        const index = Number(tr.dataset.index);
        active = { row: index, column: [...tr.children].indexOf(cell) };
        mark();
        if (cell.classList.contains("box")) {
            if (event.target !== cell) event.preventDefault();
            toggle(index);
        } else if (!event.target.closest("a, button, input")) openRow(index);
    });
    scroller.addEventListener("scroll", scroll, { passive: true });
    let wasNarrow = isNarrow();
    const observer = "ResizeObserver" in globalThis ? new ResizeObserver(() => {
        if (wasNarrow !== isNarrow()) drawHead();
        wasNarrow = isNarrow();
        draw();
    }) : null;
    observer?.observe(scroller);

    drawHead();
    const self = {
        node, scroller, chosen,
        get selected() { return selected; },
        get activeRow() { return source.row(active.row); },
        get source() { return source; },
        /** Rows in memory have changed. `shift` rows came before those that are seen: what is seen keeps its place. */
        refresh(shift = 0) {
            if (shift && scroller.scrollTop > 0) scroller.scrollTop += shift * rowHeight;
            if (shift) active = { ...active, row: active.row + (grid === document.activeElement ? shift : 0) };
            draw();
        },
        /** Asks again; the old rows are seen until the new ones are there. */
        reload({ keep = false } = {}) {
            if (!keep) scroller.scrollTop = 0;
            note.hidden = true;
            return busy(node, source.begin()).then(draw, (error) => fail(error, () => self.reload({ keep })));
        },
        select(name) {
            selected = name;
            draw();
        },
        focus() {
            grid.focus({ preventScroll: true });
        },
        set columns(next) {
            columns = next;
            drawHead();
            draw();
        },
        set sorted(next) {
            sorted = next;
            drawHead();
        },
        set source(next) {
            source.stop?.();
            source = next;
            active = { row: 0, column: active.column };
        },
        destroy() {
            observer?.disconnect();
            source.stop?.();
        },
    };
    if (source.isDone()) draw();
    else self.reload();
    return self;
}
