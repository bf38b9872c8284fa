// The panel beside the table: a record, the records that belong to it, a record of those, and so on. The way there stands above.

import { fill, h } from "../../parts/dom.js";
import { shorten } from "../../parts/format.js";
import { empty, problem } from "../../parts/notice.js";
import { address, router } from "../../state/router.js";
import { caller } from "../../state/caller.js";
import { server } from "../../state/server.js";
import { recordPanel } from "./record.js";
import { relatedTable } from "./rows.js";
import { keyPath, keyText, relatedTo, wordOf, wordsOf } from "./models.js";
import { writeFilters } from "./filters.js";

const stepName = (step) => (step.kind === "record" ? `${step.model.name} ${shorten(keyText(step.model, step.key), 28)}` : step.field.name);

/** The panel for the steps of an address; `isNew`: a record that is to be, belonging to the last step. */
export function sidePanel({ schema, model, steps, isNew, listParams, changed, back }) {
    const control = new AbortController();
    const last = steps.at(-1) ?? null;
    const title = isNew ? `New ${wordOf(last?.model ?? model)}` : stepName(last);
    const heading = h("h2", { tabIndex: -1 }, title);
    const way = steps.slice(0, isNew ? steps.length : -1);
    const crumbs = way.length ? h("ol.crumbs", { "aria-label": "The way here" }, way.map((step) => h("li", h("a.link", { href: address("data", step.path, listParams()) }, stepName(step))))) : null;
    const body = h("div.side-body");
    let shown = null;

    const tools = h("span.row.tools");
    const node = h("div.panel",
        h("header", crumbs, h("div.row.head", h("button.sign.plain", { onclick: back, "aria-label": way.length ? "Back" : "Close", title: "Esc" }, way.length ? "‹" : "×"), heading, tools)),
        body);

    /** Values of the record that a related list belongs to: keys alone are enough where the relation goes by them. */
    async function parentValues(step) {
        const { parent, field } = step;
        const names = field.relation.fields.length ? field.relation.fields : parent.model.key;
        if (names.every((name) => name in parent.key)) return parent.key;
        const row = await server.post("/row", { model: parent.model.name, key: parent.key, as: caller.as }, { signal: control.signal });
        return row.values;
    }

    function showRecord(record, key, path, given) {
        shown = recordPanel({
            schema, model: record, key, path, given, signal: control.signal,
            done: async (row) => {
                changed();
                if (isNew && row) router.go("data", last?.kind === "related" ? last.path : [record.name, ...keyPath(record, row)], listParams());
            },
            gone: () => { changed(); back(); },
            close: back,
        });
        fill(body, shown.node);
        if (key) fill(tools, h("a.link", { href: address("access", ["record", record.name, ...keyPath(record, key)], {}), title: "Who can see this record?" }, "Permissions"));
    }

    async function showRelated(step) {
        try {
            const values = await parentValues(step);
            const { filter } = relatedTo(schema, step.parent.model, step.field, values);
            const target = step.model;
            const grid = relatedTable({
                schema, step, filter, path: step.path, params: listParams,
                onopen: (row) => router.go("data", [...step.path, ...keyPath(target, row.key)], listParams()),
                empty: () => empty(`${step.parent.model.name} ${shorten(keyText(step.parent.model, step.parent.key), 40)} has no ${step.field.relation.through ? step.field.name : wordsOf(target)} yet.`),
            });
            shown = { focus: () => grid.focus(), destroy: () => grid.destroy() };
            node.classList.add("related");
            fill(body, grid.node);
            fill(tools,
                h("a.link.only-wide", { href: address("data", [target.name], { filter: writeFilters(filter), match: null, sort: null }) }, "as a table"),
                h("button", { onclick: () => router.go("data", step.path, { ...listParams(), new: true }) }, `New ${wordOf(target)}`));
        } catch (error) {
            if (error.name !== "AbortError") fill(body, problem(error, () => showRelated(step)));
        }
    }

    async function showNew() {
        if (last?.kind !== "related") {
            showRecord(model, null, [model.name], {});
            return;
        }
        try {
            const values = await parentValues(last);
            const given = Object.fromEntries(relatedTo(schema, last.parent.model, last.field, values).filter.map((each) => [each.field, each.value]));
            showRecord(last.model, null, last.path, given);
            shown.focus();
        } catch (error) {
            if (error.name !== "AbortError") fill(body, problem(error, showNew));
        }
    }

    if (isNew) showNew();
    else if (last.kind === "related") showRelated(last);
    else showRecord(last.model, last.key, last.path, {});

    return {
        node, title,
        focus: () => heading.focus({ preventScroll: true }),
        focusField() {
            if (shown?.loaded) shown.loaded.then(() => shown.focus());
            else shown?.focus?.();
        },
        destroy() {
            control.abort();
            shown?.destroy?.();
        },
    };
}
