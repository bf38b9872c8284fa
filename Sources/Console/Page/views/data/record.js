// A record in the panel beside the table: its values in a form, what leads away from it, and what may be done with it.

import { h, fill, freshId } from "../../parts/dom.js";
import { count, moment, plural, shorten } from "../../parts/format.js";
import { announce, problem, toast } from "../../parts/notice.js";
import { denials } from "../../parts/denial.js";
import { chip } from "../../parts/chip.js";
import { router, address } from "../../state/router.js";
import { caller } from "../../state/caller.js";
import { server } from "../../state/server.js";
import { draft } from "../../state/drafts.js";
import { overview } from "../../state/overview.js";
import { controlFor } from "./fields.js";
import { Wrong, textOf } from "./values.js";
import { columnsOf, isToMany, keyName, keyPath, keyText, nameField, targetKey, wordOf, articled, fieldOf } from "./models.js";
import { removeRecords } from "./remove.js";

const same = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** What the caller may do with the record, as a chip. */
function mayChip(row) {
    if (caller.isAdmin || !row?.key) return null;
    const who = caller.label;
    if (row.hidden === true) return chip(`hidden from ${who}`, "no");
    const update = row.may?.update;
    if (update === true) return chip(`${who} may change it`, "yes");
    if (Array.isArray(update) && update.length) return chip(`${who} may change ${shorten(update.join(", "), 40)}`, "partly");
    return chip(`${who} may only read`, "partly");
}

/** Records that a foreign key may point to, for the list that opens below its control. */
async function recordsOf(model) {
    const name = nameField(model);
    const { rows } = await server.post("/rows", { model: model.name, filter: [], sort: [], limit: 50, cursor: null });
    return rows.map((row) => [textOf(row.key[model.key[0]]), name ? textOf(row.values[name.name]) : ""]);
}

/**
 * The panel of a record, or of one that is to be: then `key` is null, and `given` are the values that it starts with.
 *
 * `done(row)` is called when something was written, `gone()` when the record was deleted, `close()` to leave.
 */
export function recordPanel({ schema, model, key, path, given = {}, done, gone, close, signal }) {
    const word = wordOf(model);
    const isNew = key === null;
    const kept = draft(`data/${caller.word}/${model.name}/${isNew ? "new" : keyName(model, key)}`);
    const node = h("form.record", { novalidate: true, "aria-label": isNew ? `New ${word}` : `${model.name} ${keyText(model, key)}` });
    const answer = h("div.answer");
    const cancelButton = h("button", { dataset: { key: "cancel" }, onclick: () => (kept.value ? discard() : close()) });
    const saveButton = h("button.main", { type: "submit", title: "Ctrl Enter" }, isNew ? `Create ${word}` : "Save");
    let row = null;
    let entries = [];
    let isSaving = false;

    node.addEventListener("submit", (event) => {
        event.preventDefault();
        save();
    });
    node.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            save();
        } else if (event.key === "Enter" && event.target.tagName === "INPUT" && !event.defaultPrevented) {
            event.preventDefault();
            save();
        }
    });

    function load() {
        if (isNew) {
            row = { key: null, values: {}, hidden: null, may: null, related: {} };
            build();
            return Promise.resolve();
        }
        return server.post("/row", { model: model.name, key, as: caller.as }, { signal }).then((found) => {
            row = found;
            build();
        }, (error) => {
            if (signal.aborted) return;
            if (error.status === 404) fill(node, h("p.empty", `There is no ${word} ${keyText(model, key)}. It may have been deleted.`));
            else fill(node, problem(error, load));
        });
    }

    /** Why a field's control is not there to be changed, or null. */
    function fixed(field) {
        if (row.hidden === true || row.hidden?.includes?.(field.name)) return "hidden";
        if (!isNew && (field.isKey || model.key.includes(field.name))) return "key";
        if (!field.isWritable) return "kept by the server";
        if (!isNew && Array.isArray(row.may?.update) && !row.may.update.includes(field.name)) return "may not";
        if (!isNew && row.may?.update === false) return "may not";
        return null;
    }

    function entryFor(field) {
        const id = freshId("field");
        const errorId = freshId("error");
        const value = isNew ? given[field.name] : row.values[field.name];
        const why = fixed(field);
        const error = h("em.error", { id: errorId, hidden: true });
        const words = [field.type, field.isOwner ? "owner" : null, why === "key" ? "key" : null].filter(Boolean).join(" · ");
        const label = h("label", { for: id, id: `${id}-label` }, field.name, h("small", words));
        const entry = { field, why, error, first: value ?? null, isTouched: false, control: null, id };
        if (why === "hidden") {
            entry.node = h("div.field", label, h("div.in.hid", { id, role: "note" }, `hidden from ${caller.label}`));
            return entry;
        }
        if (why) {
            const at = field.isTimestamp ? value : null;
            const isFlat = Array.isArray(value) && value.every((each) => typeof each !== "object");
            const shown = value === null || value === undefined ? h("span.quiet", "null") : isFlat ? value.join(", ") : textOf(value);
            entry.node = h("div.field", label, h("output.in.fixed", { id, class: field.isTimestamp || field.base === "ID" ? "mono" : "" }, shown), at ? h("span.note", moment(at)) : null,
                why === "may not" ? h("span.visually-hidden", `${caller.label} may not change it`) : null);
            return entry;
        }
        const relation = model.fields.find((each) => each.relation?.kind === "belongsTo" && each.relation.fields.length === 1 && each.relation.fields[0] === field.name);
        const target = relation ? schema.model(relation.relation.model) : null;
        const typed = kept.value?.[field.name];
        entry.control = controlFor(field, typed !== undefined ? typed : value, {
            changed: () => { entry.isTouched = true; check(entry); note(); },
            attributes: { id, "data-key": `field-${field.name}`, "aria-describedby": errorId, "aria-required": field.isRequired ? "true" : null },
            options: target && target.key.length === 1 ? () => recordsOf(target) : null,
        });
        entry.node = h("div.field", { dataset: { field: field.name } }, label, entry.control.node, error);
        entry.node.addEventListener("focusout", () => { if (entry.isTouched) check(entry); });
        return entry;
    }

    /** A default, a key, an owner and times are filled in by the server. */
    const isFilledIn = (field) => field.isKey && field.base === "ID" || field.isOwner || field.isTimestamp || field.default !== null && field.default !== undefined;

    /** Reads a control; what is wrong with it stands below it. Gives undefined for what is wrong. */
    function check(entry, isLast = false) {
        let words = null;
        let value;
        try {
            value = entry.control.read();
            if (value === null && entry.field.isRequired && !(isNew && isFilledIn(entry.field)) && (isLast || entry.isTouched)) words = `${entry.field.name} is required`;
        } catch (error) {
            if (!(error instanceof Wrong)) throw error;
            words = error.message;
            value = undefined;
        }
        say(entry, words);
        return words === null ? value : undefined;
    }

    function say(entry, words) {
        const isBad = words !== null;
        entry.error.textContent = words ?? "";
        entry.error.hidden = !words;
        const input = entry.node.querySelector(`#${entry.id}`);
        if (isBad) input?.setAttribute("aria-invalid", "true");
        else input?.removeAttribute("aria-invalid");
    }

    /** What would be sent: all that is given in a new record, what differs in another. */
    function changes(isLast = false) {
        const input = {};
        let wrong = null;
        for (const entry of entries) {
            if (!entry.control) continue;
            const value = check(entry, isLast);
            if (value === undefined) wrong ??= entry;
            else if (isNew ? value !== null : !same(value, entry.first)) input[entry.field.name] = value;
        }
        return { input, wrong };
    }

    function note() {
        const typed = {};
        let number = 0;
        for (const entry of entries) {
            if (!entry.control) continue;
            let value;
            try {
                value = entry.control.read();
            } catch {
                value = undefined;
            }
            const differs = value === undefined || !same(value, isNew ? given[entry.field.name] ?? null : entry.first);
            entry.node.classList.toggle("changed", differs && !isNew);
            if (differs) number += 1;
            if (differs && value !== undefined) typed[entry.field.name] = value;
        }
        if (Object.keys(typed).length) kept.value = typed;
        else kept.clear();
        saveButton.disabled = !isNew && number === 0;
        cancelButton.textContent = isNew ? "Cancel" : number ? "Take back" : "Close";
        if (!isNew) saveButton.textContent = number ? `Save ${plural(number, "change")}` : "Save";
    }

    function relationLinks() {
        const relations = model.fields.filter((field) => field.kind === "relation");
        if (!relations.length || isNew || row.hidden === true) return null;
        return h("section.relations", { "aria-label": "Related records" }, relations.map((field) => {
            const isHidden = row.hidden?.includes?.(field.name);
            if (isHidden) return h("div.relation", h("span", field.name), h("span.hid", "hidden"));
            const to = [...path, field.name];
            const kind = h("small", isToMany(field) ? ` [${field.relation.model}]` : ` ${field.relation.model}`);
            if (isToMany(field)) {
                const number = row.related?.[field.name];
                const text = number === undefined || number === null ? "open" : number >= 1000 ? "1,000 or more" : count(number);
                return h("a.relation", { href: address("data", to, listParams()) }, h("span", field.name, kind), h("span.rel", text, " ▸"));
            }
            const found = targetKey(schema, field, row.values);
            const target = schema.model(field.relation.model);
            if (!found && field.relation.kind === "belongsTo") return h("div.relation", h("span", field.name, kind), h("span.quiet", "none"));
            return h("a.relation", { href: address("data", found ? [...to, ...keyPath(target, found)] : to, listParams()) },
                h("span", field.name, kind), h("span.rel", found ? shorten(keyText(target, found), 24) : "open", " ▸"));
        }));
    }

    /** What stands in the address of the table stays there while one walks beside it. */
    const listParams = () => ({ filter: router.now.params.filter, match: router.now.params.match, sort: router.now.params.sort });

    function build() {
        const columns = columnsOf(model).filter((field) => field.kind !== "relation");
        const shown = isNew ? columns.filter((field) => field.isWritable) : columns;
        // What has to be given comes first in a new record, what the server would fill in last.
        if (isNew) shown.sort((one, other) => Number(isFilledIn(one)) - Number(isFilledIn(other)));
        entries = row.hidden === true ? [] : shown.map(entryFor);
        const extra = !isNew && row.values._version !== undefined
            ? h("p.note", `version ${row.values._version}, changed ${moment(row.values._lastChangedAt)}${row.values._deleted ? ", deleted" : ""}`) : null;
        const mayDelete = caller.isAdmin || row.may?.delete !== false;
        const why = !caller.isAdmin && row.denials?.length && (row.hidden === true || row.may?.update !== true) ? denials(row.denials) : null;
        fill(answer, row.hidden === true ? [h("p", `${caller.label} cannot see this ${word}. As the administrator one sees all of it: choose who looks in the bar above.`), why] : null);
        fill(node,
            h("div.fields",
                h("div.may", mayChip(row)),
                answer,
                entries.map((entry) => entry.node),
                extra,
                relationLinks(),
                row.hidden !== true && why ? h("details.why", h("summary", `Why ${caller.label} may not change all of it`), why) : null),
            h("div.actions", row.hidden === true && !isNew ? null : saveButton, cancelButton, h("span.grow"),
                isNew ? null : h("button.danger", { disabled: !mayDelete, title: mayDelete ? null : `${caller.label} may not delete it`, onclick: remove }, "Delete")));
        note();
    }

    function discard() {
        kept.clear();
        if (isNew) close();
        else {
            build();
            announce("The changes were taken back");
        }
    }

    async function save() {
        if (isSaving || saveButton.disabled) return;
        const { input, wrong } = changes(true);
        if (wrong) {
            wrong.control.focus();
            announce(wrong.error.textContent || `${wrong.field.name} is not right`, true);
            return;
        }
        isSaving = true;
        saveButton.disabled = true;
        try {
            const body = { as: caller.as, model: model.name, operation: isNew ? "create" : "update", input: isNew ? input : { ...row.key, ...input }, condition: null };
            if (!isNew && model.synced && row.values._version !== undefined) body.input._version = row.values._version;
            const result = await server.post("/change", body, { signal });
            if (result.response?.errors?.length) refuse(result);
            else {
                kept.clear();
                toast(isNew ? `${articled(wordOf(model)).replace(/^./, (letter) => letter.toUpperCase())} was created` : `${model.name} ${shorten(keyText(model, row.key), 40)} was saved`);
                overview.refresh().catch(() => {});
                await done(result.row ?? row.key);
                if (!isNew) {
                    await load();
                    if (document.activeElement === document.body) cancelButton.focus();
                }
            }
        } catch (error) {
            if (!signal.aborted) fill(answer, problem(error));
        } finally {
            isSaving = false;
            saveButton.disabled = false;
            if (!signal.aborted && row) note();
        }
    }

    /** The server said no: why, and at which field. */
    function refuse(result) {
        let first = null;
        const left = [];
        for (const error of result.response.errors) {
            const named = (error.path ?? []).map(String);
            const entry = entries.find((each) => each.control && (named.includes(each.field.name) || new RegExp(`\\b${each.field.name}\\b`).test(error.message)));
            if (entry && !result.denials?.length) {
                say(entry, error.message);
                first ??= entry;
            } else left.push(error);
        }
        const block = result.denials?.length ? denials(result.denials) : null;
        fill(answer, block, block ? null : left.map((error) => h("div.block.no", { role: "alert" }, error.message)));
        if (first) first.control.focus();
        else answer.scrollIntoView({ block: "nearest" });
        announce(result.response.errors[0].message, true);
    }

    async function remove() {
        const isGone = await removeRecords({ schema, model, keys: [row.key], names: [keyText(model, row.key)], versions: [row.values._version], signal });
        if (!isGone) return;
        kept.clear();
        gone();
    }

    return {
        node,
        loaded: load(),
        focus() {
            const first = entries.find((entry) => entry.control && !entry.field.isKey) ?? entries.find((entry) => entry.control);
            if (first) first.control.focus();
            else node.querySelector("button")?.focus();
        },
        remove: () => { if (row && !isNew) remove(); },
        fieldOf: (name) => fieldOf(model, name),
    };
}
