// An editor: a text area with a coloured layer behind. What is typed, chosen, undone, pasted and spoken is the browser's own; colours,
// line numbers, marks and completion are ours. Tab leaves it, as it leaves any field.

import { freshId, h, later, measure } from "./dom.js";

const lineHeight = 20;
const padding = 8;
const pairs = { "{": "}", "(": ")", "[": "]" };
const checkMilliseconds = 150;
const shownEntries = 9;

/** Colours of JSON: keys, strings, words. */
export function jsonTokens(text) {
    const tokens = [];
    for (const match of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b|[{}[\]:,]/g)) {
        const start = match.index;
        const [word] = match;
        const isKey = word[0] === '"' && /^\s*:/.test(text.slice(start + word.length, start + word.length + 40));
        tokens.push({ start, end: start + word.length, class: isKey ? "k" : word[0] === '"' ? "s" : /[\d-]/.test(word[0]) ? "n" : /[a-z]/.test(word[0]) ? "c" : "" });
    }
    return tokens;
}

/**
 * `tokens(text)` gives `{ start, end, class }` in order; `problems(text)` gives `{ start, end, message }`; `complete(text, place)` gives
 * `{ from, entries }` or null; `onchange(text)`, `onmove(place)`.
 */
export function editor({ label, value = "", tokens, problems, complete, onchange, onmove, placeholder }) {
    const id = freshId("editor");
    const layer = h("div.layer", { "aria-hidden": "true" });
    const box = h("textarea", {
        "aria-label": label, value, spellcheck: "false", autocapitalize: "off", autocomplete: "off", autocorrect: "off", wrap: "off", placeholder,
        "aria-describedby": `${id}-problems`, "aria-autocomplete": complete ? "list" : null, "aria-controls": complete ? `${id}-list` : null,
    });
    const sheet = h("div.sheet", layer, box);
    const scroller = h("div.code", sheet);
    const strip = h("div.problems", { id: `${id}-problems`, role: "status" });
    const list = h("div.completions", { role: "listbox", id: `${id}-list`, "aria-label": "Completions", hidden: true });
    const node = h("div.editor", scroller, strip, list);

    let lines = [];
    let found = [];
    let offered = null;
    let at = 0;
    let letterWidth = 0;

    const widthOfLetter = () => {
        if (!letterWidth) {
            const probe = h("span.probe", { "aria-hidden": "true" }, "0".repeat(100));
            layer.append(probe);
            letterWidth = probe.getBoundingClientRect().width / 100;
            probe.remove();
            lines = [];
        }
        return letterWidth || 8;
    };

    /** Each line as pieces `[class, text]`; marks of problems cut the tokens. */
    const piecesOf = (text) => {
        const marks = [...tokens(text)];
        const wrong = found.filter((each) => !each.isQuiet).slice(0, 20);
        const all = [];
        let current = [];
        const put = (kind, part) => {
            part.split("\n").forEach((piece, index) => {
                if (index) {
                    all.push(current);
                    current = [];
                }
                if (piece) current.push([kind, piece]);
            });
        };
        const cut = (kind, start, end) => {
            let from = start;
            for (const each of wrong) {
                const [left, right] = [Math.max(from, each.start), Math.min(end, each.end)];
                if (left >= right) continue;
                if (left > from) put(kind, text.slice(from, left));
                put(`${kind} bad`, text.slice(left, right));
                from = right;
            }
            if (from < end) put(kind, text.slice(from, end));
        };
        let place = 0;
        for (const token of marks) {
            if (token.start > place) cut("", place, token.start);
            cut(token.class, token.start, token.end);
            place = token.end;
        }
        if (place < text.length) cut("", place, text.length);
        all.push(current);
        return all;
    };

    const draw = () => {
        const text = box.value;
        const pieces = piecesOf(text);
        const next = pieces.map((line) => line.map(([kind, piece]) => `${kind}\u0000${piece}`).join("\u0001"));
        let top = 0;
        while (top < next.length && top < lines.length && next[top] === lines[top]) top += 1;
        let end = 0;
        while (end < next.length - top && end < lines.length - top && next[next.length - 1 - end] === lines[lines.length - 1 - end]) end += 1;
        while (layer.children.length > next.length - (next.length - top - end) && layer.children.length > top + end) layer.children[top].remove();
        const after = layer.children[top] ?? null;
        for (let index = top; index < next.length - end; index += 1) {
            layer.insertBefore(h("div.line", pieces[index].map(([kind, piece]) => (kind.trim() ? h("span", { class: kind }, piece) : piece)), pieces[index].length ? null : "\u200b"), after);
        }
        lines = next;
        const widest = text.split("\n").reduce((most, line) => Math.max(most, line.length), 0);
        measure(sheet, { height: `${next.length * lineHeight + padding * 2}px`, "min-width": `${Math.ceil((widest + 1) * widthOfLetter()) + 48}px` });
    };

    const check = () => {
        found = problems?.(box.value) ?? [];
        draw();
        tell();
    };
    const checkSoon = later(checkMilliseconds, check);
    const tell = () => {
        const text = box.value;
        const first = found.find((each) => box.selectionStart >= each.start && box.selectionStart <= each.end) ?? found[0];
        strip.replaceChildren();
        if (!first) return;
        const line = text.slice(0, first.start).split("\n").length;
        strip.append(h("button.problem-line", { onclick: () => self.select(first.start, first.end), class: first.isQuiet ? "quiet" : "" },
            h("span.sign", { "aria-hidden": "true" }, first.isQuiet ? "•" : "–"), first.isQuiet ? null : h("span.quiet", `Line ${line}`), h("span.cut", first.message),
            found.length > 1 ? h("span.quiet", `and ${found.length - 1} more`) : null));
    };

    const reveal = () => {
        const before = box.value.slice(0, box.selectionEnd);
        const line = before.split("\n").length - 1;
        const column = before.length - before.lastIndexOf("\n") - 1;
        const y = padding + line * lineHeight;
        const x = 44 + column * widthOfLetter();
        if (y < scroller.scrollTop + padding) scroller.scrollTop = y - padding;
        else if (y + lineHeight + padding > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = y + lineHeight + padding - scroller.clientHeight;
        if (x < scroller.scrollLeft + 48) scroller.scrollLeft = Math.max(0, x - 60);
        else if (x + 24 > scroller.scrollLeft + scroller.clientWidth) scroller.scrollLeft = x + 60 - scroller.clientWidth;
        return { x: x - scroller.scrollLeft, y: y - scroller.scrollTop };
    };

    /** Types a text in, so that undo knows of it. */
    const insert = (text, start = box.selectionStart, end = box.selectionEnd) => {
        box.setSelectionRange(start, end);
        const done = text === "" ? document.execCommand("delete") : document.execCommand("insertText", false, text);
        if (!done || box.selectionEnd !== start + text.length) {
            if (!done) {
                box.setRangeText(text, start, end, "end");
                box.dispatchEvent(new InputEvent("input", { bubbles: true }));
            }
        }
    };
    const indentAt = (place) => /^[ \t]*/.exec(box.value.slice(box.value.lastIndexOf("\n", place - 1) + 1, place))[0];

    const closeList = () => {
        offered = null;
        list.hidden = true;
        box.removeAttribute("aria-activedescendant");
    };
    const offer = (isAsked = false) => {
        if (!complete || box.selectionStart !== box.selectionEnd) return closeList();
        const answer = complete(box.value, box.selectionStart);
        if (!answer || (!isAsked && answer.prefix === "" && !answer.isOpen)) return closeList();
        offered = answer;
        at = 0;
        list.replaceChildren(...offered.entries.map((entry, index) => h("div", {
            role: "option", id: `${id}-${index}`, "aria-selected": String(index === 0), onpointerdown: (event) => { event.preventDefault(); take(index); },
        }, h("span.label", entry.text), h("span.detail.cut", entry.detail ?? ""))), h("p.about", { hidden: true }));
        list.hidden = false;
        const { x, y } = reveal();
        const height = Math.min(offered.entries.length, shownEntries) * 28 + 10;
        const isAbove = y + lineHeight + height > scroller.clientHeight && y > height;
        measure(list, { left: `${Math.max(4, Math.min(x - (answer.prefix.length * letterWidth), scroller.clientWidth - 280))}px`, top: isAbove ? "auto" : `${y + lineHeight + 2}px`, bottom: isAbove ? `${node.clientHeight - y}px` : "auto" });
        mark(0);
    };
    const mark = (to) => {
        const options = list.querySelectorAll("[role=option]");
        options[at]?.setAttribute("aria-selected", "false");
        at = (to + options.length) % options.length;
        options[at].setAttribute("aria-selected", "true");
        box.setAttribute("aria-activedescendant", options[at].id);
        const option = options[at];
        if (option.offsetTop < list.scrollTop) list.scrollTop = option.offsetTop;
        else if (option.offsetTop + option.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = option.offsetTop + option.offsetHeight - list.clientHeight + 4;
        const about = list.querySelector(".about");
        about.textContent = offered.entries[at].about ?? "";
        about.hidden = !offered.entries[at].about;
    };
    const take = (index) => {
        const entry = offered?.entries[index];
        if (!entry) return;
        const { from } = offered;
        closeList();
        const text = entry.insert.replaceAll("\n", `\n${indentAt(from)}`);
        const caret = text.indexOf("|");
        // A space or a brace that stands there already is not made twice.
        insert(text.replace("|", ""), from, box.selectionEnd);
        if (caret >= 0) box.setSelectionRange(from + caret, from + caret);
        changed();
        if (/[:(] ?$|\{ $|\n\s*$/.test(text.slice(0, caret < 0 ? undefined : caret)) && caret >= 0) offer(true);
    };

    const changed = () => {
        draw();
        checkSoon();
        reveal();
        onchange?.(box.value);
    };
    let isTaken = false;
    box.addEventListener("input", (event) => {
        if (isTaken) return;
        changed();
        const typed = event.inputType === "insertText" || event.inputType === "deleteContentBackward" || event.inputType === "insertCompositionText";
        if (!typed) return closeList();
        const before = box.value[box.selectionStart - 1] ?? "";
        if (/[\w$@]/.test(before) && (event.inputType !== "deleteContentBackward" || offered)) offer(before === "$" || before === "@");
        else closeList();
    });
    box.addEventListener("keydown", (event) => {
        if (event.isComposing) return;
        if (offered) {
            const run = { ArrowDown: () => mark(at + 1), ArrowUp: () => mark(at - 1), PageDown: () => mark(Math.min(at + 8, offered.entries.length - 1)), PageUp: () => mark(Math.max(0, at - 8)),
                Enter: () => take(at), Tab: event.shiftKey ? null : () => take(at), Escape: closeList }[event.key];
            if (run && !event.ctrlKey && !event.metaKey) {
                event.preventDefault();
                event.stopPropagation();
                run();
                return;
            }
        }
        if ((event.key === " " && event.ctrlKey) && complete) {
            event.preventDefault();
            offer(true);
        } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey) {
            event.preventDefault();
            const start = box.selectionStart;
            const indent = indentAt(start);
            const [before, behind] = [box.value[start - 1], box.value[box.selectionEnd]];
            const opens = pairs[before] !== undefined;
            const closes = opens && pairs[before] === behind;
            insert(`\n${indent}${opens ? "  " : ""}${closes ? `\n${indent}` : ""}`);
            if (closes) box.setSelectionRange(start + 1 + indent.length + 2, start + 1 + indent.length + 2);
            changed();
        } else if (pairs[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey && box.selectionStart === box.selectionEnd) {
            const behind = box.value[box.selectionEnd] ?? "\n";
            if (!/[\s)\]}]/.test(behind)) return;
            event.preventDefault();
            const start = box.selectionStart;
            insert(event.key + pairs[event.key]);
            box.setSelectionRange(start + 1, start + 1);
            changed();
            closeList();
        } else if (Object.values(pairs).includes(event.key) && box.value[box.selectionStart] === event.key && box.selectionStart === box.selectionEnd) {
            event.preventDefault();
            box.setSelectionRange(box.selectionStart + 1, box.selectionStart + 1);
        } else if (event.key === "Backspace" && box.selectionStart === box.selectionEnd && pairs[box.value[box.selectionStart - 1]] && pairs[box.value[box.selectionStart - 1]] === box.value[box.selectionStart]) {
            event.preventDefault();
            insert("", box.selectionStart - 1, box.selectionStart + 1);
            changed();
        } else if (event.key === "/" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            event.stopPropagation();
            comment();
        }
    });
    const comment = () => {
        const text = box.value;
        const [from, to] = [box.selectionStart, box.selectionEnd];
        const start = text.lastIndexOf("\n", from - 1) + 1;
        const end = text.indexOf("\n", to) < 0 ? text.length : text.indexOf("\n", to);
        const chosen = text.slice(start, end).split("\n");
        const isOff = chosen.every((line) => !line.trim() || /^\s*#/.test(line));
        insert(chosen.map((line) => (isOff ? line.replace(/^(\s*)# ?/, "$1") : line.trim() ? line.replace(/^(\s*)/, "$1# ") : line)).join("\n"), start, end);
        changed();
    };
    box.addEventListener("blur", closeList);
    scroller.addEventListener("scroll", () => { if (offered) closeList(); }, { passive: true });
    const moved = () => {
        if (document.activeElement !== box) return;
        onmove?.(box.selectionStart);
        tell();
    };
    box.addEventListener("keyup", moved);
    box.addEventListener("click", () => {
        closeList();
        moved();
    });

    const self = {
        node, box,
        get value() { return box.value; },
        /** Another text, with its own undo. */
        set value(text) {
            if (text === box.value) return;
            box.value = text;
            closeList();
            check();
        },
        /** Another text for the same thing: undo brings the old one back. */
        rewrite(text) {
            if (text === box.value) return;
            const focused = document.activeElement;
            const place = box.selectionStart;
            const { scrollTop } = scroller;
            isTaken = true;
            box.focus({ preventScroll: true });
            insert(text, 0, box.value.length);
            isTaken = false;
            if (box.value !== text) box.value = text;
            box.setSelectionRange(Math.min(place, text.length), Math.min(place, text.length));
            if (focused !== box && focused instanceof HTMLElement) focused.focus({ preventScroll: true });
            check();
            scroller.scrollTop = scrollTop;
            onchange?.(text);
        },
        select(start, end = start) {
            box.focus({ preventScroll: true });
            box.setSelectionRange(start, end);
            reveal();
            onmove?.(start);
        },
        focus: () => box.focus({ preventScroll: true }),
        check,
        get caret() { return box.selectionStart; },
        get problems() { return found; },
    };
    draw();
    if ("ResizeObserver" in globalThis) {
        // The first measure of a letter needs the editor to be seen.
        const observer = new ResizeObserver(() => {
            letterWidth = 0;
            draw();
        });
        observer.observe(scroller);
    }
    requestAnimationFrame(check);
    return self;
}
