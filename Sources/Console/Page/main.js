// The beginning: the frame, then the view that the address names.

import { fill, h } from "./parts/dom.js";
import { announce, problem } from "./parts/notice.js";
import { router } from "./state/router.js";
import { caller } from "./state/caller.js";
import { overview } from "./state/overview.js";
import { server } from "./state/server.js";
import { shortcuts } from "./state/shortcuts.js";
import { bar } from "./frame/bar.js";
import { finder } from "./frame/finder.js";
import { rail } from "./frame/rail.js";
import { signIn } from "./frame/signin.js";
import { status } from "./frame/status.js";
import { loadSheet, views } from "./frame/views.js";

const main = document.getElementById("main");
let open = null;
/** Counts openings: one that was overtaken by another is dropped. */
let turn = 0;

function close() {
    if (!open) return;
    try {
        open.handle?.unmount?.();
    } catch (error) {
        console.error(error);
    }
    open.control.abort();
    for (const undo of open.undo) undo();
    open = null;
}

function contextOf(view, control, undo) {
    return {
        get route() { return router.now; },
        signal: control.signal,
        shortcuts: { ...shortcuts, add: (entry) => { const remove = shortcuts.add(entry); undo.push(remove); return remove; } },
        finder: { add: (source) => { const remove = finder.add(source); undo.push(remove); return remove; } },
        title: (text) => name(text ? `${view.title}: ${text}` : view.title),
    };
}

function name(text) {
    document.title = `${text} · ${overview.now?.name ?? server.session?.name ?? "Homeport"}`;
}

async function show(route) {
    const view = views.find((each) => each.name === route.view);
    if (!view) {
        router.replace({ view: "explorer", path: [], params: {} });
        return;
    }
    if (open?.view === view) {
        open.handle?.update?.(route);
        return;
    }
    turn += 1;
    const mine = turn;
    let module;
    try {
        [module] = await Promise.all([view.load(), loadSheet(view.name)]);
    } catch (error) {
        if (mine !== turn) return;
        close();
        console.error(error);
        fill(main, problem(new Error(`${view.title} cannot be loaded. Reload the page; if that does not help, the server may be another version.`), () => location.reload()));
        return;
    }
    if (mine !== turn) return;
    const isFirst = open === null;
    close();
    const control = new AbortController();
    const undo = [];
    const place = h("section.view", { class: `view-${view.name}`, "aria-label": view.title });
    open = { view, control, undo, handle: null };
    fill(main, place);
    name(view.title);
    try {
        open.handle = module.default.mount(place, contextOf(view, control, undo)) ?? {};
        open.handle.update?.(router.now);
    } catch (error) {
        console.error(error);
        fill(place, problem(error, () => location.reload()));
    }
    if (!isFirst) announce(view.title);
}

async function begin() {
    rail(document.getElementById("rail"));
    status(document.getElementById("status"));
    server.askToSignIn = signIn;
    // What is wanted is known already: it comes while the session is asked for.
    const wanted = views.find((view) => view.name === router.now.view) ?? views[0];
    wanted.load().catch(() => {});
    loadSheet(wanted.name);
    try {
        await signIn();
    } catch (error) {
        fill(main, problem(error, () => location.reload()));
        return;
    }
    if (!router.now.view || !views.some((view) => view.name === router.now.view)) router.replace({ view: "explorer", path: [], params: {} });
    bar(document.getElementById("bar"));
    overview.refresh().then(() => { if (open) name(open.view.title); }, () => {});
    overview.begin();
    caller.begin();
    router.watch(show);
    caller.watchDetail(() => {});
    show(router.now);
}

document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
});

begin();
