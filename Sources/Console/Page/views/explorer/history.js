// What ran before: searched by any word of it, opened in a tab.

import { h } from "../../parts/dom.js";
import { dialog } from "../../parts/dialog.js";
import { moment } from "../../parts/format.js";
import { picker } from "../../parts/pick.js";
import { labelOf, asOf } from "../../state/caller.js";
import { documents, titleOf } from "./documents.js";

const shownMax = 50;

export function showHistory(open) {
    const node = h("div");
    let shown;
    const all = picker({
        label: "History", placeholder: "A word of the query, its variables or its caller",
        load: async (text) => {
            const words = text.toLowerCase().split(/\s+/).filter(Boolean);
            const entries = documents.history.filter((one) => {
                const everything = `${one.query} ${one.variables} ${one.as}`.toLowerCase();
                return words.every((word) => everything.includes(word));
            });
            return [{ title: "", entries: entries.slice(0, shownMax).map((one) => ({ label: titleOf(one), detail: one.query.replace(/^\s*#.*$/gm, "").replace(/\s+/g, " ").trim().slice(0, 120), kind: `${labelOf(asOf(one.as))} · ${moment(one.at)}`, one })) }];
        },
        onpick: (entry) => {
            shown.finish(null);
            open(entry.one);
        },
        onempty: (text) => (text ? "Nothing that ran has these words." : "Nothing has run yet. What runs is kept here, in this browser."),
    });
    node.append(all.node);
    dialog({
        title: "History", body: node, wide: true,
        actions: [{ label: "Forget all", danger: true, disabled: !documents.history.length, run: () => { documents.forget(); } }, { label: "Close", value: null }],
        onopen: (dialogNode) => {
            shown = dialogNode;
            dialogNode.classList.add("anchored");
            all.input.focus();
        },
    });
}
