// The finder: models, operations, records by id, users, settings, views and actions, from one line.

import { h } from "../parts/dom.js";
import { dialog } from "../parts/dialog.js";
import { picker } from "../parts/pick.js";
import { router } from "../state/router.js";
import { overview } from "../state/overview.js";
import { server } from "../state/server.js";
import { shortcuts } from "../state/shortcuts.js";
import { count } from "../parts/format.js";
import { views } from "./views.js";
import { setTheme } from "./theme.js";

const perGroup = 8;
const sources = new Set();

/** Where a result of the server leads. */
const leads = {
    model: (one) => router.go("data", [one.model ?? one.name ?? one.label]),
    record: (one) => router.go("data", [one.model, ...Object.values(one.key ?? {})]),
    operation: (one) => router.go("explorer", [], { operation: one.name ?? one.label }),
    user: (one) => router.go("users", [one.name ?? one.label]),
    setting: (one) => router.go("server", ["configuration"], { search: one.name ?? one.label }),
    type: (one) => router.go("schema", ["types", one.name ?? one.label]),
    field: (one) => router.go("schema", ["types", one.model ?? one.name ?? one.label]),
    file: (one) => {
        const folder = one.name.slice(0, one.name.lastIndexOf("/") + 1);
        router.go("files", folder ? [folder] : [], { file: one.name === folder ? null : one.name });
    },
};

const fits = (text, words) => words.every((word) => text.toLowerCase().includes(word));

async function find(text, signal, show) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const actions = shortcuts.list.filter((entry) => entry.says && entry.group !== "Go to" && fits(entry.says, words))
        .map((entry) => ({ label: entry.says, detail: shortcuts.label([entry.keys].flat()[0]), kind: "action", run: entry.run }));
    actions.push(...[["light", "Light colours"], ["dark", "Dark colours"], ["system", "Colours as the system says"]].filter(([, label]) => words.length && fits(label, words))
        .map(([theme, label]) => ({ label, kind: "action", run: () => setTheme(theme) })));
    const own = [
        { title: "Views", entries: views.filter((view) => fits(view.title, words)).map((view) => ({ label: view.title, detail: `g ${view.key}`, kind: "view", run: () => router.go(view.name) })) },
        { title: "Models", entries: (overview.now?.models ?? []).filter((model) => fits(model.name, words)).slice(0, perGroup)
            .map((model) => ({ label: model.name, detail: count(model.count), kind: "model", run: () => router.go("data", [model.name]) })) },
        { title: "Actions", entries: actions.slice(0, perGroup) },
    ];
    for (const source of sources) {
        const entries = await source.find(words.join(" "), signal);
        if (entries?.length) own.push({ title: source.title ?? "Here", entries: entries.slice(0, 20) });
    }
    if (!words.length) return own;
    show(own);
    const { results } = await server.get("/find", { q: text, limit: 30 }, { signal });
    const found = new Map();
    for (const one of results) {
        if (one.kind === "model") continue;
        const title = { record: "Records", operation: "Operations", user: "Users", setting: "Settings", type: "Types", field: "Fields", file: "Files" }[one.kind] ?? "Others";
        if (!found.has(title)) found.set(title, []);
        found.get(title).push({ label: one.label, detail: one.detail, kind: one.kind, run: () => leads[one.kind]?.(one) });
    }
    return [...own.slice(0, 2), ...[...found].map(([title, entries]) => ({ title, entries: entries.slice(0, perGroup) })), ...own.slice(2)];
}

export const finder = {
    add(source) {
        sources.add(source);
        return () => sources.delete(source);
    },

    open() {
        if (document.querySelector("dialog[open]")) return;
        const node = h("div");
        const all = picker({
            label: "Find anything", placeholder: "A model, operation, record's id, user, file, setting or action", load: find,
            onpick: (entry) => {
                node.closest("dialog").finish(null);
                // The dialog gives the focus back first; what was chosen may take it.
                queueMicrotask(entry.run);
            },
            onempty: (text) => `Nothing is called ${text}. Records are found by the beginning of their id.`,
        });
        node.append(all.node);
        dialog({ title: "Find", body: node, actions: [], onopen: (shown) => { shown.classList.add("finder"); all.input.focus(); } });
    },
};

shortcuts.add({ keys: "Ctrl+k", says: "Find anything", group: "Everywhere", whileTyping: true, run: () => finder.open() });
