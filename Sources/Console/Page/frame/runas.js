// Run as: who is it that looks and acts? Always seen in the bar, because it changes the meaning of everything below.

import { fill, freshId, h } from "../parts/dom.js";
import { dialog } from "../parts/dialog.js";
import { area, choice, field, form, input } from "../parts/form.js";
import { announce } from "../parts/notice.js";
import { picker } from "../parts/pick.js";
import { tabs } from "../parts/tabs.js";
import { caller, labelOf, wordOf } from "../state/caller.js";
import { userName } from "../state/names.js";
import { draft } from "../state/drafts.js";
import { server } from "../state/server.js";
import { shortcuts } from "../state/shortcuts.js";

const fixed = [
    ["admin", { kind: "admin" }, "Administrator", "sees and may do everything"],
    ["apiKey", { kind: "apiKey" }, "API key", "who has the key"],
    ["guest", { kind: "guest" }, "Guest", "of the identity pool, not signed in"],
];
const roles = { authenticated: "IAM, signed in", guest: "IAM, guest", administrator: "IAM, administrator" };
const maxClaims = 20;

const entry = (as, label, detail) => ({ label, detail, as, current: wordOf(as) === caller.word });

async function load(known, text, signal) {
    const needle = text.toLowerCase();
    const fits = (label) => label.toLowerCase().includes(needle);
    const kinds = new Set(known.kinds);
    const kindEntries = fixed.filter(([kind, , label]) => kinds.has(kind) && fits(label)).map(([, as, label, detail]) => entry(as, label, detail));
    const roleEntries = kinds.has("iam")
        ? known.roles.filter((role) => fits(roles[role] ?? role)).map((role) => entry({ kind: "iam", role, identityId: null }, roles[role] ?? role, role in roles ? "signed request" : "role of a function")) : [];
    let { users } = known;
    if (text && kinds.has("user")) {
        const found = await server.get("/users", { search: text, limit: 50 }, { signal }).catch((error) => {
            if (error.name === "AbortError") throw error;
            return null;
        });
        users = found?.users ?? users.filter((user) => (fits(user.username) || fits(user.email ?? "")));
    }
    const userEntries = users.map((user) => entry({ kind: "user", username: user.username }, userName(user),
        [user.groups?.length ? user.groups.join(", ") : "no group", userName(user) === user.email ? null : user.email].filter(Boolean).join(" · ")));
    return [{ title: "Kinds of callers", entries: kindEntries }, { title: "Users of the pool", entries: userEntries }, { title: "IAM roles", entries: roleEntries }];
}

/** The form for somebody made up. */
function madeForm(known, become) {
    const kept = draft("run-as/made");
    const begin = caller.as.kind === "made" ? caller.as : kept.value ?? { username: "", groups: [], claims: {} };
    const listId = freshId("list");
    const username = field({ label: "Name", name: "username", required: true, control: input({ value: begin.username, placeholder: "eve" }) });
    const groups = field({ label: "Groups", name: "groups", hint: "With commas between them", control: input({ value: (begin.groups ?? []).join(", "), placeholder: known.groups.slice(0, 2).join(", ") || "Moderators", list: listId }) });
    const claims = h("div.claims");
    const row = (name = "", value = "") => {
        const node = h("div.row", input({ value: name, placeholder: known.claims[0] ?? "custom:tenant", "aria-label": "Claim" }), "=", input({ value, placeholder: "value", "aria-label": "Value of the claim" }),
            h("button.sign.plain", { "aria-label": "Remove the claim", onclick: () => node.remove() }, "×"));
        return node;
    };
    const text = (value) => (typeof value === "string" ? value : JSON.stringify(value));
    fill(claims, Object.entries(begin.claims ?? {}).map(([name, value]) => row(name, text(value))));
    const provider = field({ label: "Signed in by", control: choice({ value: begin.provider ?? "userPools", options: [["userPools", "the user pool"], ["oidc", "OpenID Connect"]] }) });
    const read = () => ({
        kind: "made", username: username.control.value.trim(), groups: groups.control.value.split(",").map((each) => each.trim()).filter(Boolean),
        claims: Object.fromEntries([...claims.children].map((each) => [...each.querySelectorAll("input")].map((box) => box.value.trim())).filter(([name]) => name)
            .map(([name, value]) => [name, /^(true|false|null|-?\d+(\.\d+)?|\[.*\]|\{.*\})$/s.test(value) ? jsonOr(value) : value])),
        provider: provider.control.value,
    });
    const node = form({
        fields: [username, groups, { node: h("div.field", h("span.label", "Claims"), claims, h("button.starts", {
            onclick: () => { if (claims.children.length < maxClaims) { claims.append(row()); claims.lastChild.querySelector("input").focus(); } },
        }, "Add a claim")) }, provider, { node: h("datalist", { id: listId }, known.groups.map((group) => h("option", { value: group }))) }],
        submit: "Run as them",
        onsubmit: async () => {
            const as = read();
            if (!as.username) {
                username.error("Give them a name: rules compare it with owners.");
                username.control.focus();
                return;
            }
            await server.post("/callers/resolve", { as });
            become(as, as.username);
        },
    });
    node.addEventListener("input", () => { const as = read(); kept.value = as; });
    return node;
}

function jsonOr(text) {
    try {
        return JSON.parse(text);
    } catch {
        return text;
    }
}

function tokenForm(become) {
    const token = field({ label: "Token", name: "token", hint: "As a client would send it in authorization. It stays in this browser tab, and comes into no address.", control: area({ rows: 6, class: "mono" }) });
    return form({
        fields: [token], submit: "Run as its owner",
        onsubmit: async () => {
            const text = token.control.value.trim().replace(/^bearer\s+/i, "");
            if (!text) return token.error("Paste a token: homeport token --username ann prints one.");
            const as = { kind: "token", token: text };
            const answer = await server.post("/callers/resolve", { as });
            become(as, answer.label);
        },
    });
}

async function choose() {
    if (document.querySelector("dialog[open]")) return;
    const body = h("div.run-as");
    let shown;
    const become = (as, label = labelOf(as)) => {
        shown.finish(null);
        caller.become(as);
        announce(`Run as ${label}`);
    };
    const known = { kinds: ["admin"], users: [], groups: [], roles: [], claims: [] };
    const asked = server.get("/callers").then((answer) => Object.assign(known, answer));
    const all = picker({
        label: "Run as", placeholder: "A user's name, or a kind of caller",
        load: async (text, signal, show) => {
            await asked;
            return load(known, text, signal, show);
        },
        onpick: (one) => become(one.as, one.label),
        onempty: () => "Nobody is called that. Somebody can be made up.",
    });
    const made = h("div.pad");
    const token = h("div.pad");
    const parts = tabs({
        label: "Who", selected: caller.as.kind === "made" ? "made" : "known",
        items: [{ id: "known", title: "Somebody there", panel: all.node }, { id: "made", title: "Made up", panel: made }, { id: "token", title: "Token", panel: token }],
    });
    body.append(parts.node);
    dialog({ title: "Run as", body, actions: [], onopen: (node) => { shown = node; node.classList.add("anchored"); if (parts.selected === "known") all.input.focus(); } });
    await asked.catch(() => {});
    fill(made, madeForm(known, become));
    fill(token, tokenForm(become));
}

/** The button in the bar. */
export function runAs() {
    const label = h("b.cut");
    const detail = h("small.only-wide.cut");
    const button = h("button.pick-button.who-button", { onclick: choose, "aria-haspopup": "dialog", title: "Who looks and acts (w)" }, h("small.only-wide", "Run as"), label, detail, h("span", { "aria-hidden": "true" }, "▾"));
    const draw = () => {
        label.textContent = caller.label;
        detail.textContent = caller.problem ?? caller.detail;
        button.classList.toggle("wrong", Boolean(caller.problem));
        button.classList.toggle("is-admin", caller.isAdmin);
        button.setAttribute("aria-label", `Run as ${caller.label}, ${caller.problem ?? caller.detail}`);
    };
    caller.watch(draw);
    caller.watchDetail(draw);
    draw();
    shortcuts.add({ keys: "w", says: "Run as somebody else", group: "Everywhere", run: choose });
    return button;
}
