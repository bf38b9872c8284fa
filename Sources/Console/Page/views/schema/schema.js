// Schema: models as cards with relations as lines; beside it the text as it was written, the API that follows from it, and warnings with
// their lines.

import { fill, h, later } from "../../parts/dom.js";
import { chip } from "../../parts/chip.js";
import { placeLink } from "../../parts/denial.js";
import { plural } from "../../parts/format.js";
import { copyText } from "../../parts/json.js";
import { busy, empty, problem } from "../../parts/notice.js";
import { splitter } from "../../parts/splitter.js";
import { tabs } from "../../parts/tabs.js";
import { scriptColours, textView } from "../../parts/text.js";
import { schemaColours } from "../../language/colours.js";
import { overview } from "../../state/overview.js";
import { link, router } from "../../state/router.js";
import { schema as schemaState } from "../../state/schema.js";
import { saveAs } from "../../state/server.js";
import { diagram } from "./diagram.js";

/** Texts are drawn by their kind; those of other kinds stay plain. */
const coloursOf = (source) => (source.language === "typescript" ? scriptColours : schemaColours);

function mount(place, context) {
    let now = null;
    let views = new Map();
    let warnings = [];

    const paper = diagram({ onopen: (model) => router.go("schema", ["types", model.name]) });
    const zoomed = h("span.small.quiet.zoom", "100 %");
    const sayZoom = (zoom) => { zoomed.textContent = `${Math.round(zoom * 100)} %`; };
    const search = h("input.in.search", { type: "search", placeholder: "Find a model", "aria-label": "Find a model" });
    const beside = h("div.beside");
    const counts = h("span.row");
    const about = h("div.about-model");
    const halves = h("div.halves");
    fill(place,
        h("div.bar", h("h1", "Schema"), counts, search, h("span.grow"), h("button.sign", { "aria-label": "Smaller", onclick: () => sayZoom(paper.zoomBy(-1)) }, "−"), zoomed,
            h("button.sign", { "aria-label": "Larger", onclick: () => sayZoom(paper.zoomBy(1)) }, "+"), h("button", { onclick: () => sayZoom(paper.fit()) }, "Fit"), h("button", { onclick: () => window.print() }, "Print")),
        halves);
    fill(halves, h("div.left", paper.node, about), splitter({ place: halves, name: "schema/halves", label: "Width of the diagram", share: 0.62 }), beside);

    let parts = null;
    const warningList = () => (warnings.length
        ? h("ul.warnings", warnings.map((one) => h("li", h("span.sign", { class: one.severity === "note" ? "quiet" : "partly", "aria-hidden": "true" }, one.severity === "note" ? "•" : "◐"), h("div", h("p", one.message), one.hint ? h("p.quiet", one.hint) : null, one.file ? h("p.small", placeLink({ file: one.file, line: one.line })) : null))))
        : empty("No warnings. What homeport check would say of this schema stands here."));
    const build = () => {
        views = new Map();
        const items = now.sources.map((source) => {
            const notes = warnings.filter((one) => one.file === source.file).map((one) => ({ line: one.line, text: one.message, tone: one.severity === "note" ? "quiet" : "" }));
            const view = textView({ label: source.file, text: source.text, colours: coloursOf(source), notes });
            views.set(source.file, view);
            return { id: source.file, title: source.file.split("/").at(-1), panel: view.node };
        });
        const api = textView({ label: "The API as SDL", text: now.api, colours: schemaColours });
        views.set("api", api);
        items.push({ id: "api", title: "API", panel: api.node }, { id: "warnings", title: "Warnings", count: warnings.length ? String(warnings.length) : "", panel: h("div", warningList()) });
        const copy = h("button.plain", { onclick: () => {
            const text = parts.selected === "api" ? now.api : now.sources.find((source) => source.file === parts.selected)?.text;
            if (text) copyText(text, "The text is copied.");
        } }, "Copy");
        const save = h("button.plain", { onclick: () => saveAs(new Blob([now.api], { type: "text/plain" }), "api.graphql") }, "Save API");
        parts = tabs({
            label: "Texts", items, extra: [copy, save],
            onselect: (id) => router.go("schema", id === "api" || id === "warnings" ? [id] : ["text", id]),
        });
        fill(beside, parts.node);
    };
    const drawAbout = (model) => {
        about.hidden = !model;
        if (!model) return;
        fill(about, h("header", h("h2", model.name), model.place ? placeLink(model.place) : null, h("span.grow"), link("data", [model.name], {}, "Records"), link("access", [], { search: model.name }, "Access")),
            model.description ? h("p", model.description) : null,
            model.joins ? h("p.quiet", `Joins ${model.joins.join(" and ")}.`) : null,
            h("dl.facts", h("dt", "key"), h("dd", h("code", model.key.join(", "))),
                model.indexes?.length ? [h("dt", "indexes"), h("dd", model.indexes.map((index) => h("div", h("code", `${index.name}(${index.fields.join(", ")})`), index.query ? [" ", link("explorer", [], { operation: index.query }, index.query)] : null)))] : null,
                model.rules?.length ? [h("dt", "rules"), h("dd", model.rules.filter((rule) => !rule.field).map((rule) => h("div", h("code", rule.text), rule.place ? [" ", h("span.small", placeLink(rule.place))] : null)))] : null));
    };
    let drawnVersion = null;
    const draw = () => {
        if (!now) return;
        const { models } = now;
        fill(counts, chip(plural(models.filter((model) => !model.isJoin).length, "model")), now.enums?.length ? chip(plural(now.enums.length, "enum")) : null, warnings.length ? chip(plural(warnings.length, "warning"), null, { onclick: () => router.go("schema", ["warnings"]) }) : null);
        if (!models.length) fill(paper.node, empty("There is no model yet. A type with @model in the schema makes one."));
        else if (drawnVersion !== now.version) paper.draw(models);
        drawnVersion = now.version;
        build();
        arrive(router.now);
    };
    function arrive(route) {
        if (!now || !parts) return;
        const [what, name] = route.path;
        if (what === "types") {
            const model = now.models.find((one) => one.name === name);
            const thing = model ?? now.enums?.find((one) => one.name === name) ?? now.types?.find((one) => one.name === name);
            paper.select(model?.name ?? null);
            drawAbout(model ?? null);
            if (thing?.place && views.has(thing.place.file)) {
                parts.select(thing.place.file, true);
                views.get(thing.place.file).go(thing.place.line);
            } else {
                const line = now.api.split("\n").findIndex((each) => new RegExp(`^(type|input|enum|interface|union|scalar) ${name}\\b`).test(each));
                if (line >= 0) {
                    parts.select("api", true);
                    views.get("api").go(line + 1);
                }
            }
            return;
        }
        paper.select(null);
        drawAbout(null);
        if (what === "text" && views.has(name)) {
            parts.select(name, true);
            if (route.params.line) views.get(name).go(Number(route.params.line));
        } else if (what === "api" || what === "warnings") parts.select(what, true);
    }

    schemaState.watch((answer) => {
        now = answer;
        warnings = overview.now?.warnings ?? [];
        draw();
    }, context.signal);
    overview.watch((info) => {
        if (JSON.stringify(info.warnings) === JSON.stringify(warnings)) return;
        ({ warnings } = info);
        draw();
    }, context.signal);
    busy(beside, schemaState.load()).catch((error) => fill(beside, h("div.pad", problem(error, () => location.reload()))));
    search.addEventListener("input", later(120, () => {
        const needle = search.value.trim().toLowerCase();
        const found = needle && now?.models.find((model) => model.name.toLowerCase().startsWith(needle)) || now?.models.find((model) => needle && model.name.toLowerCase().includes(needle));
        if (found) router.replace({ path: ["types", found.name] });
    }));
    context.shortcuts.add({ keys: "/", says: "Find a model", run: () => search.focus() });
    context.shortcuts.add({ keys: "+", says: "Larger", run: () => sayZoom(paper.zoomBy(1)) });
    context.shortcuts.add({ keys: "-", says: "Smaller", run: () => sayZoom(paper.zoomBy(-1)) });
    context.shortcuts.add({ keys: "0", says: "All of it", run: () => sayZoom(paper.fit()) });

    return { update: arrive };
}

export default { title: "Schema", mount };
