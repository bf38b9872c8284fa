// The rail: three groups of views, with quiet counts. Under 900 px it is a row at the bottom.

import { fill, h } from "../parts/dom.js";
import { address, router } from "../state/router.js";
import { overview } from "../state/overview.js";
import { shortcuts } from "../state/shortcuts.js";
import { groups, views } from "./views.js";

/** Where somebody was in a view: its entry leads back there. A press on the open one leads to its beginning. */
const last = new Map();

export function rail(node) {
    const counts = new Map();
    const links = new Map();
    const entries = new Map();
    fill(node, groups.map(([group, title]) => h("ul", { "aria-label": title }, views.filter((view) => view.group === group).map((view) => {
        const number = h("span.count");
        counts.set(view.name, number);
        const anchor = h("a", { href: `#${view.name}`, title: `${view.title} (g ${view.key})` }, h("span", view.title), number);
        links.set(view.name, anchor);
        const entry = h("li", { hidden: Boolean(view.when) }, anchor);
        entries.set(view.name, entry);
        return entry;
    }))));
    for (const view of views) {
        shortcuts.add({ keys: `g ${view.key}`, says: view.title, group: "Go to", run: () => links.get(view.name).click() });
    }
    let now = null;
    /** What a project has none of has no entry, unless it is open. */
    const show = () => {
        for (const view of views) if (view.when) entries.get(view.name).hidden = !(now && view.when(now)) && router.now.view !== view.name;
    };
    const mark = (route) => {
        show();
        if (route.view) last.set(route.view, route);
        for (const [name, anchor] of links) {
            const isOpen = name === route.view;
            const there = isOpen ? null : last.get(name);
            anchor.href = there ? address(name, there.path, { ...there.params, as: route.params.as }) : address(name);
            if (isOpen) {
                anchor.setAttribute("aria-current", "page");
                if (node.scrollWidth > node.clientWidth) anchor.scrollIntoView({ block: "nearest", inline: "center" });
            } else anchor.removeAttribute("aria-current");
        }
    };
    router.watch(mark);
    mark(router.now);
    overview.watch((info) => {
        now = info;
        show();
        for (const view of views) {
            const number = counts.get(view.name);
            const text = view.count?.(info) ?? "";
            if (number.textContent !== text) number.textContent = text;
        }
    });
}
