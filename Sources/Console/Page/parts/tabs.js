// Tabs: one is open, arrows go to the next. With `onclose` they can be closed, with `onadd` there is a + behind.

import { fill, freshId, h } from "./dom.js";

/** `items` are `{ id, title, count, panel }`; a panel is optional where the caller shows one itself. */
export function tabs({ label, items, selected, onselect, onclose, onadd, addLabel = "New tab", extra }) {
    const prefix = freshId("tab");
    const list = h("div.tablist", { role: "tablist", "aria-label": label });
    const bar = h("div.tabs", list, onadd ? h("button.sign.plain", { onclick: onadd, "aria-label": addLabel, title: addLabel }, "+") : null, extra ? [h("span.grow"), extra] : null);
    const panels = h("div.panels");
    let all = items;
    let open = selected ?? items[0]?.id;

    const draw = () => {
        fill(list, all.map((item) => {
            const isOpen = item.id === open;
            const button = h("button", {
                role: "tab", id: `${prefix}-${item.id}`, "aria-selected": String(isOpen), tabIndex: isOpen ? 0 : -1,
                "aria-controls": item.panel ? `${prefix}-${item.id}-panel` : null, dataset: { key: `tab-${item.id}` },
                onclick: () => select(item.id),
                onkeydown: (event) => key(event, item),
                onauxclick: (event) => { if (event.button === 1 && onclose) onclose(item.id); },
            }, h("span.cut", item.title), item.count ? h("span.count", item.count) : null);
            if (!onclose || all.length < 2) return button;
            return h("span.closable", { class: isOpen ? "on" : "", role: "presentation" }, button,
                h("button.sign.plain", { onclick: () => onclose(item.id), "aria-label": `Close ${item.title}`, tabIndex: isOpen ? 0 : -1 }, "×"));
        }));
        for (const item of all) {
            if (!item.panel) continue;
            if (item.panel.parentNode !== panels) {
                item.panel.id = `${prefix}-${item.id}-panel`;
                item.panel.setAttribute("role", "tabpanel");
                item.panel.setAttribute("aria-labelledby", `${prefix}-${item.id}`);
                panels.append(item.panel);
            }
            item.panel.hidden = item.id !== open;
        }
    };
    const key = (event, item) => {
        const at = all.indexOf(item);
        const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
        if (event.key === "Delete" && onclose && all.length > 1) onclose(item.id);
        else if (to !== undefined) {
            event.preventDefault();
            select(all[(to + all.length) % all.length].id);
            list.querySelector("[aria-selected=true]")?.focus();
        }
    };
    const select = (id, quietly = false) => {
        if (id === open) return;
        open = id;
        draw();
        if (!quietly) onselect?.(id);
    };
    draw();
    return {
        node: h("div.tabbed", bar, panels), bar, panels, select,
        get selected() { return open; },
        /** Other tabs, or other titles. */
        change(next, nowOpen = open) {
            all = next;
            open = nowOpen;
            draw();
        },
    };
}
