// The bar: name, schema, development or production, the finder, Run as.

import { fill, h } from "../parts/dom.js";
import { link } from "../state/router.js";
import { overview } from "../state/overview.js";
import { server } from "../state/server.js";
import { finder } from "./finder.js";
import { runAs } from "./runas.js";
import { shortcuts } from "../state/shortcuts.js";

export function bar(node) {
    const place = h("span.where.only-wide");
    const environment = h("span.environment");
    const find = h("button.pick-button.find", { onclick: () => finder.open(), "aria-label": "Find anything", "aria-keyshortcuts": "Control+K" },
        h("span.only-wide", "Find anything"), h("span.only-narrow", { "aria-hidden": "true" }, "⌕"), h("kbd.only-wide", shortcuts.label("Ctrl+K")));
    const out = h("button.only-wide", { hidden: true, onclick: async () => { await server.plain("POST", "/sign-out", { body: {} }).then((session) => { server.session = session; }); location.reload(); } }, "Sign out");
    fill(node, h("b.name", "Homeport"), environment, place, h("span.grow"), find, runAs(), out);
    const draw = (info) => {
        if (place.dataset.path !== info.schema?.path) {
            place.dataset.path = info.schema?.path ?? "";
            fill(place, info.schema?.path ? link("schema", [], {}, h("span.mono.cut", info.schema.path)) : null);
        }
        show(info.environment);
    };
    const show = (word) => {
        if (!word || environment.dataset.word === word) return;
        environment.dataset.word = word;
        node.classList.toggle("production", word === "production");
        fill(environment, h("span.dot", { "aria-hidden": "true" }), word);
        environment.title = word === "production" ? "Real users' data: what is changed here is changed for them" : "For development";
    };
    if (server.session) {
        show(server.session.environment);
        out.hidden = server.session.signIn !== "done";
    }
    overview.watch(draw);
}
