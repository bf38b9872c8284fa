// A new user, made by the administrator.

import { h } from "../../parts/dom.js";
import { check, field, form, input } from "../../parts/form.js";
import { draft } from "../../state/drafts.js";
import { server, ServerError } from "../../state/server.js";

/** Which field the pool speaks of, by its code. */
const places = { InvalidPasswordException: "password", UsernameExistsException: "username", AliasExistsException: "email" };

export function newUserPanel({ close, created }) {
    const control = new AbortController();
    const kept = draft("users/new");
    const was = kept.value ?? {};
    const username = field({ label: "Name", name: "username", required: true, hint: "Where people sign in by mail, their address.", control: input({ value: was.username ?? "", autocapitalize: "off" }) });
    const email = field({ label: "Mail", name: "email", control: input({ type: "email", value: was.email ?? "" }) });
    const phone = field({ label: "Phone", name: "phone_number", control: input({ type: "tel", value: was.phone ?? "", placeholder: "+15550100" }) });
    const password = field({ label: "Password", name: "password", hint: "Without one nobody can sign in as this user until a password is set.", control: input({ type: "password", autocomplete: "new-password" }) });
    const permanent = check({ checked: true, label: "Permanent password" });
    const groups = h("div.stack.group-choice", { role: "group", "aria-label": "Groups" });
    server.get("/groups", {}, { signal: control.signal }).then(({ groups: all }) => {
        if (all.length) groups.append(h("span.quiet.small", "Groups"), ...all.map((group) => check({ label: group.name, value: group.name })));
    }, () => {});
    const keep = () => { kept.value = { username: username.control.value, email: email.control.value, phone: phone.control.value }; };
    for (const each of [username, email, phone]) each.control.addEventListener("input", keep);

    const node = form({
        fields: [username, email, phone, password, { node: permanent }, { node: groups }], submit: "Create user", oncancel: close,
        onsubmit: async () => {
            const name = username.control.value.trim();
            if (!name) {
                username.control.focus();
                throw new ServerError(400, { message: "A user needs a name.", place: "username" });
            }
            try {
                const user = await server.post("/users", {
                    username: name, email: email.control.value.trim() || null, phone_number: phone.control.value.trim() || null, attributes: {},
                    password: password.control.value || null, isPermanent: permanent.box.checked, groups: [...groups.querySelectorAll("input:checked")].map((box) => box.value),
                }, { signal: control.signal });
                kept.clear();
                created(user);
            } catch (error) {
                if (error instanceof ServerError) error.place ??= places[error.code] ?? null;
                throw error;
            }
        },
    });
    return {
        node: h("div.panel", h("header", h("h2", "New user"), h("span.grow"), h("button.sign.plain", { onclick: close, "aria-label": "Close", title: "Esc" }, "×")), h("div.body", node)),
        focus: () => username.control.focus(),
        destroy: () => control.abort(),
    };
}
