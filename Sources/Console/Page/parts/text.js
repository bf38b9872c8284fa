// A text to read, such as a schema: numbered, coloured, one line marked, notes between the lines. Only what is seen is made.

import { fill, h, measure } from "./dom.js";

const lineHeight = 20;
const overscan = 20;

/** Colours of TypeScript, roughly: comments, strings, words of the language. */
export function scriptColours(text) {
    const words = /^(?:import|from|export|const|let|type|default|function|return|await|async|new|if|else|true|false|null|as|typeof)$/;
    const tokens = [];
    for (const match of text.matchAll(/\/\/[^\n]*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|[A-Za-z_$][\w$]*|\d[\d.]*/g)) {
        const [word] = match;
        const kind = /^\/[/*]/.test(word) ? "comment" : /^["'`]/.test(word) ? "string" : /^\d/.test(word) ? "number" : words.test(word) ? "keyword" : "";
        if (kind) tokens.push({ start: match.index, end: match.index + word.length, class: kind });
    }
    return tokens;
}

/** `notes` are `{ line, text, tone }`; `label` names the region; `colours(text)` is asked when the text is first seen. */
export function textView({ label, text, colours = () => [], notes = [] }) {
    let tokens = null;
    const lines = text.split("\n");
    const starts = [];
    let start = 0;
    for (const line of lines) {
        starts.push(start);
        start += line.length + 1;
    }
    // Rows are lines and, below them, what is to be said of them.
    const rows = lines.flatMap((line, index) => [{ line: index }, ...notes.filter((note) => note.line === index + 1).map((note) => ({ note }))]);
    let marked = 0;
    let drawn = "";
    const part = h("div.window");
    const space = measure(h("div.space", part), { height: `${rows.length * lineHeight + 16}px` });
    const scroller = h("div.text-view.code", { tabIndex: 0, role: "region", "aria-label": label }, space);

    const firstToken = (place) => {
        let low = 0;
        let high = tokens.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (tokens[middle].end <= place) low = middle + 1;
            else high = middle;
        }
        return low;
    };
    const pieces = (index) => {
        const from = starts[index];
        const end = from + lines[index].length;
        const all = [];
        let place = from;
        for (let at = firstToken(from); at < tokens.length && tokens[at].start < end; at += 1) {
            const [left, right] = [Math.max(tokens[at].start, place), Math.min(tokens[at].end, end)];
            if (left > place) all.push(text.slice(place, left));
            all.push(h("span", { class: tokens[at].class }, text.slice(left, right)));
            place = right;
        }
        all.push(text.slice(place, end));
        return all;
    };
    const scroll = () => {
        if (!scroller.clientHeight) return;
        tokens ??= colours(text);
        const height = scroller.clientHeight || 600;
        const from = Math.max(0, Math.floor(scroller.scrollTop / lineHeight) - overscan);
        const to = Math.min(rows.length, Math.ceil((scroller.scrollTop + height) / lineHeight) + overscan);
        if (drawn === `${from}/${to}/${marked}`) return;
        drawn = `${from}/${to}/${marked}`;
        measure(part, { transform: `translateY(${from * lineHeight}px)` });
        fill(part, rows.slice(from, to).map((row) => (row.note
            ? h("div.line.note", { class: row.note.tone ?? "" }, h("span.number"), h("span", h("span", { "aria-hidden": "true" }, "◐ "), row.note.text))
            : h("div.line", { class: row.line + 1 === marked ? "marked" : "", "aria-current": row.line + 1 === marked ? "true" : null }, h("span.number", { "aria-hidden": "true" }, row.line + 1), h("code", pieces(row.line))))));
    };
    scroller.addEventListener("scroll", scroll, { passive: true });
    if ("ResizeObserver" in globalThis) new ResizeObserver(() => { drawn = ""; scroll(); }).observe(scroller);
    requestAnimationFrame(scroll);
    return {
        node: scroller,
        /** Marks a line, and brings it into sight. */
        go(line) {
            marked = line;
            const at = rows.findIndex((row) => row.line === line - 1);
            if (at < 0) return;
            const top = at * lineHeight;
            if (top < scroller.scrollTop + 40 || top > scroller.scrollTop + scroller.clientHeight - 80) scroller.scrollTop = Math.max(0, top - 80);
            drawn = "";
            scroll();
        },
    };
}
