// Live: requests and events as they come, newest first. Scrolling away pauses; one row opens its story. While nobody looks, the server
// keeps an outline of the newest requests, or nothing.

import { fill, h, later, measure } from "../../parts/dom.js";
import { chip } from "../../parts/chip.js";
import { denials } from "../../parts/denial.js";
import { dialog, menu } from "../../parts/dialog.js";
import { clock, plural, took } from "../../parts/format.js";
import { announce, busy, empty, problem } from "../../parts/notice.js";
import { person } from "../../parts/person.js";
import { resultChip, story } from "../../parts/story.js";
import { list, table } from "../../parts/table.js";
import { names } from "../../state/names.js";
import { link, router } from "../../state/router.js";
import { server } from "../../state/server.js";
import { feed } from "./feed.js";

/** As many as the server keeps; the oldest go. */
const storiesMax = 2000;
/** Rows are drawn at most so often. */
const drawMilliseconds = 120;
const slowMilliseconds = 10;
const barWidth = 56;

const tests = {
    errors: (one) => one.kind !== "event" && one.result !== "ok" && one.result !== "started",
    slow: (one) => (one.milliseconds ?? 0) >= slowMilliseconds,
    caller: (one, value) => one.caller?.label === value,
    operation: (one, value) => one.operation === value || one.fields?.includes(value),
    model: (one, value) => one.models?.includes(value),
    search: (one, value) => `${one.operation} ${one.name ?? ""} ${(one.fields ?? []).join(" ")} ${one.caller?.label ?? ""} ${(one.errors ?? []).map((error) => error.message).join(" ")}`.toLowerCase().includes(value.toLowerCase()),
};

const numberOf = (row) => (row.kind === "event" ? Number(row.id.slice(1)) : row.id);

/** An event as a row among the requests. */
const eventRow = (event) => ({
    id: `e${event.id}`, request: event.request, at: event.at, kind: "event", operation: "event", fields: [event.mutation], models: [event.model], caller: { label: "" },
    sent: event.sent, notSent: event.notSent,
});

function what(one) {
    const [first, ...others] = one.fields ?? [];
    return [one.operation ? h("span.quiet.only-wide", `${one.operation} `) : null, h("b", first ?? one.name ?? "–"), others.length ? h("span.quiet", ` and ${others.length} more`) : null];
}

function mount(place, context) {
    let all = [];
    let shown = [];
    let held = [];
    let isPaused = false;
    let epoch = null;
    let opened = null;
    let shift = 0;

    const filters = () => Object.entries(context.route.params).filter(([name, value]) => tests[name] && value);
    const fits = (one) => filters().every(([name, value]) => tests[name](one, value));

    const pause = h("button", { onclick: () => setPaused(!isPaused), dataset: { key: "pause" } }, "❚❚ Pause");
    const chips = h("span.row.filters");
    const rates = h("span.row");
    const search = h("input.in.search", { type: "search", placeholder: "Filter", "aria-label": "Filter by any word", value: context.route.params.search ?? "" });
    const more = h("button", "+ Filter");
    const side = h("aside.side", { "aria-label": "The request's story", hidden: true });
    const split = h("div.split.whole");

    const rows = table({
        label: "Requests and events, newest first",
        columns: [
            { name: "time", width: 116, narrow: 76, mono: true, cell: (one) => [clock(one.at).slice(0, 8), h("span.only-wide", clock(one.at).slice(8))] },
            { name: "operation", width: 160, narrow: 96, grows: true, cell: what },
            { name: "caller", width: 120, narrow: 76, cell: (one) => person(one.caller?.label ?? "") },
            { name: "result", width: 136, narrow: 120, cell: (one) => (one.kind === "event" ? [chip(`${one.sent} sent`), one.notSent ? [" ", chip(`${one.notSent} not`)] : null] : resultChip(one)) },
            { name: "took", width: 136, optional: true, cell: (one) => (one.milliseconds === undefined ? "" : [measure(h("span.took", { "aria-hidden": "true" }), { width: `${Math.max(3, Math.min(barWidth, Math.log10(1 + one.milliseconds * 4) * 28))}px` }), took(one.milliseconds)]) },
            { name: "rows", width: 60, numeric: true, optional: true, cell: (one) => (one.kind === "event" ? "" : String((one.rowsRead ?? 0) + (one.rowsWritten ?? 0))) },
        ],
        source: list(() => shown), key: (one) => one.id, steady: true,
        onopen: (one) => open(one.request ?? one.id),
        empty: () => (filters().length ? empty("Nothing that came fits these filters.", h("button", { onclick: () => clear() }, "Take the filters away"))
            : empty("Requests will be here as they come: from your app, from the Explorer, from curl. The newest requests from before this view was opened are here too, where only this machine reaches the server.", link("explorer", [], {}, "Open the Explorer"))),
    });
    fill(split, rows.node, side);
    fill(place, h("div.bar", h("h1", "Live"), pause, chips, more, search, h("span.grow"), rates), split);

    const drawSoon = later(drawMilliseconds, () => draw());
    let waiting = false;
    const drawLater = () => {
        // Under a steady stream the pause between rows never comes: it is drawn at least so often.
        if (waiting) return;
        waiting = true;
        setTimeout(() => {
            waiting = false;
            if (!context.signal.aborted) draw();
        }, drawMilliseconds);
    };
    const draw = () => {
        shown = all.filter(fits);
        rows.refresh(shift);
        shift = 0;
        fill(pause, isPaused ? "▸ Resume" : "❚❚ Pause", held.length ? h("span.count", `${held.length} new`) : null);
    };
    const isHeld = () => isPaused || rows.scroller.scrollTop > 4;
    const take = (one) => {
        if (isHeld()) {
            held.push(one);
            if (held.length > storiesMax) held.shift();
            drawLater();
            return;
        }
        all.unshift(one);
        if (all.length > storiesMax) all.length = storiesMax;
        drawLater();
    };
    const release = () => {
        if (!held.length || isHeld()) return;
        all = [...held.reverse(), ...all].slice(0, storiesMax);
        held = [];
        draw();
    };
    function setPaused(to) {
        isPaused = to;
        if (!to) {
            rows.scroller.scrollTop = 0;
            release();
        }
        announce(to ? "Paused" : "Goes on");
        draw();
    }
    rows.scroller.addEventListener("scroll", release, { passive: true });

    const clear = () => {
        search.value = "";
        router.replace({ params: Object.fromEntries(Object.keys(tests).map((name) => [name, null])) });
    };
    const drawFilters = () => {
        const { params } = context.route;
        const toggle = (name, value) => router.replace({ params: { [name]: params[name] ? null : value } });
        fill(chips,
            chip("errors only", null, { pressed: Boolean(params.errors), onclick: () => toggle("errors", "1") }),
            chip(`${slowMilliseconds} ms or more`, null, { pressed: Boolean(params.slow), onclick: () => toggle("slow", "1") }),
            ["caller", "operation", "model"].filter((name) => params[name]).map((name) => chip(`${name} ${params[name]}`, null, { onremove: () => toggle(name) })));
    };
    const searchSoon = later(150, () => router.replace({ params: { search: search.value || null } }));
    search.addEventListener("input", searchSoon);
    menu(more, () => {
        const values = (name, of) => [...new Set(all.flatMap(of))].filter(Boolean).slice(0, 12).map((value) => ({ label: `${name} ${value}`, run: () => router.replace({ params: { [name]: value } }) }));
        const groups = [values("caller", (one) => [one.caller?.label]), values("model", (one) => one.models ?? []), values("operation", (one) => (one.kind === "event" ? [] : [one.operation, ...(one.fields ?? [])]))].filter((group) => group.length);
        return groups.length ? groups.flatMap((group, index) => (index ? ["-", ...group] : group)) : [{ label: "Filters come with the first requests", disabled: true, run() {} }];
    });

    const open = (id) => {
        if (id === null || id === undefined) return;
        router.go("live", [String(id)], context.route.params);
    };
    const closeSide = () => {
        router.go("live", [], context.route.params);
        rows.select(null);
        rows.focus();
    };
    const drawSide = async (id) => {
        if (id === opened) return;
        opened = id;
        side.hidden = !id;
        split.classList.toggle("whole", !id);
        if (!id) {
            rows.select(null);
            return;
        }
        const row = all.find((one) => String(one.id) === id);
        if (row) rows.select(row.id);
        if (row && row.kind !== "event") fill(side, head(row), story(row));
        try {
            const one = await busy(side, server.get(`/live/${encodeURIComponent(id)}`, {}, { signal: context.signal }));
            if (opened !== id) return;
            fill(side, head(one), denials(one.denials), story(one, { extra: one.query ? h("div.row", link("explorer", ["replay", id], {}, "Replay in Explorer")) : null }),
                one.query ? h("section", h("h3", "Query"), h("pre.asked", one.query), one.variables && Object.keys(one.variables).length ? [h("h3", "Variables"), h("pre.asked", JSON.stringify(one.variables, null, 2))] : null) : null);
        } catch (error) {
            if (opened === id) fill(side, row ? head(row) : head({ fields: [`Request ${id}`], caller: {} }), problem(error));
        }
    };
    const head = (one) => h("header", h("h2.cut", one.fields?.[0] ?? one.name ?? "", one.caller?.label ? h("span.quiet", " by ", person(one.caller.label)) : null), h("span.grow"), h("button.sign.plain", { onclick: closeSide, "aria-label": "Close", dataset: { key: "close" } }, "×"));

    const showSubscribers = async () => {
        const body = h("div.pad", "…");
        dialog({ title: "Subscribers", body, wide: true });
        try {
            const { subscribers } = await server.get("/subscribers", {}, { signal: context.signal });
            fill(body, subscribers.length ? h("table.plain-table", h("thead", h("tr", ["who", "subscription", "filter"].map((title) => h("th", { scope: "col" }, title)))),
                h("tbody", subscribers.map((one) => h("tr", h("td", one.caller ?? "somebody", one.mode ? h("span.small.quiet", ` ${one.mode}`) : null), h("td", h("code", one.operation)), h("td.quiet", one.filter)))))
                : "Nobody is subscribed now.");
        } catch (error) {
            fill(body, problem(error));
        }
    };
    const drawRates = (stats) => {
        fill(rates, chip(`${stats.requestsPerSecond < 10 ? Number(stats.requestsPerSecond.toFixed(1)) : Math.round(stats.requestsPerSecond)} requests/s`),
            stats.lost ? chip(`${stats.lost} too many to show`) : null,
            chip(plural(stats.subscribers, "subscriber"), null, { onclick: showSubscribers, title: "Who is subscribed to what" }));
    };

    const begin = async () => {
        let after;
        try {
            const recent = await busy(rows.node, server.get("/live/recent", { limit: 200, watch: true }, { signal: context.signal }));
            ({ epoch } = recent);
            all = [...recent.stories, ...recent.events.map(eventRow)].sort((one, other) => numberOf(other) - numberOf(one));
            after = all[0] ? numberOf(all[0]) : undefined;
            draw();
        } catch (error) {
            if (error.name === "AbortError") return;
        }
        feed({
            after, epoch, signal: context.signal,
            open: () => place.classList.remove("is-lost"),
            on: {
                hello: (data) => {
                    if (epoch !== null && data.epoch !== epoch) {
                        all = [];
                        held = [];
                        draw();
                    }
                    ({ epoch } = data);
                },
                request: (one) => { if (!all.some((each) => each.id === one.id)) take(one); },
                event: (one) => {
                    // Each of the server's loops tells its part of an event: what comes last has all of it.
                    const row = eventRow(one);
                    const at = all.findIndex((each) => each.id === row.id);
                    if (at < 0) take(row);
                    else {
                        all[at] = row;
                        drawLater();
                    }
                },
                stats: drawRates,
            },
            lost: (error) => {
                place.classList.add("is-lost");
                if (error.status) fill(side, problem(error));
            },
        });
    };
    begin();
    drawFilters();
    names.load();
    names.watch(() => { rows.refresh(); }, context.signal);
    context.shortcuts.add({ keys: "Space", says: "Pause, or go on", run: () => setPaused(!isPaused), when: (event) => !event.target.closest("button, a, summary, [role=grid]") });
    context.shortcuts.add({ keys: "/", says: "Filter", run: () => search.focus() });
    context.shortcuts.add({ keys: "Escape", says: "Close the story", run: closeSide, when: () => opened });
    context.signal.addEventListener("abort", () => { drawSoon.stop(); rows.destroy(); });

    return {
        update(route) {
            drawFilters();
            if (document.activeElement !== search) search.value = route.params.search ?? "";
            draw();
            drawSide(route.path[0] ?? null);
        },
    };
}

export default { title: "Live", mount };
