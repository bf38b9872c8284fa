// The controls of a record's form, one for each kind of value. A control has `node`, `read()`, which gives the value or throws `Wrong`,
// and `focus()`; it calls `changed` whenever somebody changes something.

import { h, fill, freshId, measure } from "../../parts/dom.js";
import { moment } from "../../parts/format.js";
import { Wrong, parseValue, prettyJSON, ruleAgainst, textOf, timeOf } from "./values.js";

/** A control grows with its text up to so many lines. */
const linesMax = 16;

const isText = (field) => field.kind === "scalar" && (field.base === "String" || field.base === "ID");

/** One value of a list, or a field that is none: the same field without what belongs to the list. */
const itemOf = (field) => ({ ...field, isList: false, isRequired: true, validations: [] });

/** The control for a field. `attributes` go to what takes the focus: its id, what describes it. */
export function controlFor(field, value, { changed, attributes = {}, options = null }) {
    if (field.isList) return listControl(field, value, { changed, attributes });
    if (field.kind === "custom") return customControl(field, value, { changed, attributes });
    if (field.kind === "enum" || field.base === "Boolean") return choiceControl(field, value, { changed, attributes });
    return textControl(field, value, { changed, attributes, options });
}

function checked(field, value) {
    const problem = ruleAgainst(field, value);
    if (problem) throw new Wrong(problem);
    return value;
}

function choiceControl(field, value, { changed, attributes }) {
    const values = field.kind === "enum" ? field.values : ["true", "false"];
    const now = value === null || value === undefined ? "" : String(value);
    const known = now === "" || values.includes(now);
    const node = h("select.in", { ...attributes, onchange: changed, value: now },
        field.isRequired && now !== "" ? null : h("option", { value: "" }, field.isRequired ? "choose one" : "null"),
        known ? null : h("option", { value: now }, `${now} (no longer in the schema)`),
        values.map((each) => h("option", { value: each }, each)));
    return { node, focus: () => node.focus(), read: () => (node.value === "" ? null : parseValue(field, node.value)) };
}

/** Lets a text area be as high as its text. */
function grow(area) {
    measure(area, { height: "auto" });
    const border = area.offsetHeight - area.clientHeight;
    if (area.scrollHeight > 0) measure(area, { height: `${Math.min(area.scrollHeight + border, linesMax * 20)}px` });
}

function textControl(field, value, { changed, attributes, options }) {
    const { base } = field;
    const isLong = base === "String" || base === "AWSJSON";
    const isNumber = base === "Int" || base === "Float" || base === "AWSTimestamp";
    const first = base === "AWSJSON" ? prettyJSON(textOf(value)) : textOf(value);
    let isNull = value === null || value === undefined;
    const wasEmpty = value === "";
    const note = h("span.note", { "aria-live": "off" });

    const input = isLong
        ? h("textarea.in", { ...attributes, rows: 1, spellcheck: base === "String", class: base === "AWSJSON" ? "mono" : "", value: first, placeholder: field.isRequired ? "" : "null" })
        : h("input.in", { ...attributes, type: "text", inputmode: isNumber ? (base === "Float" ? "decimal" : "numeric") : null, autocomplete: "off", spellcheck: "false", value: first, placeholder: field.isRequired ? "" : "null", class: isText(field) ? "" : "mono" });

    const parts = [input];
    if (options) {
        const listId = freshId("records");
        input.setAttribute("list", listId);
        const choices = h("datalist", { id: listId });
        input.addEventListener("focus", () => options().then((all) => fill(choices, all.map(([key, name]) => h("option", { value: key }, name)))), { once: true });
        parts.push(choices);
    }
    const picker = pickerFor(field, input);
    if (picker) parts.push(picker);
    const clear = field.isRequired ? null : h("button.inside", { "aria-label": `Set ${field.name} to null`, title: "null", onclick: () => {
        input.value = "";
        isNull = true;
        show();
        changed();
        input.focus();
    } }, "×");
    if (clear) parts.push(clear);

    function show() {
        if (isLong) grow(input);
        if (clear) clear.hidden = isNull;
        const at = timeOf(field, input.value.trim());
        note.textContent = at ? moment(at) : !isNull && input.value === "" && isText(field) && !field.isRequired ? "a text without letters, not null" : "";
        note.hidden = note.textContent === "";
    }
    input.addEventListener("input", () => {
        isNull = input.value === "" && !isText(field);
        show();
        changed();
    });
    if (base === "AWSJSON") {
        input.addEventListener("blur", () => {
            input.value = prettyJSON(input.value);
            show();
        });
    }
    queueMicrotask(show);
    requestAnimationFrame(show);

    return {
        node: h("div.control", h("div.with", parts), note),
        focus: () => input.focus(),
        read() {
            const text = input.value;
            if (isNull) return null;
            if (text === "" && (field.isRequired && !wasEmpty || !isText(field))) return null;
            if (text === first && value !== null && value !== undefined) return value;
            return checked(field, parseValue(field, text));
        },
    };
}

/** The browser's own calendar and clock, beside a text that knows zones. */
function pickerFor(field, input) {
    const types = { AWSDate: "date", AWSDateTime: "datetime-local", AWSTime: "time" };
    const type = types[field.base];
    if (!type) return null;
    const native = h("input.picker", { type, tabIndex: -1, "aria-hidden": "true", step: type === "date" ? null : 1 });
    native.addEventListener("change", () => {
        if (!native.value) return;
        const at = type === "datetime-local" ? new Date(native.value) : null;
        input.value = at ? at.toISOString() : native.value;
        input.dispatchEvent(new Event("input", { bubbles: true }));
    });
    return [native, h("button.inside", { "aria-label": `Pick ${field.name}`, title: "Pick", onclick: () => {
        try {
            native.showPicker();
        } catch {
            input.focus();
        }
    } }, "▾")];
}

function customControl(field, value, { changed, attributes }) {
    const place = h("div.nested", { ...attributes, role: "group", tabIndex: -1 });
    let parts = null;

    function begin(values) {
        parts = field.fields.map((each) => {
            const id = freshId("part");
            const errorId = freshId("error");
            const error = h("em.error", { id: errorId, hidden: true });
            const control = controlFor(each, values?.[each.name] ?? null, { changed, attributes: { id, "aria-describedby": errorId, "aria-label": `${field.name} ${each.name}` } });
            return { field: each, control, error, node: h("div.field", h("label", { for: id }, each.name, h("small", each.type)), control.node, error) };
        });
        fill(place, parts.map((part) => part.node), field.isRequired ? null : h("button.link", { onclick: () => { clear(); changed(); } }, `Set ${field.name} to null`));
    }
    function clear() {
        parts = null;
        fill(place, h("div.row", h("button.link", { onclick: () => { begin({}); changed(); parts[0]?.control.focus(); } }, `Add ${field.name}`), field.isRequired ? null : h("span.quiet", "null")));
    }
    if (value === null || value === undefined) clear();
    else begin(value);

    return {
        node: place,
        focus: () => (parts?.[0] ? parts[0].control.focus() : place.querySelector("button")?.focus()),
        read() {
            if (!parts) return null;
            let problem = null;
            const result = {};
            for (const part of parts) {
                let wrong = null;
                try {
                    const each = part.control.read();
                    if (each === null && part.field.isRequired) throw new Wrong(`${part.field.name} is required`);
                    result[part.field.name] = each;
                } catch (error) {
                    if (!(error instanceof Wrong)) throw error;
                    wrong = error;
                    problem ??= error;
                }
                part.error.hidden = !wrong;
                part.error.textContent = wrong?.message ?? "";
            }
            if (problem) throw new Wrong("");
            return result;
        },
    };
}

function listControl(field, value, { changed, attributes }) {
    const item = itemOf(field);
    const isShort = field.kind !== "custom" && field.base !== "AWSJSON";
    return isShort ? chipsControl(field, item, value, { changed, attributes }) : stackControl(field, item, value, { changed, attributes });
}

/** A list of short values: each a chip, and an input behind them in which Enter adds. */
function chipsControl(field, item, value, { changed, attributes }) {
    let values = Array.isArray(value) ? [...value] : null;
    const place = h("div.in.chips", { role: "group", "aria-label": field.name });
    const note = h("span.note");
    const choices = field.kind === "enum" ? field.values : field.base === "Boolean" ? ["true", "false"] : null;
    const input = choices
        ? h("select", { ...attributes, onchange: () => add(input.value) }, h("option", { value: "" }, "Add"), choices.map((each) => h("option", { value: each }, each)))
        : h("input", { ...attributes, type: "text", autocomplete: "off", placeholder: "Add, then Enter" });

    function add(text) {
        if (text === "") return;
        try {
            const each = parseValue(item, text);
            values = [...(values ?? []), each];
            input.value = "";
            show();
            changed();
        } catch (error) {
            if (!(error instanceof Wrong)) throw error;
            changed();
        }
    }
    function remove(index) {
        values = values.filter((_, place) => place !== index);
        show();
        changed();
        input.focus();
    }
    function show() {
        const chips = (values ?? []).map((each, index) => h("span.chip", h("span.cut", each === null ? "null" : String(each)),
            h("button.x", { "aria-label": `Remove ${each}`, onclick: () => remove(index) }, "×")));
        const clear = field.isRequired || values === null ? null : h("button.inside", { "aria-label": `Set ${field.name} to null`, title: "null", onclick: () => { values = null; show(); changed(); input.focus(); } }, "×");
        for (const old of [...place.children]) if (old !== input) old.remove();
        input.before(...chips);
        if (clear) input.after(clear);
        note.textContent = values === null ? "" : values.length === 0 ? "an empty list, not null" : "";
        note.hidden = note.textContent === "";
        if (!choices) input.placeholder = values === null && !field.isRequired ? "null" : "Add, then Enter";
    }
    place.append(input);
    if (!choices) {
        input.addEventListener("keydown", (event) => {
            if (event.key === "Enter" && input.value !== "") {
                event.preventDefault();
                add(input.value);
            } else if (event.key === "Backspace" && input.value === "" && values?.length) remove(values.length - 1);
        });
        input.addEventListener("input", changed);
        input.addEventListener("blur", () => add(input.value));
    }
    place.addEventListener("click", (event) => { if (event.target === place) input.focus(); });
    show();

    return {
        node: h("div.control", place, note),
        focus: () => input.focus(),
        read() {
            if (input.value !== "") return checked(field, [...(values ?? []), parseValue(item, input.value)]);
            return values;
        },
    };
}

/** A list of long values: below each other. */
function stackControl(field, item, value, { changed, attributes }) {
    let controls = Array.isArray(value) ? value.map((each) => make(each)) : null;
    const place = h("div.nested", { ...attributes, role: "group", tabIndex: -1 });

    function make(each) {
        const control = controlFor(item, each, { changed, attributes: { "aria-label": field.name } });
        const node = h("div.item", control.node, h("button.x", { "aria-label": `Remove this ${field.base}`, onclick: () => {
            controls = controls.filter((other) => other.control !== control);
            show();
            changed();
        } }, "×"));
        return { control, node };
    }
    function show() {
        fill(place, (controls ?? []).map((each) => each.node),
            h("div.row", h("button.link", { onclick: () => {
                controls = [...(controls ?? []), make(field.kind === "custom" ? {} : null)];
                show();
                controls.at(-1).control.focus();
                changed();
            } }, `Add ${field.base === "AWSJSON" ? "a value" : field.base}`),
            controls === null ? h("span.quiet", "null") : controls.length === 0 ? h("span.quiet", "an empty list") : null,
            controls !== null && !field.isRequired ? h("button.link", { onclick: () => { controls = null; show(); changed(); } }, `Set ${field.name} to null`) : null));
    }
    show();
    return {
        node: place,
        focus: () => place.querySelector("input, textarea, select, button")?.focus(),
        read: () => (controls === null ? null : controls.map((each) => each.control.read())),
    };
}
