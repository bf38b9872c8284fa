// Small words with a ground of their own. What is allowed, partly allowed or denied has its sign and its colour; all else is grey.

import { h } from "./dom.js";

const signs = { yes: "✓", partly: "◐", no: "–" };

/** A chip. With `onclick` it is a button (`pressed` makes it a switch); with `onremove` it has a × behind. */
export function chip(text, tone = null, { onclick, onremove, pressed, title, label } = {}) {
    const words = [tone ? h("span.sign", { "aria-hidden": "true" }, signs[tone]) : null, h("span.cut", text)];
    const classes = tone ?? "";
    if (onclick) {
        return h("button.chip", { class: classes, onclick, title, "aria-label": label, "aria-pressed": pressed === undefined ? null : String(pressed) }, words);
    }
    const remove = onremove ? h("button.remove", { onclick: onremove, "aria-label": `Remove ${label ?? text}` }, "×") : null;
    return h("span.chip", { class: classes, title }, words, remove);
}

/** The sign of a tone alone, with a word for those who do not see it. */
export const sign = (tone, word) => h("span.verdict", { class: tone }, h("span", { "aria-hidden": "true" }, signs[tone] ?? "–"), " ", word);
