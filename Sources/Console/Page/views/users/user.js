// One user: state, groups, attributes, sessions, and the actions of an administrator.

import { fill, freshId, h } from "../../parts/dom.js";
import { moment, plural } from "../../parts/format.js";
import { confirm, dialog } from "../../parts/dialog.js";
import { announce, busy, problem, toast } from "../../parts/notice.js";
import { check, field, input } from "../../parts/form.js";
import { who } from "../../parts/who.js";
import { link } from "../../state/router.js";
import { server } from "../../state/server.js";
import { stateSentence, stateWord } from "./words.js";

/** Attributes that the pool keeps itself; the facts above have them. */
const kept = new Set(["sub", "cognito:user_status", "cognito:mfa_enabled", "identities"]);

/** The panel of a user. */
export function userPanel({ username, close, changed, gone }) {
    const control = new AbortController();
    const { signal } = control;
    const path = `/users/${encodeURIComponent(username)}`;
    const heading = h("h2.cut", { tabIndex: -1 }, username);
    const body = h("div.body");
    const node = h("div.panel", h("header", heading, h("span.grow"), h("button.sign.plain", { onclick: close, "aria-label": "Close", title: "Esc" }, "×")), body);
    let user = null;
    let groups = [];

    const load = () => busy(body, Promise.all([server.get(path, {}, { signal }), server.get("/groups", {}, { signal })])).then(([found, all]) => {
        user = { ...found, groups: found.groups ?? [] };
        groups = all.groups.map((group) => group.name);
        draw();
    }, (error) => { if (!signal.aborted) fill(body, error.status === 404 ? h("p.empty", `There is no user ${username}. They may have been deleted.`) : problem(error, load)); });

    /** Does something to the user, and shows what became of it. */
    async function act(what, words, bodyOf = {}) {
        try {
            const answer = await busy(body, server.post(`${path}/${what}`, bodyOf, { signal }));
            user = { ...user, ...answer, groups: answer.groups ?? user.groups };
            draw();
            toast(words);
            changed();
        } catch (error) {
            if (error.name !== "AbortError") fill(note, problem(error));
        }
    }
    const note = h("div.answer");

    async function setPassword() {
        const password = field({ label: "New password", name: "password", control: input({ type: "password", autocomplete: "new-password" }) });
        const permanent = check({ checked: true, label: "It stays. Without this it is good for one sign-in, at which they choose their own." });
        await dialog({ title: `Set the password of ${username}`, body: h("div.stack", password.node, permanent), actions: [{ label: "Cancel", value: null }, { label: "Set password", main: true, value: true, run: async () => {
            try {
                user = { ...user, ...await server.post(`${path}/password`, { password: password.control.value, isPermanent: permanent.box.checked }, { signal }) };
                draw();
                toast("The password was set");
                changed();
                return true;
            } catch (error) {
                password.error(error.message);
                password.control.focus();
                announce(error.message, true);
                return false;
            }
        } }] });
    }

    async function remove() {
        if (!await confirm({ title: `Delete ${username}?`, text: "Sessions end, and the name is free again. Records and files that the user owns stay.", action: "Delete user", danger: true })) return;
        try {
            await server.delete(path, {}, { signal });
            toast(`${username} was deleted`);
            gone();
        } catch (error) {
            if (error.name !== "AbortError") fill(note, problem(error));
        }
    }

    const setGroups = (next, words) => act("groups", words, { groups: next });

    function groupsPart() {
        const left = groups.filter((group) => !user.groups.includes(group));
        const add = h("select.in.small-choice", { "aria-label": "Add to a group", dataset: { key: "add-group" }, onchange: (event) => {
            const group = event.target.value;
            if (group) setGroups([...user.groups, group], `${username} is in ${group} now`);
        } }, h("option", { value: "" }, "Add to a group"), left.map((group) => h("option", { value: group }, group)));
        return h("section", h("h3", "Groups"), h("div.row", user.groups.map((group) => h("span.chip", h("span.cut", group),
            h("button.remove", { "aria-label": `Remove from ${group}`, onclick: () => setGroups(user.groups.filter((each) => each !== group), `${username} is no longer in ${group}`) }, "×"))),
        !user.groups.length && !left.length ? h("span.quiet.small", "There are no groups: make one with Groups above.") : null, left.length ? add : null));
    }

    function attributesPart() {
        const rows = user.attributes.filter((attribute) => !kept.has(attribute.name)).map((attribute) => {
            const id = freshId("attribute");
            const control = input({ id, value: attribute.value, oninput: note });
            return { name: attribute.name, first: attribute.value, control, node: h("div.attribute", h("label.mono", { for: id }, attribute.name), control) };
        });
        const name = input({ "aria-label": "Name of a further attribute", placeholder: "nickname", class: "mono", oninput: note });
        const value = input({ "aria-label": "Value of it", placeholder: "value", oninput: note });
        const save = h("button", { type: "submit", disabled: true }, "Save attributes");
        const wrong = h("p.error", { role: "alert", hidden: true });
        const changes = () => {
            const all = Object.fromEntries(rows.filter((row) => row.control.value !== row.first).map((row) => [row.name, row.control.value === "" ? null : row.control.value]));
            if (name.value.trim() && value.value) all[name.value.trim()] = value.value;
            return all;
        };
        function note() {
            save.disabled = Object.keys(changes()).length === 0;
        }
        return h("section", h("h3", "Attributes"), h("form.attributes", { novalidate: true, onsubmit: async (event) => {
            event.preventDefault();
            if (save.disabled) return;
            wrong.hidden = true;
            try {
                user = { ...user, ...await server.post(`${path}/attributes`, { attributes: changes() }, { signal }) };
                toast("The attributes were saved");
                changed();
                load();
            } catch (error) {
                if (error.name === "AbortError") return;
                wrong.textContent = error.message;
                wrong.hidden = false;
            }
        } }, rows.map((row) => row.node), h("div.attribute", name, value), wrong, h("div.row", save, h("span.quiet.small", "An empty one is taken away."))));
    }

    function draw() {
        const actions = [
            user.state === "UNCONFIRMED" ? h("button", { dataset: { key: "confirm" }, onclick: () => act("confirm", `${username} is confirmed`) }, "Confirm") : null,
            h("button", { dataset: { key: "password" }, onclick: setPassword }, "Set password"),
            user.state === "EXTERNAL_PROVIDER" ? null : h("button", { dataset: { key: "reset" }, title: "Sends a code, by which the user chooses a new one", onclick: () => act("reset", "A code was sent: it stands in Messages") }, "Reset password"),
            user.enabled ? h("button", { dataset: { key: "able" }, onclick: () => act("disable", `${username} is disabled`) }, "Disable") : h("button", { dataset: { key: "able" }, onclick: () => act("enable", `${username} is enabled`) }, "Enable"),
            h("button.danger", { dataset: { key: "delete" }, onclick: remove }, "Delete"),
        ];
        fill(body,
            h("section", h("div.row", h("span.chip", stateWord(user)), who({ kind: "user", username: user.username }, user.username)), h("p.quiet.small", stateSentence(user))),
            note,
            h("div.row.actions", actions),
            h("dl.facts",
                h("dt", "email"), h("dd", user.email ? [user.email, h("span.quiet", user.emailVerified ? " · verified" : " · not verified")] : h("span.quiet", "none")),
                user.phone ? [h("dt", "phone"), h("dd", user.phone)] : null,
                h("dt", "sub"), h("dd.mono", user.sub),
                h("dt", "created"), h("dd", moment(user.createdAt)),
                h("dt", "changed"), h("dd", moment(user.changedAt)),
                h("dt", "last sign-in"), h("dd", user.lastSignInAt ? moment(user.lastSignInAt) : h("span.quiet", "none known")),
                h("dt", "second factor"), h("dd", user.mfa?.length ? user.mfa.join(", ") : h("span.quiet", "none")),
                h("dt", "messages"), h("dd", link("messages", [], { to: user.username, search: null }, "those to this user"))),
            groupsPart(),
            h("section", h("h3", `Sessions`), user.sessions?.length
                ? [h("ul.lines", user.sessions.map((session) => h("li", h("span.grow.cut", session.device ?? session.client ?? "an app"), h("span.quiet", `since ${moment(session.startedAt)}`), h("span.quiet", session.lastUsedAt ? `used ${moment(session.lastUsedAt)}` : "")))),
                    h("button", { dataset: { key: "sign-out" }, onclick: () => act("sign-out", `${username} was signed out everywhere`).then(load) }, `Sign out everywhere (${plural(user.sessions.length, "session")})`)]
                : h("p.quiet.small", "No sessions are known.")),
            attributesPart());
    }

    load();
    return { node, focus: () => heading.focus({ preventScroll: true }), destroy: () => control.abort() };
}
