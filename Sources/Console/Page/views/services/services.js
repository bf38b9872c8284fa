// Services: queues, workflows, events and tables of the app, each as a list and one thing beside it. They are asked by their own calls.

import { fill, h } from "../../parts/dom.js";
import { busy, empty, problem } from "../../parts/notice.js";
import { list, table } from "../../parts/table.js";
import { tabs } from "../../parts/tabs.js";
import { router } from "../../state/router.js";
import { events } from "./events.js";
import { queues } from "./queues.js";
import { tables } from "./tables.js";
import { workflows } from "./workflows.js";

const everyMilliseconds = 3000;
const kinds = { queues, workflows, events, tables };

function mount(place, context) {
    const { signal } = context;
    let kind = null;
    let rows = null;
    let shown = null;
    let grid = null;
    let turn = 0;
    const side = h("aside.side", { hidden: true });
    const split = h("div.split.whole");
    const parts = tabs({
        label: "Services", selected: null, items: Object.entries(kinds).map(([id, { title }]) => ({ id, title })),
        onselect: (id) => router.go("services", [id], {}),
    });
    fill(place, h("div.bar", h("h1", "Services")), parts.bar, split);

    const close = () => { router.go("services", [kind], {}); grid?.focus(); };
    const head = (title) => h("header", h("h2.cut", title), h("span.grow"), h("button.sign.plain", { onclick: close, "aria-label": "Close", title: "Esc" }, "×"));

    function choose(id) {
        kind = id;
        rows = null;
        turn += 1;
        grid?.destroy();
        const service = kinds[id];
        grid = table({
            label: service.title, columns: service.columns, source: list(() => rows ?? []), key: (row) => row.name,
            onopen: (row) => router.go("services", [id, row.name], {}),
            empty: () => (rows ? empty(service.empty) : empty("")),
        });
        side.setAttribute("aria-label", service.one);
        parts.select(id, true);
        context.title(service.title);
        fill(split, grid.node, side);
    }

    async function refresh() {
        const at = turn;
        const service = kinds[kind];
        try {
            const found = await busy(grid.node, service.load(signal));
            if (at !== turn) return;
            const isChanged = JSON.stringify(found) !== JSON.stringify(rows);
            rows = found;
            if (isChanged) {
                grid.refresh();
                grid.select(shown);
            }
        } catch (error) {
            if (error.name !== "AbortError" && at === turn) fill(split, h("div.pad", problem(error, () => { choose(kind); refresh(); })));
        }
    }

    async function open(name) {
        const at = turn;
        shown = name;
        side.hidden = !name;
        split.classList.toggle("whole", !name);
        grid.select(name);
        if (!name) return;
        fill(side, head(name));
        try {
            const again = () => { if (shown === name && at === turn) { open(name); refresh(); } };
            const nodes = await busy(side, kinds[kind].detail(name, { signal, again }));
            if (at === turn && shown === name) fill(side, head(name), nodes);
        } catch (error) {
            if (error.name !== "AbortError" && at === turn && shown === name) fill(side, head(name), problem(error));
        }
    }
    const timer = setInterval(() => { if (!document.hidden && kind) refresh(); }, everyMilliseconds);
    signal.addEventListener("abort", () => { clearInterval(timer); grid?.destroy(); }, { once: true });
    context.shortcuts.add({ keys: "Escape", says: "Close", whileTyping: true, when: () => Boolean(shown), run: close });

    return {
        update(route) {
            const id = kinds[route.path[0]] ? route.path[0] : "queues";
            const name = route.path[1] ?? null;
            const isOther = id !== kind;
            if (isOther) {
                shown = null;
                choose(id);
                refresh();
            }
            if (isOther || name !== shown) open(name);
        },
    };
}

export default { title: "Services", mount };
