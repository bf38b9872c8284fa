// The keys that do something. Single letters only where nobody is typing; "g d" is one after the other.

import { isTyping } from "../parts/dom.js";

const entries = new Set();
/** So long the second key of "g d" may take. */
const chordMilliseconds = 1200;
let first = null;
let firstAt = 0;

const isApple = /Mac|iP(hone|ad)/.test(navigator.platform);

/** The name of what was pressed: "Ctrl+Enter", "/", "Escape". Command is Ctrl on Apple's machines. */
function nameOf(event) {
    const parts = [];
    if (event.ctrlKey || (isApple && event.metaKey)) parts.push("Ctrl");
    if (event.altKey) parts.push("Alt");
    const key = event.key.length === 1 && parts.length ? event.key.toLowerCase() : event.key;
    if (event.shiftKey && (key.length > 1 || parts.length)) parts.push("Shift");
    parts.push(key === " " ? "Space" : key);
    return parts.join("+");
}

export const shortcuts = {
    /** Adds one; returns what removes it. `keys` may be a list of names for the same thing. */
    add(entry) {
        entries.add(entry);
        return () => entries.delete(entry);
    },

    /** Those that hold now, for the page that lists them. */
    get list() {
        return [...entries].filter((entry) => entry.says);
    },

    /** "Ctrl K" as it is written beside a button. */
    label: (keys) => keys.replace("Ctrl", isApple ? "⌘" : "Ctrl").replace("Enter", "↵").replace("Escape", "Esc").replaceAll("+", " "),
};

document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.metaKey && !isApple) return;
    const name = nameOf(event);
    const typing = isTyping(event.target);
    if (document.querySelector("dialog[open]") || event.target.closest?.("[role=menu]")) return;
    const chord = first && performance.now() - firstAt < chordMilliseconds ? `${first} ${name}` : null;
    first = null;
    // What was added last is nearest to the reader.
    for (const entry of [...entries].reverse()) {
        const names = Array.isArray(entry.keys) ? entry.keys : [entry.keys];
        for (const each of names) {
            if (each !== name && each !== chord) continue;
            const plain = !/^(Ctrl|Alt)\+|^F\d/.test(each);
            if (plain && typing && !entry.whileTyping) continue;
            if (entry.when && !entry.when(event)) continue;
            event.preventDefault();
            entry.run(event);
            return;
        }
    }
    if (!typing && name.length === 1 && [...entries].some((entry) => [entry.keys].flat().some((each) => each.startsWith(`${name} `)))) {
        first = name;
        firstAt = performance.now();
    }
});
