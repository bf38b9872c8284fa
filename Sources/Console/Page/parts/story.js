// What happened: a request as steps with their times, its SQL with the index used, its commit, and each event with who got it and who did not, and why.

import { h } from "./dom.js";
import { bytes, clock, plural, took } from "./format.js";
import { chip } from "./chip.js";

const results = {
    ok: ["yes", "ok"], partial: ["partly", "partial"], error: ["no", "error"], denied: ["no", "denied"], refused: ["no", "refused"], started: ["yes", "started"],
};

/** A chip for how it ended, in the words of the error where there is one. */
export function resultChip(story) {
    const [tone, word] = results[story.result] ?? [null, story.result];
    const status = story.status >= 400 ? `${story.status} ` : "";
    return chip(story.errors?.[0]?.errorType && tone === "no" ? story.errors[0].errorType : `${status}${word}`, tone);
}

/** "1.25 ms", "40 µs": of what is quick the thousandths tell more. */
const spent = (milliseconds) => (milliseconds === null || milliseconds === undefined ? "" : milliseconds < 1 ? `${Math.round(milliseconds * 1000)} µs` : `${milliseconds.toFixed(2)} ms`);

const step = (what, milliseconds, { off = false, detail } = {}) =>
    h("li.step", { class: off ? "off" : "" }, h("span.mark", { "aria-hidden": "true" }, off ? "–" : "•"),
        h("div", h("span", what), (Array.isArray(detail) ? detail : [detail]).filter(Boolean).map((line) => h("code", line))),
        h("span.num.mono", spent(milliseconds)));

function statementStep(statement) {
    const times = statement.count > 1 ? ` · ${statement.count} times` : "";
    const scans = statement.plan?.some((line) => /^SCAN (?!CONSTANT)/.test(line) && !/USING/.test(line));
    return h("li.step", h("span.mark", { "aria-hidden": "true" }, "•"),
        h("details.statement",
            h("summary", h("code.cut", statement.sql)),
            h("pre", statement.sql)),
        h("span.num.mono", spent(statement.milliseconds)),
        h("p.small.quiet", plural(statement.rows ?? 0, "row"), times, statement.plan?.map((line) => [" · ", h("code", { class: scans ? "warns" : "" }, line)])));
}

const eventSteps = (events) => events.flatMap((event) => [
    h("li.step.head", h("span.mark", { "aria-hidden": "true" }, "•"), h("div", "Event ", h("b", event.mutation), event.deliveries.length ? null : ": nobody is subscribed"), h("span")),
    ...event.deliveries.map((delivery) => step(
        [delivery.sent ? "Sent to " : "Not sent to ", h("b", delivery.caller ?? "somebody"), ` (${delivery.subscription})`], null, { off: !delivery.sent, detail: delivery.why })),
    event.more ? step(`And ${plural(event.more, "subscriber")} more`) : null,
]);

const sentence = (text) => text[0].toUpperCase() + text.slice(1);

/** The steps of a story. `extra` comes between its head and its steps. */
export function story(one, { extra } = {}) {
    const told = one.steps ?? [];
    return h("div.story",
        h("div.row", resultChip(one), chip(took(one.milliseconds)), chip(`${plural(one.rowsRead ?? 0, "row")} read`),
            one.rowsWritten ? chip(`${plural(one.rowsWritten, "row")} written`) : null,
            chip(`${bytes(one.bytesIn)} in`), chip(`${bytes(one.bytesOut)} out`)),
        extra ?? null,
        one.errors?.map((error) => h("p.error", error.errorType ? h("b", `${error.errorType}: `) : null, error.message, error.reason ? h("span.quiet", ` ${error.reason}`) : null)),
        h("ol.steps", { "aria-label": "Steps, with milliseconds" },
            told.map((each) => step(sentence(each.what), each.milliseconds, { detail: each.detail })),
            one.statements?.map(statementStep),
            one.commit ? step(one.commit.shared > 1 ? `Durable, with ${plural(one.commit.shared - 1, "other")} in one commit` : "Durable, in a commit of its own", one.commit.milliseconds) : null,
            one.events ? eventSteps(one.events) : null),
        told.length || one.kind === "event" ? null : h("p.quiet", one.service ? "Only requests of the API have steps." : "Steps are noted while somebody looks at Live: this request came before, or was refused at once."),
        h("p.small.quiet", `${clock(one.at)} · ${one.transport ?? ""}${one.planCached ? " · plan from cache" : ""} · request ${one.id}`));
}
