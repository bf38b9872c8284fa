// Records in and out: a selection as a file of JSON or CSV, and such a file as new records.

import { fill, h } from "../../parts/dom.js";
import { bytes, count, plural, shorten } from "../../parts/format.js";
import { dialog } from "../../parts/dialog.js";
import { announce, problem, toast } from "../../parts/notice.js";
import { choice, field } from "../../parts/form.js";
import { caller } from "../../state/caller.js";
import { overview } from "../../state/overview.js";
import { server } from "../../state/server.js";
import { wordOf, wordsOf } from "./models.js";

/** What the server takes at once. */
const importBytesMax = 16_777_216;
/** How many lines that failed are shown; the server tells the number of all. */
const failedMax = 100;

/** Saves records as a file. `keys` are those that were chosen, or null for all that the filters meet. */
export async function exportRows({ model, query, keys, format, signal }) {
    try {
        await server.download("/export", { model: model.name, ...query, keys, as: caller.as, format }, { name: `${model.name}.${format}`, signal });
        announce(`${model.name}.${format} was saved`);
    } catch (error) {
        if (error.name !== "AbortError") await dialog({ title: "Nothing was exported", body: problem(error), actions: [{ label: "Close", value: true, main: true }] });
    }
}

/** What the menu of exports offers. */
export function exportItems({ model, query, chosen, total, signal }) {
    const run = (format, keys) => () => exportRows({ model, query: query(), keys, format, signal });
    const all = query().filter.length ? `The ${wordsOf(model)} of this filter` : `All ${wordsOf(model)}`;
    const items = [];
    if (chosen.length) {
        const what = `${count(chosen.length)} chosen`;
        items.push({ label: `${what} as JSON`, run: run("json", chosen) }, { label: `${what} as CSV`, run: run("csv", chosen) }, "-");
    }
    return [...items, { label: `${all} as JSON`, detail: total, run: run("json", null) }, { label: `${all} as CSV`, detail: total, run: run("csv", null) }];
}

const formatOf = (name) => (/\.csv$/i.test(name) ? "csv" : "json");

/** What a file seems to hold, before it is sent: read here, so that a mistake is seen at once. */
async function glance(file, format) {
    const head = await file.slice(0, 65_536).text();
    if (format === "csv") {
        const line = head.split(/\r?\n/, 1)[0] ?? "";
        return { names: line.split(",").map((name) => name.replace(/^"|"$/g, "").trim()).filter(Boolean), number: null };
    }
    if (file.size > importBytesMax) return { names: [], number: null };
    let value;
    try {
        value = JSON.parse(await file.text());
    } catch (error) {
        throw new Error(`${file.name} is not JSON: ${error.message}`);
    }
    if (!Array.isArray(value)) throw new Error(`${file.name} is JSON, but not a list. It begins with [ and holds one object for each record.`);
    const names = new Set();
    for (const each of value.slice(0, 100)) for (const name of Object.keys(each ?? {})) names.add(name);
    return { names: [...names], number: value.length };
}

/** Asks for a file, and makes records of it. Gives whether anything was created. */
export async function importRows({ model, signal }) {
    const chosen = h("input.in", { type: "file", accept: ".json,.csv,application/json,text/csv" });
    const file = field({ label: "File", hint: `JSON: a list of objects. CSV: names in the first line. Up to ${bytes(importBytesMax)} and 10,000 records.`, control: chosen });
    const format = choice({ value: "json", options: [["json", "JSON"], ["csv", "CSV"]] });
    const found = h("div.found", { "aria-live": "polite" });
    const state = h("div", { "aria-live": "polite" });
    const known = new Set(model.fields.filter((each) => each.kind !== "relation").map((each) => each.name));
    let created = 0;

    async function look() {
        const picked = chosen.files?.[0];
        fill(state);
        if (!picked) return;
        file.error(null);
        try {
            const { names, number } = await glance(picked, format.value);
            const strange = names.filter((name) => !known.has(name) && !name.startsWith("_"));
            fill(found, h("p.quiet", `${bytes(picked.size)}${number === null ? "" : `, ${plural(number, wordOf(model), wordsOf(model))}`}`, names.length ? `: ${shorten(names.join(", "), 160)}` : ""),
                strange.length ? h("div.block.partly", h("p", `${model.name} has no ${shorten(strange.join(", "), 120)}.`)) : null);
        } catch (error) {
            fill(found);
            file.error(error.message);
        }
    }
    chosen.addEventListener("change", () => {
        if (chosen.files?.[0]) format.value = formatOf(chosen.files[0].name);
        look();
    });
    format.addEventListener("change", look);

    async function send() {
        const picked = chosen.files?.[0];
        if (!picked) {
            file.error("Choose a file.");
            chosen.focus();
            return false;
        }
        if (picked.size > importBytesMax) {
            file.error(`${bytes(picked.size)} are more than ${bytes(importBytesMax)}. Take several files, or "homeport import", which has no such limit.`);
            return false;
        }
        const bar = h("progress", { max: "1", "aria-label": "Upload" });
        fill(state, bar);
        try {
            const answer = await server.upload("/import", new Blob([picked], { type: format.value === "csv" ? "text/csv" : "application/json" }), {
                method: "POST", params: { model: model.name, format: format.value, as: JSON.stringify(caller.as) }, signal,
                onprogress: (sent, all) => { if (all && sent < all) bar.value = sent / all; else bar.removeAttribute("value"); },
            });
            created += answer.created;
            overview.refresh().catch(() => {});
            if (!answer.failedCount) {
                toast(`${plural(answer.created, wordOf(model), wordsOf(model))} ${answer.created === 1 ? "was" : "were"} created`);
                return true;
            }
            fill(state, h("div.block.no", h("p", `${count(answer.created)} created, ${count(answer.failedCount)} not:`),
                h("ul.left", answer.failed.slice(0, failedMax).map((each) => h("li", h("b", `line ${each.line}`), ` ${each.message}`)))));
        } catch (error) {
            if (error.name !== "AbortError") fill(state, problem(error));
        }
        return false;
    }

    await dialog({
        title: `Import ${wordsOf(model)}`,
        body: h("div.stack", file.node, field({ label: "Format", control: format }).node, found,
            h("p.quiet", caller.isAdmin ? "Each record is created as the administrator: rules are not asked, the schema's types are." : `Each record is created as ${caller.label}, by the rules of the schema.`), state),
        actions: [{ label: "Close", value: false }, { label: `Import ${wordsOf(model)}`, value: true, main: true, run: send }],
    });
    return created > 0;
}
