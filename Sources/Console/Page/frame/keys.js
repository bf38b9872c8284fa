// The page of keys: all that can be pressed here and now.

import { h } from "../parts/dom.js";
import { dialog } from "../parts/dialog.js";
import { shortcuts } from "../state/shortcuts.js";

export function showKeys() {
    const named = new Map();
    for (const entry of shortcuts.list) {
        const group = entry.group ?? "In this view";
        if (!named.has(group)) named.set(group, []);
        named.get(group).push(entry);
    }
    return dialog({
        title: "Keys", wide: true,
        body: h("div.keys", [...named].map(([title, entries]) => h("section", h("h3", title), h("dl.facts", entries.map((entry) => [
            h("dt", [entry.keys].flat().map((keys) => [h("kbd", shortcuts.label(keys)), " "])), h("dd", entry.says)])))),
        h("section", h("h3", "In a table"), h("dl.facts", [["↑ ↓ ← →", "from cell to cell"], ["↵", "opens"], ["Space", "chooses"], ["PgUp PgDn Home End", "a page up or down, to the first or last row"]].map(([keys, says]) => [h("dt", h("kbd", keys)), h("dd", says)])))),
    });
}

shortcuts.add({ keys: "?", says: "This page of keys", group: "Everywhere", run: showKeys });
