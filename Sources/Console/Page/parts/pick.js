// A line to type in with a list below: arrows move in the list while one types, Enter takes. The finder and Run as are such.

import { fill, freshId, h, later } from "./dom.js";
import { announce } from "./notice.js";
import { plural } from "./format.js";

/** How long typing pauses before the server is asked. */
const pauseMilliseconds = 80;

/** `load(text, signal)` gives groups `{ title, entries: [{ label, detail, kind, current, run, as }] }`, at once or later; it may call `show` with a first part. */
export function picker({ label, placeholder, load, onpick, onempty }) {
    const id = freshId("pick");
    const listNode = h("div.picks", { role: "listbox", id, "aria-label": label });
    const input = h("input.in", {
        type: "text", role: "combobox", "aria-label": label, "aria-controls": id, "aria-expanded": "true", "aria-autocomplete": "list",
        placeholder, autocomplete: "off", spellcheck: "false",
    });
    let entries = [];
    let at = 0;
    let control = new AbortController();

    const mark = (to, scrolls = true) => {
        at = to;
        const options = listNode.querySelectorAll("[role=option]");
        options.forEach((option, index) => option.setAttribute("aria-selected", String(index === at)));
        const option = options[at];
        if (option) {
            input.setAttribute("aria-activedescendant", option.id);
            if (scrolls) option.scrollIntoView({ block: "nearest" });
        } else input.removeAttribute("aria-activedescendant");
    };
    const show = (groups) => {
        entries = [];
        fill(listNode, groups.filter((group) => group.entries.length).map((group) => h("div.group", { role: "group", "aria-label": group.title },
            group.title ? h("div.title", { role: "presentation" }, group.title) : null,
            group.entries.map((entry) => {
                const index = entries.push(entry) - 1;
                return h("div.pick", {
                    role: "option", id: `${id}-${index}`, "aria-selected": "false", class: entry.current ? "current" : "",
                    onclick: () => take(index), onpointermove: () => { if (at !== index) mark(index, false); },
                }, h("span.sign", { "aria-hidden": "true" }, entry.current ? "✓" : ""), h("span.label.cut", entry.label), h("span.detail.cut", entry.detail ?? ""), entry.kind ? h("span.kind", entry.kind) : null);
            }))));
        if (!entries.length) fill(listNode, h("p.quiet.none", onempty?.(input.value) ?? "Nothing found."));
        mark(Math.max(0, input.value ? 0 : entries.findIndex((entry) => entry.current)));
    };
    const take = (index) => {
        const entry = entries[index];
        if (entry) onpick(entry);
    };
    const refresh = async () => {
        control.abort();
        control = new AbortController();
        const { signal } = control;
        try {
            const groups = await load(input.value.trim(), signal, (part) => { if (!signal.aborted) show(part); });
            if (signal.aborted) return;
            show(groups);
            if (input.value) announce(plural(entries.length, "result"));
        } catch (error) {
            if (error.name !== "AbortError") fill(listNode, h("p.error", error.message));
        }
    };
    const refreshSoon = later(pauseMilliseconds, refresh);
    input.addEventListener("input", refreshSoon);
    input.addEventListener("keydown", (event) => {
        const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (move && entries.length) {
            event.preventDefault();
            mark((at + move + entries.length) % entries.length);
        } else if (event.key === "Enter" && !event.isComposing) {
            event.preventDefault();
            take(at);
        }
    });
    refresh();
    return { node: h("div.picker", input, listNode), input, refresh };
}
