// One click to be somebody.

import { caller, labelOf, wordOf } from "../state/caller.js";
import { announce } from "./notice.js";
import { h } from "./dom.js";

/** A button that becomes a caller: "Run as ann". */
export function who(as, label = labelOf(as), { words = "Run as " } = {}) {
    return h("button.plain.who", {
        title: `Look and act as ${label} from here on`, dataset: { key: `who-${wordOf(as)}` },
        onclick: () => {
            caller.become(as);
            announce(`Run as ${label}`);
        },
    }, words, h("b", label));
}
