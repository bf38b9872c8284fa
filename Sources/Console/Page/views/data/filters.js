// Filters: chips in the bar, each made from the type of its field.

import { fill, freshId, h, measure } from "../../parts/dom.js";
import { Wrong, comparisonsOf, filterText, parseValue } from "./values.js";

/** So many filters one request may have. */
const filtersMax = 20;

/** The filters of an address; what is no filter is left out. */
export function readFilters(model, text) {
    if (!text) return [];
    try {
        const list = JSON.parse(text);
        if (!Array.isArray(list)) return [];
        return list.filter((each) => Array.isArray(each) && model.fields.some((field) => field.name === each[0] && field.column) && typeof each[1] === "string")
            .slice(0, filtersMax).map(([field, is, value]) => ({ field, is, value }));
    } catch {
        return [];
    }
}

export const writeFilters = (filters) => (filters.length ? JSON.stringify(filters.map(({ field, is, value }) => [field, is, value])) : null);

/** The chips, and the button that adds one. `now()` gives the filters, `change(filters)` takes others. */
export function filterBar({ model, now, change, match, onmatch }) {
    const node = h("div.filters", { role: "group", "aria-label": "Filters" });
    const add = h("button.add", { dataset: { key: "add-filter" }, onclick: () => edit(null, add), "aria-haspopup": "dialog", title: "Filter ( / )" }, "+ Filter");
    let open = null;

    function show() {
        const filters = now();
        fill(node, filters.map((filter, index) => h("span.chip.filter",
            h("button.edit", { dataset: { key: `filter-${index}` }, onclick: (event) => edit(index, event.currentTarget), "aria-haspopup": "dialog" }, h("span.cut", filterText(filter))),
            h("button.x", { "aria-label": `Remove ${filterText(filter)}`, onclick: () => change(filters.filter((_, place) => place !== index)) }, "×"))),
        filters.length > 1 ? h("button.link.match", { dataset: { key: "match" }, onclick: () => onmatch(match() === "any" ? "all" : "any"), title: "Whether a record has to meet all of them" }, match() === "any" ? "any of them" : "all of them") : null,
        filters.length < filtersMax ? add : null);
    }

    function edit(index, button) {
        open?.remove();
        const fields = model.fields.filter((field) => field.column);
        const filter = index === null ? null : now()[index];
        let field = fields.find((each) => each.name === filter?.field) ?? fields.find((each) => each.kind === "enum") ?? fields.find((each) => !each.isKey) ?? fields[0];
        if (!field) return;
        const nameId = freshId("filter");
        const isId = freshId("filter");
        const name = h("select.in", { id: nameId, value: field.name, onchange: () => { field = fields.find((each) => each.name === name.value); compare(); } }, fields.map((each) => h("option", { value: each.name }, each.name)));
        const is = h("select.in", { id: isId, onchange: () => values(null) });
        const place = h("div.values");
        const error = h("em.error", { hidden: true, role: "alert" });
        let read = () => null;

        function compare() {
            const all = comparisonsOf(field);
            fill(is, all.map(([word, label]) => h("option", { value: word }, label)));
            const wanted = filter && filter.field === field.name ? (filter.is === "exists" && !filter.value ? "absent" : filter.is) : all[0][0];
            is.value = all.some(([word]) => word === wanted) ? wanted : all[0][0];
            values(filter && filter.field === field.name ? filter.value : null);
        }
        function values(value) {
            error.hidden = true;
            const word = is.value;
            if (word === "exists" || word === "absent") {
                fill(place);
                read = () => word === "exists";
            } else if (field.kind === "enum" && word === "in") {
                const boxes = field.values.map((each) => h("label.check", h("input", { type: "checkbox", value: each, checked: Array.isArray(value) && value.includes(each) }), h("span", each)));
                fill(place, boxes);
                read = () => {
                    const some = boxes.map((label) => label.firstChild).filter((box) => box.checked).map((box) => box.value);
                    if (!some.length) throw new Wrong("Choose at least one.");
                    return some;
                };
            } else if (!field.isList && (field.kind === "enum" || field.base === "Boolean")) {
                const all = field.kind === "enum" ? field.values : ["true", "false"];
                const control = h("select.in", { "aria-label": "Value", value: value === null ? all[0] : String(value) }, all.map((each) => h("option", { value: each }, each)));
                fill(place, control);
                read = () => parseValue(field, control.value);
            } else {
                // A list has values of its type in it, a text has letters.
                const plain = !field.isList && ["contains", "notContains", "beginsWith"].includes(word) ? { base: "String", kind: "scalar" } : field;
                const made = (label, each) => h("input.in", { type: "text", "aria-label": label, autocomplete: "off", spellcheck: "false", value: each === null || each === undefined ? "" : String(each),
                    placeholder: { AWSDate: "2026-03-01", AWSDateTime: "2026-03-01T09:41:00Z", AWSTime: "09:41:00" }[plain.base] ?? "" });
                const controls = word === "between" ? [made("From", value?.[0]), made("To", value?.[1])] : [made("Value", Array.isArray(value) ? null : value)];
                fill(place, controls);
                const one = (control) => {
                    if (control.value === "") {
                        control.focus();
                        throw new Wrong("Type a value, or choose “is not there”.");
                    }
                    // A day is meant from its beginning.
                    const text = plain.base === "AWSDateTime" && /^\d{4}-\d{2}-\d{2}$/.test(control.value) ? `${control.value}T00:00:00Z` : control.value;
                    return parseValue({ ...plain, isList: false }, text);
                };
                read = () => (controls.length === 2 ? controls.map(one) : one(controls[0]));
            }
        }
        const box = h("form.popover.filter-editor", { role: "dialog", "aria-label": index === null ? "New filter" : "Filter", popover: "auto", novalidate: true, onkeydown: (event) => {
            // Enter in a choice does nothing by itself; here it means what it means in a text.
            if (event.key !== "Enter" || event.target.tagName !== "SELECT") return;
            event.preventDefault();
            box.requestSubmit();
        }, onsubmit: (event) => {
            event.preventDefault();
            try {
                const value = read();
                const made = { field: field.name, is: is.value === "absent" ? "exists" : is.value, value };
                const filters = now();
                box.hidePopover();
                change(index === null ? [...filters, made] : filters.map((each, at) => (at === index ? made : each)));
            } catch (problem) {
                if (!(problem instanceof Wrong)) throw problem;
                error.textContent = problem.message;
                error.hidden = false;
            }
        } }, h("label.visually-hidden", { for: nameId }, "Field"), name, h("label.visually-hidden", { for: isId }, "Comparison"), is, place, error, h("div.row", h("button.main", { type: "submit" }, index === null ? "Add filter" : "Change filter")));
        compare();
        open = box;
        document.body.append(box);
        box.addEventListener("toggle", (event) => {
            if (event.newState !== "closed") return;
            const hadFocus = box.contains(document.activeElement) || document.activeElement === document.body;
            box.remove();
            if (open === box) open = null;
            if (hadFocus) (button.isConnected ? button : add).focus();
        });
        box.showPopover();
        const at = button.getBoundingClientRect();
        measure(box, { left: `${Math.max(8, Math.min(at.left, innerWidth - box.offsetWidth - 8))}px`, top: `${at.bottom + 4}px` });
        (filter ? place.querySelector("input, select") ?? is : name).focus();
    }
    show();
    return { node, show, add: () => edit(null, add.isConnected ? add : node), close: () => open?.remove() };
}
