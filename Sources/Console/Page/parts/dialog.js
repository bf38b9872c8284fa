// What is put over the page: questions, and menus. The focus goes in, stays in, and comes back.

import { freshId, h, measure } from "./dom.js";

/** Shows a dialog; gives the value of the button that was pressed, null for Esc. A button with `run` may keep the dialog open by giving false. */
export function dialog({ title, body, actions = [{ label: "Close", value: null }], wide = false, onopen }) {
    return new Promise((done) => {
        const id = freshId("dialog");
        let value = null;
        const before = document.activeElement;
        const buttons = actions.map((action) =>
            h("button", {
                class: action.main ? "main" : action.danger ? "danger" : "",
                disabled: action.disabled,
                type: action.main ? "submit" : "button",
                onclick: async (event) => {
                    event.preventDefault();
                    if (action.run && (await action.run()) === false) return;
                    value = action.value ?? null;
                    node.close();
                },
            }, action.label));
        const node = h("dialog", { class: wide ? "wide" : "", "aria-labelledby": id },
            h("form", { method: "dialog", onsubmit: (event) => { event.preventDefault(); buttons[actions.findIndex((action) => action.main)]?.click(); } },
                h("header", h("h2", { id }, title), h("button.sign.plain", { onclick: () => node.close(), "aria-label": "Close" }, "×")),
                h("div.body", body),
                actions.length ? h("footer", buttons) : null));
        node.addEventListener("close", () => {
            node.remove();
            if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
            done(value);
        });
        // A press on the ground around it closes it, as Esc does.
        let pressedOutside = false;
        node.addEventListener("pointerdown", (event) => { pressedOutside = event.target === node; });
        node.addEventListener("click", (event) => { if (pressedOutside && event.target === node) node.close(); });
        node.finish = (result) => { value = result; node.close(); };
        document.body.append(node);
        node.showModal();
        const first = node.querySelector("[autofocus], .body input, .body select, .body textarea") ?? buttons.at(-1);
        first?.focus();
        onopen?.(node);
    });
}

/** Asks before something is done; the button says what. */
export const confirm = ({ title, text, action, danger = false }) =>
    dialog({
        title, body: typeof text === "string" ? h("p", text) : text,
        actions: [{ label: "Cancel", value: false }, { label: action, value: true, main: !danger, danger }],
    }).then((value) => value === true);

/** A button that opens a menu. `items` may be a function; "-" is a line. Arrows and letters move, Esc closes. */
export function menu(button, items, { align = "start" } = {}) {
    const id = freshId("menu");
    button.setAttribute("aria-haspopup", "menu");
    button.setAttribute("aria-expanded", "false");
    let node = null;

    const close = (back = true) => {
        if (!node) return;
        node.remove();
        node = null;
        button.setAttribute("aria-expanded", "false");
        document.removeEventListener("pointerdown", outside, true);
        if (back) button.focus({ preventScroll: true });
    };
    const outside = (event) => {
        if (node && !node.contains(event.target) && !button.contains(event.target)) close(false);
    };
    const entries = () => [...node.querySelectorAll("[role^=menuitem]:not(:disabled)")];
    const move = (by) => {
        const all = entries();
        const at = all.indexOf(document.activeElement);
        all[(at + by + all.length) % all.length]?.focus();
    };

    const open = () => {
        const list = typeof items === "function" ? items() : items;
        node = h("div.menu", { role: "menu", id, "aria-label": button.getAttribute("aria-label") ?? button.textContent },
            list.filter(Boolean).map((item) => item === "-" ? h("hr", { role: "separator" })
                : h("button", {
                    role: item.checked === undefined ? "menuitem" : "menuitemradio", "aria-checked": item.checked === undefined ? null : String(item.checked),
                    disabled: item.disabled, class: item.danger ? "danger" : "", tabIndex: -1,
                    onclick: () => { close(); item.run(); },
                }, h("span.check", { "aria-hidden": "true" }, item.checked ? "✓" : ""), h("span.grow", item.label), item.detail ? h("span.quiet.small", item.detail) : null)));
        node.addEventListener("keydown", (event) => {
            const keys = { ArrowDown: () => move(1), ArrowUp: () => move(-1), Home: () => entries()[0]?.focus(), End: () => entries().at(-1)?.focus(), Escape: () => close(), Tab: () => close() };
            const run = keys[event.key];
            if (run) {
                if (event.key !== "Tab") event.preventDefault();
                event.stopPropagation();
                run();
            } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
                const all = entries();
                const at = all.indexOf(document.activeElement);
                [...all.slice(at + 1), ...all.slice(0, at + 1)].find((each) => each.textContent.trim().toLowerCase().startsWith(event.key.toLowerCase()))?.focus();
            }
        });
        document.body.append(node);
        const at = button.getBoundingClientRect();
        const width = node.offsetWidth;
        const height = node.offsetHeight;
        const left = align === "end" ? at.right - width : at.left;
        const below = at.bottom + 4 + height <= innerHeight || at.top < height + 4;
        measure(node, { left: `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`, top: `${below ? at.bottom + 4 : at.top - height - 4}px` });
        button.setAttribute("aria-expanded", "true");
        (node.querySelector("[aria-checked=true]") ?? entries()[0])?.focus();
        document.addEventListener("pointerdown", outside, true);
    };

    button.addEventListener("click", () => (node ? close() : open()));
    button.addEventListener("keydown", (event) => {
        if (event.key === "ArrowDown" && !node) {
            event.preventDefault();
            open();
        }
    });
    return button;
}
