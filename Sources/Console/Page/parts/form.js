// Controls and forms. A control's label, hint and error belong to it by ids; an error stands where it is made, and is announced.

import { announce } from "./notice.js";
import { freshId, h } from "./dom.js";

/** A control with its label. `error(text)` marks it, `error(null)` unmarks it. */
export function field({ label, kind, required = false, hint, name, control, inline = false }) {
    const id = control.id || freshId("field");
    control.id = id;
    if (name) control.name = name;
    const target = control.matches("input, select, textarea, button") ? control : control.querySelector("input, select, textarea") ?? control;
    if (target !== control && !target.id) target.id = `${id}-in`;
    if (required && target.matches("input, select, textarea")) target.setAttribute("aria-required", "true");
    const hintNode = hint ? h("span.hint", { id: `${id}-hint` }, hint) : null;
    const errorNode = h("span.error", { id: `${id}-error`, hidden: true });
    const describe = (hasError) => {
        const ids = [hintNode && `${id}-hint`, hasError && `${id}-error`].filter(Boolean).join(" ");
        if (ids) target.setAttribute("aria-describedby", ids);
        else target.removeAttribute("aria-describedby");
    };
    describe(false);
    const node = h("div.field", { class: inline ? "inline" : "" },
        h("label", { for: target.id }, h("span", label), kind ? h("code", kind) : null, required ? h("span.quiet", "required") : null),
        control, errorNode, hintNode);
    return {
        node, control, name,
        error(text) {
            errorNode.hidden = !text;
            errorNode.textContent = text ?? "";
            if (text) target.setAttribute("aria-invalid", "true");
            else target.removeAttribute("aria-invalid");
            describe(Boolean(text));
        },
        get hasError() {
            return !errorNode.hidden;
        },
    };
}

export const input = (properties = {}) => h("input.in", { type: "text", autocomplete: "off", spellcheck: "false", ...properties });
export const area = (properties = {}) => h("textarea.in", { rows: 3, spellcheck: "false", ...properties });

/** A choice out of `[value, label]` pairs, or plain values. */
export const choice = ({ value, options, ...properties }) =>
    h("select.in", { ...properties, value }, options.map((option) => {
        const [each, label] = Array.isArray(option) ? option : [option, option];
        return h("option", { value: each }, label);
    }));

/** A check box with its words. */
export function check({ checked = false, label, ...properties }) {
    const box = h("input", { type: "checkbox", checked, ...properties });
    return Object.assign(h("label.check", box, h("span", label)), { box });
}

/** A form of fields. While `onsubmit` runs its button waits; what it throws stands at the field of its `place`, else below. */
export function form({ fields, submit = "Save", onsubmit, oncancel, extra, danger }) {
    const wrong = h("p.error", { hidden: true, role: "alert" });
    const button = h("button.main", { type: "submit" }, submit);
    const node = h("form.form", { novalidate: true },
        fields.map((each) => each.node ?? each), wrong,
        h("div.row.actions", button, oncancel ? h("button", { onclick: oncancel }, "Cancel") : null, h("span.grow"), extra ?? null, danger ?? null));
    node.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (button.disabled) return;
        button.disabled = true;
        wrong.hidden = true;
        for (const each of fields) each.error?.(null);
        try {
            await onsubmit();
        } catch (error) {
            const at = fields.find((each) => each.name && error.place && (error.place === each.name || error.place.endsWith(`.${each.name}`)));
            if (at) {
                at.error(error.message);
                at.control.focus();
                announce(error.message, true);
            } else {
                wrong.textContent = error.message;
                wrong.hidden = false;
            }
        } finally {
            button.disabled = false;
        }
    });
    return Object.assign(node, { submitButton: button });
}
