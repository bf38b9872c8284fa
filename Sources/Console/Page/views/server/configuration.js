// The configuration in force: each value, and where it came from.

import { fill, h } from "../../parts/dom.js";
import { shorten } from "../../parts/format.js";
import { busy, empty, problem } from "../../parts/notice.js";
import { list, table } from "../../parts/table.js";
import { check, input } from "../../parts/form.js";
import { router } from "../../state/router.js";
import { server } from "../../state/server.js";

export function configurationPart({ signal, context }) {
    const search = input({ type: "search", "aria-label": "Search settings", placeholder: "Search settings", value: router.now.params.search ?? "" });
    const onlySet = check({ label: "only what was set", checked: router.now.params.set === "1" });
    const about = h("aside.about", { "aria-label": "Setting", hidden: true });
    let all = [];
    let rows = [];

    const valueOf = (setting) => (setting.isSecret ? h("span.quiet", "kept secret") : setting.value === null ? h("span.quiet", "none") : h("span.mono", shorten(String(setting.value), 200)));
    const isSet = (setting) => setting.origin !== "default";

    const grid = table({
        label: "Settings",
        columns: [
            { name: "key", title: "setting", width: 200, grows: true, mono: true, cell: (setting) => setting.key },
            { name: "value", title: "value", width: 180, cell: valueOf },
            { name: "origin", title: "from", width: 200, optional: true, cell: (setting) => (isSet(setting) ? setting.origin : h("span.quiet", "default")) },
            { name: "purpose", title: "what for", grows: true, width: 220, optional: true, cell: (setting) => h("span.quiet", setting.purpose) },
        ],
        source: list(() => rows), key: (setting) => setting.key, rowClass: (setting) => (isSet(setting) ? "is-set" : ""),
        onopen: (setting) => router.replace({ params: { setting: setting.key } }),
        empty: () => (all.length ? empty("No setting is called so.") : ""),
    });

    function filter() {
        const word = search.value.trim().toLowerCase();
        rows = all.filter((setting) => (!onlySet.box.checked || isSet(setting)) && (!word || setting.key.toLowerCase().includes(word) || setting.purpose.toLowerCase().includes(word)));
        grid.refresh();
    }

    function drawAbout() {
        const setting = all.find((each) => each.key === router.now.params.setting);
        about.hidden = !setting;
        grid.select(setting?.key ?? null);
        if (!setting) return;
        fill(about, h("header", h("h2.mono", setting.key), h("button.sign.plain", { onclick: () => router.replace({ params: { setting: null } }), "aria-label": "Close" }, "×")),
            h("p", setting.purpose),
            h("dl.facts", h("dt", "value"), h("dd", valueOf(setting)), h("dt", "from"), h("dd", setting.origin), h("dt", "default"), h("dd.mono", String(setting.default ?? "none"))));
    }

    search.addEventListener("input", () => {
        router.replace({ params: { search: search.value || null } });
        filter();
    });
    onlySet.box.addEventListener("change", () => {
        router.replace({ params: { set: onlySet.box.checked ? "1" : null } });
        filter();
    });
    context.shortcuts.add({ keys: "/", says: "Search settings", when: () => search.isConnected, run: () => search.focus() });

    const node = h("div.configuration", h("div.bar", search, onlySet), h("div.rows-place", grid.node, about));
    const load = () => busy(node, server.get("/server", {}, { signal })).then((answer) => {
        all = answer.configuration;
        filter();
        drawAbout();
    }, (error) => { if (!signal.aborted) fill(node, problem(error, load)); });
    load();
    signal.addEventListener("abort", () => grid.destroy(), { once: true });
    return { node, update: drawAbout };
}
