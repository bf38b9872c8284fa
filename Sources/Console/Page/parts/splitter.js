// A line between two panes that can be moved: by the pointer, or by arrows when it has the focus. Where it stands is kept.

import { h, measure } from "./dom.js";
import { draft } from "../state/drafts.js";

const step = 0.02;

/** `place` gets the share of the first pane as `--NAME`; `name` is that of the draft too. */
export function splitter({ place, name, label, share = 0.5, least = 0.2, most = 0.8, axis = "x" }) {
    const kept = draft(`split/${name}`);
    let now = typeof kept.value === "number" ? kept.value : share;
    const node = h("div.splitter", { role: "separator", tabIndex: 0, "aria-label": label, "aria-orientation": axis === "x" ? "vertical" : "horizontal", "aria-valuemin": Math.round(least * 100), "aria-valuemax": Math.round(most * 100) });
    const set = (to, isKept = true) => {
        now = Math.max(least, Math.min(most, to));
        measure(place, { [`--${name.replace("/", "-")}`]: `${(now * 100).toFixed(1)}fr`, [`--${name.replace("/", "-")}-rest`]: `${((1 - now) * 100).toFixed(1)}fr` });
        node.setAttribute("aria-valuenow", Math.round(now * 100));
        if (isKept) kept.value = now;
    };
    node.addEventListener("keydown", (event) => {
        const [less, more] = axis === "x" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
        const to = { [less]: now - step, [more]: now + step, Home: least, End: most }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        set(to);
    });
    node.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        node.setPointerCapture(event.pointerId);
        const [before, behind] = [node.previousElementSibling.getBoundingClientRect(), node.nextElementSibling.getBoundingClientRect()];
        const move = (moved) => {
            const [at, start, size] = axis === "x" ? [moved.clientX, before.left, behind.right - before.left] : [moved.clientY, before.top, behind.bottom - before.top];
            set((at - start) / size);
        };
        node.addEventListener("pointermove", move);
        node.addEventListener("lostpointercapture", () => node.removeEventListener("pointermove", move), { once: true });
    });
    node.addEventListener("dblclick", () => set(share));
    set(now, false);
    return node;
}
