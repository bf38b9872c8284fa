// JSON to read: coloured, numbered, folded where it is long, searched, copied. Lines beyond the window are not made: an answer of 100,000
// lines scrolls like one of 50.

import { fill, h, later, measure } from "./dom.js";
import { announce, toast } from "./notice.js";
import { count } from "./format.js";

const lineHeight = 20;
/** Lines made beyond what is seen, so that scrolling shows no gaps. */
const overscan = 20;

/** The lines of a value: { depth, parts: [[class, text]], end: number of the line that closes it }. `notes` are texts by paths, as JSON. */
function linesOf(value, notes) {
    const lines = [];
    const path = [];
    const put = (depth, parts, isFirst = true) => lines.push({ depth, parts, end: -1, note: notes && isFirst ? notes.get(JSON.stringify(path)) : undefined });
    const scalar = (each) => (typeof each === "string" ? ["s", JSON.stringify(each)] : each === null ? ["c", "null"] : ["n", String(each)]);
    const walk = (each, depth, before, comma) => {
        if (typeof each !== "object" || each === null) {
            put(depth, [...before, scalar(each), ["", comma]]);
            return;
        }
        const isArray = Array.isArray(each);
        const entries = isArray ? each : Object.entries(each);
        const [open, close] = isArray ? ["[", "]"] : ["{", "}"];
        if (!entries.length) {
            put(depth, [...before, ["", open + close + comma]]);
            return;
        }
        const at = lines.length;
        put(depth, [...before, ["", open]]);
        entries.forEach((entry, index) => {
            const behind = index + 1 < entries.length ? "," : "";
            path.push(isArray ? index : entry[0]);
            if (isArray) walk(entry, depth + 1, [], behind);
            else walk(entry[1], depth + 1, [["k", JSON.stringify(entry[0])], ["", ": "]], behind);
            path.pop();
        });
        put(depth, [["", close + comma]], false);
        lines[at].end = lines.length - 1;
        lines[at].size = entries.length;
    };
    walk(value, 0, [], "");
    return lines;
}

/** A value, shown. Beyond `lines` lines it is folded at first, from the inside out. */
export function json(value, { lines: linesMax = 200, label = "JSON", tools = [], notes = null } = {}) {
    const all = linesOf(value, notes);
    const folded = new Set();
    if (all.length > linesMax) {
        const depths = all.reduce((most, line) => Math.max(most, line.depth), 0);
        for (let depth = depths; depth > 0 && visibleCount() > linesMax; depth -= 1) {
            all.forEach((line, index) => { if (line.depth === depth && line.end > 0) folded.add(index); });
        }
    }
    let shown = visible();
    let needle = "";
    let hits = [];
    let hit = -1;

    function visibleCount() {
        let number = 0;
        for (let index = 0; index < all.length; index += 1) {
            number += 1;
            if (folded.has(index)) index = all[index].end;
        }
        return number;
    }
    function visible() {
        const list = [];
        for (let index = 0; index < all.length; index += 1) {
            list.push(index);
            if (folded.has(index)) index = all[index].end;
        }
        return list;
    }

    const part = h("div.window");
    const space = h("div.space", part);
    const scroller = h("div.scroller", { tabIndex: 0, role: "group", "aria-label": label }, space);
    const state = h("span.small.quiet");
    const search = h("input.in", { type: "search", placeholder: "Search", "aria-label": `Search in ${label}` });

    const fold = (index) => {
        if (folded.has(index)) folded.delete(index);
        else folded.add(index);
        shown = visible();
        draw();
    };
    const marked = (text, kind) => {
        if (!needle) return h("span", { class: kind }, text);
        const node = h("span", { class: kind });
        const low = text.toLowerCase();
        let from = 0;
        for (let at = low.indexOf(needle); at >= 0; at = low.indexOf(needle, from)) {
            node.append(text.slice(from, at), h("mark", text.slice(at, at + needle.length)));
            from = at + needle.length;
        }
        node.append(text.slice(from));
        return node;
    };
    const lineNode = (index) => {
        const line = all[index];
        const isFolded = folded.has(index);
        const folder = line.end > 0
            ? h("button.fold", { onclick: () => fold(index), "aria-label": `${isFolded ? "Unfold" : "Fold"} line ${index + 1}`, "aria-expanded": String(!isFolded), tabIndex: -1 }, isFolded ? "▸" : "▾") : h("span.fold");
        const node = h("div.line", { class: hits[hit] === index ? "hit" : "" }, h("span.number", { "aria-hidden": "true" }, index + 1), folder,
            h("code", line.parts.map(([kind, text]) => text && marked(text, kind)),
                isFolded ? h("button.more", { onclick: () => fold(index), tabIndex: -1 }, ` ${count(line.size)} ${all[line.end].parts[0][1].startsWith("]") ? (line.size === 1 ? "item" : "items") : (line.size === 1 ? "field" : "fields")} ${all[line.end].parts[0][1]}`) : null), line.note ? h("span.note", "– ", line.note) : null);
        measure(node.querySelector("code"), { "padding-left": `${line.depth * 2}ch` });
        return node;
    };
    let drawn = [-1, -1, 0];
    const draw = () => {
        measure(space, { height: `${shown.length * lineHeight + 16}px` });
        drawn = [-1, -1, 0];
        scroll();
    };
    const scroll = () => {
        const height = scroller.clientHeight || 600;
        const from = Math.max(0, Math.floor(scroller.scrollTop / lineHeight) - overscan);
        const to = Math.min(shown.length, Math.ceil((scroller.scrollTop + height) / lineHeight) + overscan);
        if (from === drawn[0] && to === drawn[1]) return;
        drawn = [from, to];
        measure(part, { transform: `translateY(${from * lineHeight}px)` });
        fill(part, shown.slice(from, to).map(lineNode));
    };
    const goTo = (index) => {
        for (const at of [...folded]) if (at < index && all[at].end >= index) folded.delete(at);
        shown = visible();
        const row = shown.indexOf(index);
        measure(space, { height: `${shown.length * lineHeight + 16}px` });
        scroller.scrollTop = Math.max(0, row * lineHeight - scroller.clientHeight / 2);
        draw();
    };
    const find = () => {
        needle = search.value.toLowerCase();
        hits = needle ? all.flatMap((line, index) => (line.parts.some(([, text]) => text.toLowerCase().includes(needle)) ? [index] : [])) : [];
        hit = hits.length ? 0 : -1;
        say();
        if (hits.length) goTo(hits[0]);
        else draw();
    };
    const say = () => {
        state.textContent = needle ? (hits.length ? `${hit + 1} of ${count(hits.length)}` : "nothing") : `${count(all.length)} lines`;
    };
    const findSoon = later(120, find);
    search.addEventListener("input", findSoon);
    search.addEventListener("keydown", (event) => {
        if (event.key === "Enter") {
            event.preventDefault();
            if (!hits.length) return find();
            hit = (hit + (event.shiftKey ? -1 : 1) + hits.length) % hits.length;
            say();
            goTo(hits[hit]);
        } else if (event.key === "Escape" && search.value) {
            event.stopPropagation();
            search.value = "";
            find();
        }
    });
    scroller.addEventListener("scroll", scroll, { passive: true });
    scroller.addEventListener("keydown", (event) => {
        if (event.key === "/" && event.target === scroller) {
            event.preventDefault();
            event.stopPropagation();
            search.focus();
        }
    });
    if ("ResizeObserver" in globalThis) new ResizeObserver(scroll).observe(scroller);
    const foldAll = () => {
        if (folded.size) folded.clear();
        else all.forEach((line, index) => { if (line.end > 0 && line.depth > 0) folded.add(index); });
        shown = visible();
        draw();
    };
    const copy = h("button.plain", { onclick: () => copyText(JSON.stringify(value, null, 2), "The JSON is copied.") }, "Copy");
    const node = h("div.json", h("div.tools", search, state, h("span.grow"), tools, all.length > 10 ? h("button.plain", { onclick: foldAll }, "Fold") : null, copy), scroller);
    say();
    draw();
    requestAnimationFrame(scroll);
    return node;
}

/** Copies a text, and says so. */
export async function copyText(text, said = "Copied.") {
    try {
        await navigator.clipboard.writeText(text);
        toast(said);
        return true;
    } catch {
        // Without a secure origin there is no clipboard: the old way works from a click.
        const box = h("textarea.visually-hidden", { value: text, readOnly: true });
        document.body.append(box);
        box.select();
        const done = document.execCommand("copy");
        box.remove();
        if (done) toast(said);
        else announce("The browser does not let this page copy. Select the text and copy it.", true);
        return done;
    }
}
