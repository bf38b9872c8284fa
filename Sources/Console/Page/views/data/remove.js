// Deleting records: first what else would be left behind, then the deletion, as whoever the page runs as.

import { h } from "../../parts/dom.js";
import { count, plural, shorten } from "../../parts/format.js";
import { dialog } from "../../parts/dialog.js";
import { announce, toast } from "../../parts/notice.js";
import { denials } from "../../parts/denial.js";
import { caller } from "../../state/caller.js";
import { overview } from "../../state/overview.js";
import { server } from "../../state/server.js";
import { wordOf, wordsOf, fieldOf } from "./models.js";

/** How many one request deletes. */
const deletesMax = 100;
/** How many are named before it. */
const namesMax = 5;

async function childrenOf(model, keys, signal) {
    const sums = new Map();
    for (let from = 0; from < keys.length; from += deletesMax) {
        const { children } = await server.post("/children", { model: model.name, keys: keys.slice(from, from + deletesMax) }, { signal });
        for (const child of children) {
            const name = `${child.model}\n${child.field}`;
            sums.set(name, { ...child, count: (sums.get(name)?.count ?? 0) + child.count });
        }
    }
    return [...sums.values()].filter((child) => child.count > 0);
}

function leftBehind(schema, model, child) {
    const other = schema.model(child.model);
    const relation = fieldOf(model, child.field)?.relation;
    const words = other ? plural(child.count, wordOf(other), wordsOf(other)) : `${count(child.count)} of ${child.model}`;
    if (relation?.kind === "manyToMany") return h("li", h("b", words), ` that ${child.count === 1 ? "joins" : "join"} it with others (${child.field})`);
    return h("li", h("b", words), ` whose ${child.targetFields.join(", ")} ${child.count === 1 ? "points" : "point"} to it (${child.field})`);
}

/** Asks, and deletes. Gives whether all of them are gone. `versions` are those that synced records had when they were read. */
export async function removeRecords({ schema, model, keys, names, versions = [], signal }) {
    const number = keys.length;
    const what = number === 1 ? `${wordOf(model)} ${shorten(names[0], 40)}` : plural(number, wordOf(model), wordsOf(model));
    const children = await childrenOf(model, keys, signal);
    const action = number === 1 ? `Delete ${wordOf(model)}` : `Delete ${plural(number, wordOf(model), wordsOf(model))}`;
    const body = h("div.stack",
        number > 1 ? h("p", shorten(names.slice(0, namesMax).join(", "), 200), number > namesMax ? ` and ${plural(number - namesMax, "other")}` : "") : null,
        children.length
            ? h("div.block.partly", h("p", "These stay, without their parent:"), h("ul.left", children.map((child) => leftBehind(schema, model, child))))
            : h("p.quiet", "Nothing else points to it."),
        h("p.quiet", caller.isAdmin ? "It is deleted as the administrator: rules are not asked. Subscribers are told." : `It is deleted as ${caller.label}, by the rules of the schema. Subscribers are told.`));
    if (number > 1) body.querySelector("p.quiet")?.replaceChildren(children.length ? "" : "Nothing else points to them.");
    const isMeant = await dialog({ title: `Delete ${what}?`, body, actions: [{ label: "Keep", value: false }, { label: action, value: true, danger: true }] });
    if (!isMeant) return false;

    const failed = [];
    let denied = [];
    for (let from = 0; from < number; from += deletesMax) {
        const inputs = keys.slice(from, from + deletesMax).map((key, index) => (model.synced && versions[from + index] !== undefined ? { ...key, _version: versions[from + index] } : key));
        const answer = await server.post("/change", { as: caller.as, model: model.name, operation: "delete", inputs }, { signal });
        answer.results?.forEach((result, index) => { if (result.errors?.length) failed.push({ name: names[from + index], errors: result.errors }); });
        if (answer.denials?.length) denied = answer.denials;
        if (number > deletesMax) announce(`${count(Math.min(from + deletesMax, number))} of ${count(number)}`);
    }
    overview.refresh().catch(() => {});
    const gone = number - failed.length;
    if (gone) toast(gone === 1 && number === 1 ? `${model.name} ${shorten(names[0], 40)} was deleted` : `${plural(gone, wordOf(model), wordsOf(model))} ${gone === 1 ? "was" : "were"} deleted`);
    if (failed.length) {
        await dialog({ title: `${plural(failed.length, wordOf(model), wordsOf(model))} could not be deleted`, wide: denied.length > 0, body: h("div.stack",
            denied.length ? denials(denied) : null,
            h("ul.left", failed.slice(0, 20).map((each) => h("li", h("b.mono", each.name), ` ${each.errors[0].message}`)))),
        actions: [{ label: "Close", value: true, main: true }] });
    }
    return failed.length === 0;
}
