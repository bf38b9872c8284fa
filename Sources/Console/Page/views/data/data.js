// Data: each model as a table, a record in a form beside it, and what belongs to the record beside that. Where one is stands in the
// address: `#data/Post/p-17/comments/c-3?filter=…&sort=-createdAt`.

import { fill, h } from "../../parts/dom.js";
import { count, estimate, plural } from "../../parts/format.js";
import { menu } from "../../parts/dialog.js";
import { busy, empty, problem } from "../../parts/notice.js";
import { table } from "../../parts/table.js";
import { address, router } from "../../state/router.js";
import { caller } from "../../state/caller.js";
import { draft } from "../../state/drafts.js";
import { overview } from "../../state/overview.js";
import { schema } from "../../state/schema.js";
import { columnsFor, fitColumns, rowsSource } from "./rows.js";
import { filterBar, readFilters, writeFilters } from "./filters.js";
import { keyName, keyPath, keyText, newestFirst, trailOf, wordOf, wordsOf } from "./models.js";
import { exportItems, importRows } from "./transfer.js";
import { removeRecords } from "./remove.js";
import { sidePanel } from "./side.js";
import { sqlView } from "./sql.js";

/** The place of the SQL view among the models: no model is called so. */
const sqlName = "~sql";
const lastModel = draft("data/last");

/** What stays in the address while one walks from record to record. */
const listParams = () => ({ filter: router.now.params.filter, match: router.now.params.match, sort: router.now.params.sort });

const sortOf = (text) => (text ? { name: text.replace(/^-/, ""), direction: text.startsWith("-") ? "down" : "up" } : null);

export default {
    title: "Data",
    mount(place, context) {
        const models = h("nav.list.models", { "aria-label": "Models" });
        const main = h("div.main");
        const side = h("aside.side", { "aria-label": "Record", hidden: true });
        fill(place, models, main, side);

        let shown = null;
        let panel = null;
        let isByKeys = false;
        place.addEventListener("keydown", () => { isByKeys = true; }, { capture: true, signal: context.signal });
        place.addEventListener("pointerdown", () => { isByKeys = false; }, { capture: true, signal: context.signal });

        function drawModels() {
            const all = schema.now?.models ?? [];
            const counts = new Map((overview.now?.models ?? []).map((each) => [each.name, each]));
            const item = (model) => {
                const number = counts.get(model.name);
                return h("a.list-item", { href: address("data", [model.name], { filter: null, match: null, sort: null }), dataset: { key: `model-${model.name}` }, "aria-current": router.now.path[0] === model.name ? "page" : null },
                    h("span.cut", model.name), h("span.count", number ? (number.isEstimate ? estimate(number.count) : count(number.count)) : ""));
            };
            const drawn = JSON.stringify([all.map((model) => [model.name, counts.get(model.name)?.count]), router.now.path[0], router.now.params.as, overview.now?.rooms?.sql, Boolean(shown?.tables)]);
            if (models.dataset.drawn === drawn) return;
            models.dataset.drawn = drawn;
            const joins = all.filter((model) => model.isJoin || model.isHidden);
            fill(models, all.filter((model) => !joins.includes(model)).map(item),
                joins.length ? h("h2.only-wide", "Joins") : null, joins.map(item),
                overview.now?.rooms?.sql === false ? null : [h("h2.only-wide", "Queries"),
                    h("a.list-item", { href: address("data", [sqlName]), dataset: { key: "model-sql" }, "aria-current": router.now.path[0] === sqlName ? "page" : null }, "SQL")],
                router.now.path[0] === sqlName && shown?.tables ? shown.tables : null);
        }

        /** The table of a model, with its bar. */
        function modelView(model) {
            const words = wordsOf(model);
            const control = new AbortController();
            const total = h("span.quiet.total", { role: "status" });
            // The newest first, where that does not sort a table that nobody has counted to its end.
            const usual = () => {
                const time = newestFirst(model);
                return time && !overview.now?.models.find((each) => each.name === model.name)?.isEstimate ? `-${time.name}` : null;
            };
            const sortNow = () => sortOf(router.now.params.sort ?? usual());
            const query = () => {
                const sorted = sortNow();
                return {
                    filter: readFilters(model, router.now.params.filter), match: router.now.params.match === "any" ? "any" : "all",
                    sort: sorted && model.fields.some((field) => field.name === sorted.name && field.column) ? [{ field: sorted.name, descending: sorted.direction === "down" }] : [],
                };
            };
            let known = null;
            const seen = (number, isEstimate) => {
                known = number;
                fill(total, number === null || number === undefined ? "" : [isEstimate ? estimate(number) : count(number), h("span.visually-hidden", ` ${words}`)]);
            };
            const change = (filters) => router.go("data", router.now.path, { ...listParams(), filter: writeFilters(filters) });
            const filters = filterBar({
                model, now: () => query().filter, change,
                match: () => query().match, onmatch: (match) => router.go("data", router.now.path, { ...listParams(), match: match === "any" ? "any" : null }),
            });
            const columns = columnsFor(schema, model, [model.name], listParams);
            let isFitted = false;
            const fit = (rows) => {
                if (isFitted || !rows.length) return;
                isFitted = true;
                grid.columns = fitColumns(columns, model, rows);
            };
            const grid = table({
                label: words, columns, source: rowsSource(model, query, { seen, first: fit }), key: (row) => keyName(model, row.key), choose: true,
                rowClass: (row) => (row.values._deleted ? "deleted" : ""),
                sorted: sortNow(),
                onsort: (column, direction) => router.go("data", router.now.path, { ...listParams(), sort: `${direction === "down" ? "-" : ""}${column.name}` }),
                onopen: (row) => router.go("data", [model.name, ...keyPath(model, row.key)], listParams()),
                onchoose: () => drawChosen(),
                empty: () => (query().filter.length
                    ? empty(`No ${wordOf(model)} meets this filter.`, h("button", { onclick: () => change([]) }, "Remove the filter"))
                    : empty(`No ${words} yet. An app makes them, or:`, h("button.main", { onclick: create }, `New ${wordOf(model)}`), h("button", { onclick: bring }, "Import"))),
            });
            const chosenKeys = () => [...grid.chosen].map((name) => Object.fromEntries(JSON.parse(name).map((value, index) => [model.key[index], value])));
            const chosenBar = h("div.chosen", { role: "group", "aria-label": "Chosen", hidden: true });
            const drawChosen = () => {
                const number = grid.chosen.size;
                chosenBar.hidden = number === 0;
                if (number) fill(chosenBar, h("span", `${count(number)} chosen`), h("button", { onclick: clear, dataset: { key: "clear" } }, "Choose none"),
                    h("button.danger", { onclick: removeChosen, dataset: { key: "remove" } }, `Delete ${plural(number, wordOf(model), words)}`));
            };
            const clear = () => {
                grid.chosen.clear();
                grid.refresh();
                drawChosen();
                grid.focus();
            };
            const removeChosen = async () => {
                const keys = chosenKeys();
                const read = new Map(grid.source.rows().map((row) => [keyName(model, row.key), row.values._version]));
                try {
                    await removeRecords({ schema, model, keys, names: keys.map((key) => keyText(model, key)), versions: keys.map((key) => read.get(keyName(model, key))), signal: control.signal });
                } catch (error) {
                    if (error.name !== "AbortError") fill(chosenBar, problem(error, drawChosen));
                    return;
                }
                grid.chosen.clear();
                drawChosen();
                grid.reload({ keep: true });
            };
            const create = () => router.go("data", [model.name], { ...listParams(), new: true });
            const bring = async () => {
                if (await importRows({ model, signal: control.signal })) grid.reload({ keep: true });
            };
            const exportButton = menu(h("button.only-wide", "Export ▾"), () => exportItems({ model, query, chosen: chosenKeys(), total: known === null ? "" : count(known), signal: control.signal }), { align: "end" });
            const moreButton = menu(h("button.sign.only-narrow", { "aria-label": "More" }, "⋯"), () => [{ label: "Import", run: bring }, "-", ...exportItems({ model, query, chosen: chosenKeys(), total: known === null ? "" : count(known), signal: control.signal })], { align: "end" });
            const node = h("div.model",
                h("div.bar", h("h1", model.name), total, filters.node, h("span.grow"), h("button.only-wide", { onclick: bring }, "Import"), exportButton, moreButton,
                    h("button.main", { onclick: create, title: "n" }, `New ${wordOf(model)}`)),
                h("div.rows-place", grid.node, chosenBar));
            // What an app writes meanwhile is seen where somebody looks at the beginning; further down nothing is moved away from them.
            let counted = null;
            overview.watch((info) => {
                const number = info.models.find((each) => each.name === model.name)?.count ?? null;
                if (counted !== null && number !== counted && grid.scroller.scrollTop === 0 && !document.querySelector("dialog[open]")) grid.reload({ keep: true });
                counted = number;
            }, control.signal);
            let asked = JSON.stringify([query(), caller.word]);
            return {
                name: model.name, model, node, grid, create, filter: () => filters.add(),
                get total() { return known; },
                update() {
                    const now = JSON.stringify([query(), caller.word]);
                    if (now === asked) return;
                    asked = now;
                    filters.show();
                    grid.sorted = sortNow();
                    grid.reload();
                },
                destroy() {
                    control.abort();
                    filters.close();
                    grid.destroy();
                },
            };
        }

        function drawMain() {
            const name = router.now.path[0];
            if (shown?.name === name && (name === sqlName || shown.model === schema.model(name))) {
                shown.update?.();
                return;
            }
            shown?.destroy?.();
            shown = null;
            if (name === sqlName) {
                const control = new AbortController();
                const view = sqlView({ signal: control.signal, context });
                shown = { name, node: view.node, tables: view.tables, destroy: () => { control.abort(); view.destroy(); } };
                fill(main, view.node);
                return;
            }
            const model = schema.model(name);
            if (!model) {
                fill(main, empty(`The schema has no model ${name}. It may have been renamed.`, h("a.link", { href: address("data") }, "All models")));
                return;
            }
            lastModel.value = name;
            shown = modelView(model);
            fill(main, shown.node);
        }

        function drawSide() {
            const model = shown?.model;
            const steps = model ? trailOf(schema, router.now.path) : [];
            const isNew = Boolean(router.now.params.new) && model !== undefined;
            const wanted = steps.length || isNew ? JSON.stringify([router.now.path, isNew, caller.word, schema.now.version]) : null;
            if (panel?.wanted === wanted) return;
            const had = panel !== null;
            const hadFocus = side.contains(document.activeElement);
            panel?.destroy();
            panel = null;
            side.hidden = wanted === null;
            place.classList.toggle("has-side", wanted !== null);
            shown?.grid?.select(steps[0]?.kind === "record" ? keyName(model, steps[0].key) : null);
            if (wanted === null) {
                fill(side);
                if (had && (hadFocus || document.activeElement === document.body)) shown?.grid?.focus();
                context.title(model?.name ?? "");
                return;
            }
            panel = sidePanel({
                schema, model, steps, isNew, listParams,
                changed: () => shown?.grid?.reload({ keep: true }),
                back: () => back(),
            });
            panel.wanted = wanted;
            fill(side, panel.node);
            side.setAttribute("aria-label", panel.title);
            context.title(panel.title);
            if (isNew) panel.focusField();
            else if (hadFocus || isByKeys) panel.focus();
        }

        /** One step back: out of the last record or list. */
        function back() {
            const { path, params } = router.now;
            if (params.new) {
                router.go("data", path, { ...listParams(), new: null });
                return true;
            }
            const steps = shown?.model ? trailOf(schema, path) : [];
            if (!steps.length) return false;
            const to = steps.at(-2);
            router.go("data", to ? to.path : [path[0]], listParams());
            return true;
        }

        const onRow = (run) => () => {
            if (shown?.grid) run(shown.grid);
        };
        context.shortcuts.add({ keys: "n", says: "New record", when: () => Boolean(shown?.create), run: () => shown.create() });
        context.shortcuts.add({ keys: "/", says: "Filter", when: () => Boolean(shown?.filter), run: () => shown.filter() });
        context.shortcuts.add({ keys: "r", says: "Read again", when: () => Boolean(shown?.grid), run: () => shown.grid.reload({ keep: true }) });
        context.shortcuts.add({ keys: "e", says: "Edit the record", when: () => Boolean(panel || shown?.grid?.activeRow), run: onRow((grid) => {
            if (panel) panel.focusField();
            else {
                router.go("data", [shown.name, ...keyPath(shown.model, grid.activeRow.key)], listParams());
                panel?.focusField();
            }
        }) });
        context.shortcuts.add({ keys: "Escape", says: "Back", whileTyping: true, when: () => !document.querySelector(".filter-editor") && Boolean(panel || shown?.grid?.chosen.size), run: () => {
            if (!back() && shown?.grid?.chosen.size) {
                shown.grid.chosen.clear();
                shown.grid.refresh();
                shown.node.querySelector(".chosen").hidden = true;
            }
        } });
        context.finder?.add({ find: (text) => (schema.now?.models ?? []).filter((model) => !model.isJoin && `new ${wordOf(model)}`.includes(text)).slice(0, 5)
            .map((model) => ({ label: `New ${wordOf(model)}`, kind: "action", run: () => router.go("data", [model.name], { new: true }) })) });

        function draw() {
            if (context.signal.aborted || !schema.now) return;
            if (!router.now.path.length) {
                const last = schema.model(lastModel.value) ?? schema.now.models.find((model) => !model.isJoin) ?? schema.now.models[0];
                if (!last) {
                    fill(main, empty("The schema has no models. A type with @model is one."));
                    return;
                }
                router.replace({ path: [last.name] });
                return;
            }
            drawMain();
            drawModels();
            drawSide();
        }

        const begin = () => busy(place, schema.load()).then(draw, (error) => { if (!context.signal.aborted) fill(main, problem(error, begin)); });
        overview.watch(() => { if (schema.now) drawModels(); }, context.signal);
        schema.watch(() => draw(), context.signal);

        return {
            update() {
                if (schema.now) draw();
                else begin();
            },
            unmount() {
                panel?.destroy();
                shown?.destroy?.();
            },
        };
    },
};
