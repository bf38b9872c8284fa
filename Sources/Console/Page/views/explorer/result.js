// The answer: first what a person needs (errors, explained), then the JSON; what happened; headers. A subscription's events come in below
// each other.

import { fill, h, keyed } from "../../parts/dom.js";
import { chip } from "../../parts/chip.js";
import { denials } from "../../parts/denial.js";
import { jsonTokens } from "../../parts/editor.js";
import { clock, count, plural, took } from "../../parts/format.js";
import { json } from "../../parts/json.js";
import { empty, problem } from "../../parts/notice.js";
import { story } from "../../parts/story.js";
import { tabs } from "../../parts/tabs.js";
import { caller } from "../../state/caller.js";
import { link } from "../../state/router.js";

/** The newest events of a subscription that are shown. */
export const eventsMax = 200;

const samePath = (a, b) => a.length === b.length && a.every((part, index) => part === b[index]);

/** An error in words, with its place in the query. */
function errorBlock(error, onplace) {
    const [at] = error.locations ?? [];
    return h("section.block.no", { "aria-label": "Error" },
        h("h3", h("span.sign", { "aria-hidden": "true" }, "– "), error.errorType ? h("b", `${error.errorType}: `) : null, error.message),
        error.path?.length || at ? h("footer", error.path?.length ? ["at ", h("code", error.path.join(".")), " "] : null, at ? h("button.plain", { onclick: () => onplace(at.line, at.column) }, `Line ${at.line}`) : null) : null);
}

/** An event's JSON, coloured; events are short. */
function colouredJSON(value) {
    const text = JSON.stringify(value, null, 2) ?? "";
    const parts = [];
    let from = 0;
    for (const token of jsonTokens(text)) {
        if (token.start > from) parts.push(text.slice(from, token.start));
        parts.push(token.class ? h("span", { class: token.class }, text.slice(token.start, token.end)) : text.slice(token.start, token.end));
        from = token.end;
    }
    return h("pre.code", parts, text.slice(from));
}

/** What is denied or wrong stands at its field, too. */
function notesOf(answer) {
    const notes = new Map();
    for (const denial of answer.denials ?? []) if (denial.path?.length) notes.set(JSON.stringify(["data", ...denial.path]), denial.field ? `hidden from ${denial.who}: no rule allows ${denial.question}` : `denied for ${denial.who}, as told above`);
    for (const error of answer.response?.errors ?? []) {
        const key = error.path?.length ? JSON.stringify(["data", ...error.path]) : null;
        if (key && !notes.has(key)) notes.set(key, error.message);
    }
    return notes;
}

export function result({ onplace, onstop }) {
    const main = h("div.main-part");
    const happened = h("div.pad.scrolls");
    const headers = h("div.pad.scrolls");
    const streams = h("div.streams");
    const parts = tabs({ label: "Answer", items: [{ id: "result", title: "Result", panel: main }, { id: "happened", title: "What happened", panel: happened }, { id: "headers", title: "Headers", panel: headers }] });
    const node = h("div.result", { role: "region", "aria-label": "Answer" }, parts.node, streams);
    let shown = null;

    const explained = (answer) => {
        const told = answer.denials ?? [];
        const others = (answer.response?.errors ?? []).filter((error) => !told.some((denial) => samePath(denial.path ?? [], error.path ?? [])) && !(told.length && error.errorType === "Unauthorized" && told.some((denial) => !denial.path?.length)));
        return [denials(told), others.map((error) => errorBlock(error, onplace))];
    };
    const chips = (run) => {
        const { answer } = run;
        const errors = answer.response?.errors?.length ?? 0;
        const one = answer.happened;
        return h("div.row.pad", { role: "group", "aria-label": "In short" }, errors ? chip(plural(errors, "error"), answer.response?.data && Object.values(answer.response.data).some((value) => value !== null) ? "partly" : "no") : chip("ok", "yes"),
            answer.status !== 200 ? chip(`status ${answer.status}`) : null,
            one ? [chip(took(one.milliseconds)), chip(`${plural(one.rowsRead ?? 0, "row")} read`), chip(`${plural(one.rowsWritten ?? 0, "row")} written`)] : null,
            run.as === caller.label ? null : chip(`as ${run.as}`));
    };

    const eventNode = (event) => h("li.event", h("header", h("span.mono.small.quiet", clock(event.at)), event.data?.errors?.length ? chip(plural(event.data.errors.length, "error"), "no") : null), colouredJSON(event.data?.data ?? event.data));
    const drawStream = (run) => {
        const state = run.state === "waiting" ? chip("connecting") : run.state === "open" ? chip("listening", "yes") : run.state === "refused" ? chip("refused", "no") : chip(run.state === "lost" ? "lost" : "ended");
        const isNew = shown !== run;
        const head = h("div.row.pad", state, chip(plural(run.total, "event")), chip(`as ${run.as}`), ["waiting", "open"].includes(run.state) ? h("button", { onclick: () => onstop(run), dataset: { key: "stop" } }, "Stop listening") : null);
        if (isNew) {
            run.list = h("ol.events", { role: "log", "aria-label": "Events" });
            run.head = h("div");
            run.below = h("div");
            fill(main, h("div.stream", run.head, run.below, run.list));
        }
        const isAtEnd = run.list.scrollTop + run.list.clientHeight >= run.list.scrollHeight - 40;
        fill(run.head, head);
        fill(run.below, run.refusal ? h("div.pad.stack", explained({ response: { errors: run.refusal.errors }, denials: run.refusal.denials }), run.refusal.error ? problem(run.refusal.error) : null)
            : run.total === 0 ? h("p.pad.quiet", run.state === "open" ? "Nothing has happened yet. A mutation in another tab, or the app, makes events." : "") : null);
        keyed(run.list, run.events, (event) => event.number, eventNode);
        if (isAtEnd || isNew) run.list.scrollTop = run.list.scrollHeight;
    };
    const self = {
        node,
        get panel() { return main; },
        /** Shows a run; null where nothing ran yet. */
        show(run) {
            const before = shown;
            if (run?.events) drawStream(run);
            else if (!run) fill(main, empty("Results appear here. Write a query on the left and run it with Ctrl Enter."));
            else if (run.error) fill(main, h("div.pad", problem(run.error)));
            else if (run.answer && (before !== run || !main.contains(run.drawn ?? null))) {
                run.drawn = h("div.answer", chips(run), h("div.told", explained(run.answer)), json(run.answer.response, { label: "Answer", notes: notesOf(run.answer) }));
                fill(main, run.drawn);
            }
            const one = run?.answer?.happened ?? run?.happened;
            if (before !== run || !run || run.answer) {
                fill(happened, one ? [story(one), h("p", link("live", [one.id], {}, "Show in Live"))] : h("p.quiet", run?.events ? "A subscription's start stands in Live." : "How the last request went will stand here: its steps, its SQL, its events."));
                const list = run?.answer?.headers;
                fill(headers, list ? [h("p.row", chip(`status ${run.answer.status}`)), h("dl.facts", list.map(([name, value]) => [h("dt", name), h("dd.mono", value)]))] : h("p.quiet", "The headers of the answer will stand here."));
            }
            shown = run;
        },
        /** The subscriptions that run in other tabs. */
        showStreams(runs, onopen) {
            streams.hidden = runs.length === 0;
            keyed(streams, runs, (run) => run.id, (run) => h("div.stream-line", { dataset: { key: run.id } }), (line, run) => {
                const last = run.events.at(-1);
                fill(line, h("header", h("span.pulse", { "aria-hidden": "true" }, "•"), h("button.plain", { onclick: () => onopen(run), dataset: { key: `show-${run.id}` } }, run.title), h("span.small.quiet", `as ${run.as} · ${count(run.total)}`), h("span.grow"),
                    h("button.plain", { onclick: () => onstop(run), dataset: { key: `stop-${run.id}` } }, "Stop")),
                last ? h("div.last", h("span.mono.small.quiet", clock(last.at)), h("code.cut", JSON.stringify(last.data?.data ?? last.data))) : null);
            });
        },
        select: (id) => parts.select(id),
    };
    return self;
}
