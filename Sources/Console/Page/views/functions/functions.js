// Functions: what the app has, their newest calls and lines, and a call with an event of one's own.

import { fill, h } from "../../parts/dom.js";
import { chip } from "../../parts/chip.js";
import { area, field, form } from "../../parts/form.js";
import { bytes, clock, count, moment, plural, took } from "../../parts/format.js";
import { announce, busy, empty, problem } from "../../parts/notice.js";
import { list, table } from "../../parts/table.js";
import { jsonOf, pretty } from "../../parts/texts.js";
import { draft } from "../../state/drafts.js";
import { router } from "../../state/router.js";
import { server } from "../../state/server.js";

const everyMilliseconds = 2000;
const tones = { ok: "yes", failed: "no", refused: "no", "given up": "partly" };
const outcomeChip = (one) => chip(one.outcome, tones[one.outcome] ?? null);

/** "Error: no such record" of Lambda's error object. */
function errorOf(one) {
    if (one.outcome === "ok") return null;
    try {
        const { errorType, errorMessage } = JSON.parse(one.result);
        return [errorType, errorMessage].filter(Boolean).join(": ");
    } catch {
        return one.result;
    }
}

function callNode(one) {
    const error = errorOf(one);
    return h("details.call", h("summary", h("span.mono", clock(one.at)), outcomeChip(one), h("span.grow.cut.quiet", error ?? ""), h("span.num.mono", took(one.milliseconds))),
        h("h4", "Event", one.eventBytes > one.event.length ? h("span.quiet", ` the beginning of ${bytes(one.eventBytes)}`) : null), h("pre", pretty(one.event)),
        h("h4", one.outcome === "ok" ? "Result" : "Error"), h("pre", pretty(one.result)), h("p.small.quiet", `call ${one.id}`));
}

function mount(place, context) {
    const { signal } = context;
    let all = null;
    let shown = null;
    let drawn = "";
    const side = h("aside.side", { "aria-label": "Function", hidden: true });
    const split = h("div.split.whole");
    const grid = table({
        label: "Functions",
        columns: [
            { name: "name", title: "function", width: 200, grows: true, cell: (one) => h("b", one.name) },
            { name: "handler", title: "handler", width: 180, optional: true, mono: true, cell: (one) => one.handler },
            { name: "calls", title: "calls", width: 72, numeric: true, cell: (one) => count(one.calls) },
            { name: "failures", title: "failed", width: 96, cell: (one) => (one.failures ? chip(count(one.failures), "no") : h("span.quiet", "none")) },
            { name: "lastCallAt", title: "last call", width: 128, cell: (one) => (one.lastCallAt ? moment(one.lastCallAt) : h("span.quiet", "never")) },
        ],
        source: list(() => all ?? []), key: (one) => one.name,
        onopen: (one) => router.go("functions", [one.name], {}),
        empty: () => (all ? empty("This project has no functions. Define one with defineFunction, or under functions in the configuration.") : empty("")),
    });
    fill(split, grid.node, side);
    fill(place, h("div.bar", h("h1", "Functions")), split);

    const close = () => { router.go("functions", [], {}); grid.focus(); };
    const facts = h("div");
    const calls = h("div");
    const lines = h("pre.lines", { tabIndex: 0, role: "log", "aria-label": "Output, the newest line last" });
    const result = h("div.result", { "aria-live": "polite" });

    function drawCallForm(name) {
        const kept = draft(`functions/${name}`);
        const event = field({ label: "Event", name: "event", control: area({ rows: 6, value: kept.value ?? "{}" }) });
        event.control.addEventListener("input", () => { kept.value = event.control.value; });
        return form({
            fields: [event], submit: "Invoke",
            onsubmit: async () => {
                const value = jsonOf(event.control.value, "The event");
                const answer = await busy(side, server.post(`/functions/${encodeURIComponent(name)}/invoke`, { event: value }, { signal }));
                if (shown !== name) return;
                fill(result, h("div.row", outcomeChip(answer), chip(took(answer.milliseconds))), h("pre", pretty(answer.result)));
                announce(`The function answered: ${answer.outcome}`);
                refresh();
            },
        });
    }

    function open(name) {
        shown = name;
        drawn = "";
        side.hidden = !name;
        split.classList.toggle("whole", !name);
        grid.select(name ?? null);
        context.title(name ?? "");
        if (!name) return fill(side);
        fill(result);
        return fill(side, h("header", h("h2.cut", name), h("span.grow"), h("button.sign.plain", { onclick: close, "aria-label": "Close", title: "Esc" }, "×")),
            facts, h("section", h("h3", "Invoke"), drawCallForm(name), result), h("section", h("h3", "Newest calls"), calls), h("section", h("h3", "Output"), lines));
    }

    async function refresh() {
        try {
            const answer = await busy(grid.node, server.get("/functions", {}, { signal }));
            if (JSON.stringify(answer.functions) !== JSON.stringify(all)) {
                all = answer.functions;
                grid.refresh();
                grid.select(shown ?? null);
            }
            if (!shown) return;
            const name = shown;
            const one = await server.get(`/functions/${encodeURIComponent(name)}`, {}, { signal });
            const text = JSON.stringify(one);
            if (name !== shown || text === drawn) return;
            drawn = text;
            fill(facts, h("dl.facts", h("dt", "handler"), h("dd.mono", one.handler), h("dt", "folder"), h("dd.mono", one.folder),
                h("dt", "limits"), h("dd", `${one.timeoutSeconds} s, ${count(one.memoryMegabytes)} MB, ${plural(one.concurrency, "process", "processes")}`),
                one.schedules ? [h("dt", "schedules"), h("dd", count(one.schedules))] : null,
                h("dt", "calls"), h("dd", `${count(one.calls)} since the start, ${count(one.failures)} failed`)));
            fill(calls, one.newestCalls.length ? one.newestCalls.map(callNode) : h("p.quiet", "No calls yet. Invoke the function above, or call it from the app."));
            const isAtEnd = lines.scrollHeight - lines.scrollTop - lines.clientHeight < 24;
            fill(lines, one.lines.length ? one.lines.map((line) => h("span", { class: line.level === "warning" ? "warns" : "" }, `${clock(line.at)} ${line.text}\n`)) : "No output yet.");
            if (isAtEnd) lines.scrollTop = lines.scrollHeight;
        } catch (error) {
            if (error.name === "AbortError") return;
            if (error.status === 404 && shown) fill(side, h("header", h("h2", shown), h("span.grow"), h("button.sign.plain", { onclick: close, "aria-label": "Close" }, "×")), problem(error));
            else fill(split, h("div.pad", problem(error, () => { fill(split, grid.node, side); refresh(); })));
        }
    }
    const timer = setInterval(() => { if (!document.hidden) refresh(); }, everyMilliseconds);
    signal.addEventListener("abort", () => { clearInterval(timer); grid.destroy(); }, { once: true });
    context.shortcuts.add({ keys: "Escape", says: "Close", whileTyping: true, when: () => Boolean(shown), run: close });
    refresh();

    return {
        update(route) {
            const name = route.path[0] ?? null;
            if (name === shown) return;
            open(name);
            refresh();
        },
    };
}

export default { title: "Functions", mount };
