// What the page says by itself: in the live regions, as a toast, in an empty view, when something went wrong, while something takes long.

import { h } from "./dom.js";

/** Only what takes longer gets a spinner: what is quicker would flicker. */
const spinnerMilliseconds = 200;
const toastMilliseconds = 6000;

/** Tells readers of screens; `urgent` interrupts. */
export function announce(text, urgent = false) {
    const region = document.getElementById(urgent ? "assertive" : "polite");
    // The same words twice are two announcements only where the region was empty in between.
    region.textContent = "";
    requestAnimationFrame(() => {
        region.textContent = text;
    });
}

/** Tells everybody, for a while. */
export function toast(text, { action, tone } = {}) {
    const close = () => node.remove();
    const node = h("div.toast", { class: tone ?? "" }, h("span", text),
        action ? h("button.plain", { onclick: () => { close(); action.run(); } }, action.label) : null,
        h("button.sign.plain", { onclick: close, "aria-label": "Close" }, "×"));
    document.getElementById("toasts").append(node);
    announce(text, tone === "no");
    let timer = setTimeout(close, toastMilliseconds);
    node.addEventListener("pointerenter", () => clearTimeout(timer));
    node.addEventListener("pointerleave", () => {
        timer = setTimeout(close, toastMilliseconds);
    });
    return close;
}

/** What will be here, and how it gets here. */
export const empty = (text, ...nodes) => h("div.empty", h("p", text), nodes.length ? h("div.row", nodes) : null);

/** What went wrong, in the server's words, with a way on. */
export function problem(error, retry) {
    if (error?.name === "AbortError") return h("div");
    announce(error.message, true);
    return h("div.block.no.problem", { role: "group", "aria-label": "Error" },
        h("h3", h("span.sign", { "aria-hidden": "true" }, "– "), error.message),
        error.place ? h("p.quiet", "At ", h("code", error.place)) : null,
        retry ? h("div.row", h("button", { onclick: retry }, "Try again")) : null);
}

/** Says that a place is busy while a promise is not done: at once to screen readers, seen only when it takes long. What was there stays. */
export function busy(place, promise) {
    const turn = {};
    place.busyTurn = turn;
    place.setAttribute("aria-busy", "true");
    const timer = setTimeout(() => {
        if (place.busyTurn === turn) place.classList.add("is-slow");
    }, spinnerMilliseconds);
    const done = () => {
        clearTimeout(timer);
        if (place.busyTurn !== turn) return;
        place.classList.remove("is-slow");
        place.removeAttribute("aria-busy");
    };
    promise.then(done, done);
    return promise;
}
