// The Explorer: at the left the schema to walk and tick, in the middle the editor with variables and headers, at the right the answer.
// Subscriptions run beside queries.

import { fill, h, later } from "../../parts/dom.js";
import { menu } from "../../parts/dialog.js";
import { editor, jsonTokens } from "../../parts/editor.js";
import { choice } from "../../parts/form.js";
import { copyText } from "../../parts/json.js";
import { announce, busy, problem, toast } from "../../parts/notice.js";
import { splitter } from "../../parts/splitter.js";
import { tabs } from "../../parts/tabs.js";
import { caller } from "../../state/caller.js";
import { overview } from "../../state/overview.js";
import { address, router } from "../../state/router.js";
import { schema as schemaState } from "../../state/schema.js";
import { server } from "../../state/server.js";
import { streamPlace, streamsMax } from "../../state/streams.js";
import { check, checkVariables, operationAt } from "../../language/checks.js";
import { colours } from "../../language/colours.js";
import { complete } from "../../language/completion.js";
import { parse } from "../../language/parser.js";
import { print } from "../../language/printer.js";
import { readSchema } from "../../language/schema.js";
import { curl, swift, typescript } from "./copies.js";
import { documents, titleOf } from "./documents.js";
import { showHistory } from "./history.js";
import { eventsMax, result } from "./result.js";
import { tick, ticked } from "./ticks.js";
import { tree } from "./tree.js";

let read = { text: null, schema: null };
/** Runs outlive the view: who comes back finds the answers, and the subscriptions still listening. */
const runs = new Map();
let lastRun = 0;

/** "x-tenant: a" lines, as an object. */
function headersOf(text) {
    const all = {};
    for (const line of text.split("\n")) {
        const at = line.indexOf(":");
        if (at > 0 && !line.trim().startsWith("#")) all[line.slice(0, at).trim().toLowerCase()] = line.slice(at + 1).trim();
    }
    return all;
}

function mount(place, context) {
    let schema = null;
    let tab = null;
    let document_ = null;
    let isActive = true;
    context.signal.addEventListener("abort", () => { isActive = false; });
    if (!documents.all.length) documents.begin();

    const runButton = h("button.main.run", { onclick: () => run(), title: "Run the operation at the caret as the caller above" }, "Run ▸");
    const operationPlace = h("span.operation");
    const copyButton = h("button", "Copy as ▾");
    const schemaButton = h("button.only-narrow", { onclick: () => { place.classList.toggle("with-docs"); schemaButton.setAttribute("aria-expanded", String(place.classList.contains("with-docs"))); }, "aria-expanded": "false" }, "Schema");

    const query = editor({
        label: "Query", tokens: colours, placeholder: "{ … }",
        problems: (text) => {
            const checked = check(text, schema);
            document_ = checked.document;
            drawOperation();
            return text.trim() ? checked.errors : [];
        },
        complete: (text, at) => complete(text, at, schema),
        onchange: (text) => { tab.query = text; changed(); },
        onmove: () => { drawOperation(); },
    });
    const variables = editor({
        label: "Variables", tokens: jsonTokens, placeholder: "{ }",
        problems: (text) => checkVariables(text, chosen(), schema).errors,
        complete: (text, at) => completeVariables(text, at),
        onchange: (text) => { tab.variables = text; save(); },
    });
    const headers = editor({
        label: "Headers", placeholder: "x-tenant: a",
        tokens: (text) => [...text.matchAll(/^[^:\n]+(?=:)/gm)].map((match) => ({ start: match.index, end: match.index + match[0].length, class: "k" })),
        problems: (text) => {
            let from = 0;
            return text.split("\n").flatMap((line) => {
                const start = from;
                from += line.length + 1;
                return !line.trim() || line.trim().startsWith("#") || /^[\w-]+\s*:/.test(line.trim()) ? [] : [{ message: "A header is a name, a colon and a value: x-tenant: a", start, end: start + line.length }];
            });
        },
        onchange: (text) => { tab.headers = text; save(); },
    });
    const inputs = tabs({ label: "Sent along", items: [{ id: "variables", title: "Variables", panel: variables.node }, { id: "headers", title: "Headers", panel: headers.node }] });
    const docTabs = tabs({
        label: "Queries", items: [{ id: "none", title: "" }],
        onselect: (id) => openTab(documents.all.find((each) => each.id === id)),
        onclose: (id) => {
            const stopped = runs.get(id);
            stopped?.control?.abort();
            runs.delete(id);
            documents.close(id);
            openTab(documents.open);
        },
        onadd: () => {
            openTab(documents.add({}));
            query.focus();
        },
        addLabel: "New tab",
    });
    const docs = tree({ ontick: (path, isOn) => change(path, isOn) });
    const answer = result({
        onplace: (line, column) => {
            const text = query.value.split("\n");
            const start = text.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
            const word = /^\w+/.exec(query.value.slice(start))?.[0].length ?? 1;
            query.select(start, start + word);
        },
        onstop: (each) => stop(each),
    });

    const columns = h("div.columns");
    const edit = h("div.edit");
    fill(place,
        h("div.bar", h("h1.visually-hidden", "Explorer"), runButton, h("kbd.only-wide", "Ctrl ↵"), operationPlace, h("span.grow"), schemaButton,
            h("button", { onclick: prettify, title: "Lay the query out (Shift Alt F)" }, "Prettify"), copyButton, h("button", { onclick: () => showHistory((one) => openTab(documents.add({ query: one.query, variables: one.variables, headers: one.headers ?? "" }))) }, "History")),
        columns);
    fill(columns, docs.node, edit, splitter({ place: columns, name: "explorer/columns", label: "Width of the editor" }), answer.node);
    fill(edit, docTabs.bar, query.node, splitter({ place: edit, name: "explorer/rows", label: "Height of the query", share: 0.7, axis: "y" }), inputs.node);

    const saveNow = () => documents.save();
    const save = later(250, saveNow);
    context.signal.addEventListener("abort", () => { save.stop(); saveNow(); });
    window.addEventListener("pagehide", saveNow, { signal: context.signal });

    const drawTabs = later(200, () => {
        if (isActive) docTabs.change(documents.all.map((each) => ({ id: each.id, title: titleOf(each), count: runs.get(each.id)?.state === "open" ? "•" : "" })), tab.id);
    });
    const drawTabsNow = () => docTabs.change(documents.all.map((each) => ({ id: each.id, title: titleOf(each), count: runs.get(each.id)?.state === "open" ? "•" : "" })), tab.id);
    const changed = () => {
        save();
        drawTabs();
        drawTicks();
        variablesSoon();
    };
    const drawTicks = later(200, () => { docs.ticks = ticked(parse(query.value), query.caret); });
    const variablesSoon = later(300, () => variables.check());

    function chosen() {
        return document_ ? operationAt(document_, query.caret, tab?.operation ?? null) : null;
    }
    function drawOperation() {
        const all = (document_?.definitions ?? []).filter((one) => one.kind === "operation");
        const names = all.map((one) => one.name?.text ?? "");
        const now = chosen();
        const key = `${names.join()}/${now?.name?.text}/${tab?.operation}/${now?.operation}`;
        if (operationPlace.dataset.now === key) return;
        operationPlace.dataset.now = key;
        if (all.length > 1) {
            fill(operationPlace, choice({
                "aria-label": "Operation", value: tab.operation ?? "", options: [["", `At the caret: ${now?.name?.text ?? ""}`], ...names.filter(Boolean).map((name) => [name, name])],
                onchange: (event) => { tab.operation = event.target.value || null; save(); drawOperation(); variables.check(); },
            }));
        } else fill(operationPlace, now ? h("span.chip", now.name?.text ?? now.operation) : null);
    }

    function openTab(next) {
        tab = next;
        documents.open = next;
        document_ = null;
        query.value = tab.query;
        variables.value = tab.variables;
        headers.value = tab.headers;
        query.check();
        variables.check();
        drawTabsNow();
        docs.ticks = ticked(parse(tab.query), 0);
        drawRun();
        save();
    }

    function drawRun() {
        const now = runs.get(tab.id) ?? null;
        const isRunning = now && ["running", "waiting", "open"].includes(now.state);
        fill(runButton, isRunning ? "Stop ■" : "Run ▸");
        answer.show(now?.state === "running" ? now.before ?? now : now);
        answer.showStreams([...runs.values()].filter((each) => each !== now && ["waiting", "open"].includes(each.state)), (each) => {
            const owner = documents.all.find((one) => one.id === each.tab);
            if (owner) openTab(owner);
        });
    }
    const drawRunSoon = later(60, () => { if (isActive) drawRun(); });

    function stop(each) {
        each.control.abort();
        each.state = each.events ? "ended" : "stopped";
        if (!each.events) {
            if (each.before) runs.set(each.tab, each.before);
            else runs.delete(each.tab);
        }
        announce(each.events ? "Stopped listening" : "Stopped");
        if (isActive) {
            drawRun();
            drawTabsNow();
        }
    }

    async function run() {
        const before = runs.get(tab.id);
        if (before && ["running", "waiting", "open"].includes(before.state)) return stop(before);
        query.check();
        const operation = chosen();
        if (!operation) {
            announce("There is no operation to run. Write one, or tick a field at the left.", true);
            query.focus();
            return undefined;
        }
        const given = checkVariables(tab.variables, operation, schema);
        if (given.value === null && !operation.variables.length) given.value = {};
        if (given.value === null) {
            inputs.select("variables");
            variables.check();
            variables.focus();
            announce(given.errors[0].message, true);
            return undefined;
        }
        const as = caller.as;
        lastRun += 1;
        const mine = { id: `r${lastRun}`, tab: tab.id, title: titleOf(tab), as: caller.label, state: "running", control: new AbortController(), before: before?.answer || before?.error ? before : null };
        const asked = { query: tab.query, variables: given.value, operationName: operation.name?.text ?? null, headers: headersOf(tab.headers) };
        documents.note({ query: tab.query, variables: tab.variables, headers: tab.headers, as: as.kind === "token" ? "~token" : caller.word, at: new Date().toISOString() });
        if (operation.operation === "subscription") return follow(mine, asked, as);
        runs.set(tab.id, mine);
        drawRun();
        try {
            mine.answer = await busy(answer.panel, server.run(asked, { as, signal: mine.control.signal }));
            mine.state = "done";
            const errors = mine.answer.response?.errors?.length ?? 0;
            announce(errors ? `${mine.title}: ${errors} ${errors === 1 ? "error" : "errors"}` : `${mine.title}: answered`);
        } catch (error) {
            if (error.name === "AbortError") return undefined;
            mine.error = error;
            mine.state = "failed";
        }
        if (isActive) drawRun();
        return undefined;
    }

    async function follow(mine, asked, as) {
        const place = await streamPlace();
        if (!place) {
            toast(`${streamsMax} streams are open already in the tabs of this browser, which has few connections. Stop a subscription first, or close a tab.`);
            return undefined;
        }
        Object.assign(mine, { state: "waiting", events: [], total: 0, before: null });
        runs.set(tab.id, mine);
        drawRun();
        const end = (state) => {
            if (["waiting", "open"].includes(mine.state)) mine.state = state;
            drawRunSoon();
            drawTabs();
        };
        server.subscribe(asked, {
            as, signal: mine.control.signal,
            started: () => { mine.state = "open"; announce(`${mine.title}: listening`); drawRunSoon(); drawTabs(); },
            next: (data) => {
                mine.total += 1;
                mine.events.push({ number: mine.total, at: new Date(), data });
                if (mine.events.length > eventsMax) mine.events.shift();
                drawRunSoon();
            },
            refused: (data) => { mine.refusal = { errors: data?.errors ?? data?.response?.errors ?? [], denials: data?.denials ?? [] }; end("refused"); announce(`${mine.title}: refused`, true); },
            complete: () => end("ended"),
            lost: (error) => { mine.refusal = { errors: [], denials: [], error }; end("lost"); },
        }).finally(() => place.release());
        return undefined;
    }

    function prettify() {
        const parsed = parse(query.value);
        if (parsed.errors.length) {
            query.check();
            query.select(parsed.errors[0].start, parsed.errors[0].end);
            announce(`Not laid out: ${parsed.errors[0].message}`, true);
            return;
        }
        query.rewrite(print(parsed));
        try {
            if (tab.variables.trim()) variables.rewrite(JSON.stringify(JSON.parse(tab.variables), null, 2));
        } catch {
            // What is no JSON stays as it is; its own line says so.
        }
    }

    function change(path, isOn, caret = query.caret) {
        if (!schema) return;
        const changedText = tick(query.value, schema, path, isOn, caret);
        if (!changedText) {
            announce("The query has a mistake. Mend it, then tick.", true);
            query.check();
            const [first] = query.problems;
            if (first) query.select(first.start, first.end);
            return;
        }
        query.rewrite(changedText.text);
        try {
            const now = tab.variables.trim() ? JSON.parse(tab.variables) : {};
            const next = { ...changedText.added, ...now };
            for (const [name, value] of Object.entries(changedText.dropped)) if (JSON.stringify(next[name]) === JSON.stringify(value)) delete next[name];
            if (JSON.stringify(next) !== JSON.stringify(now)) variables.rewrite(Object.keys(next).length ? JSON.stringify(next, null, 2) : "");
        } catch {
            // Variables that are no JSON are somebody's work in progress.
        }
        docs.ticks = ticked(parse(query.value), query.caret);
        query.check();
    }

    function completeVariables(text, at) {
        const before = text.slice(0, at);
        const word = /"([\w]*)$/.exec(before);
        if (!word || !schema) return null;
        // The names on the way to the caret: braces open, keys before them.
        const path = [];
        let depth = 0;
        let key = null;
        const keys = [];
        for (const token of before.matchAll(/"((?:[^"\\]|\\.)*)"\s*(:?)|[{}[\]]/g)) {
            if (token[2] === ":") key = token[1];
            else if (token[0] === "{") { keys[depth] = key; depth += 1; key = null; }
            else if (token[0] === "}") depth -= 1;
        }
        for (let index = 1; index < depth; index += 1) path.push(keys[index]);
        const operation = chosen();
        let known = (operation?.variables ?? []).filter((variable) => variable.name).map((variable) => ({ name: variable.name.text, type: variable.type }));
        for (const name of path) {
            const type = schema.type(known.find((each) => each.name === name)?.type ?? "");
            known = [...(type?.inputs?.values() ?? [])];
        }
        const isValue = /:\s*"\w*$/.test(before);
        if (isValue) {
            const name = /"(\w+)"\s*:\s*"\w*$/.exec(before)?.[1];
            const type = schema.type(known.find((each) => each.name === name)?.type ?? "");
            if (type?.kind !== "enum") return null;
            known = type.values.map((value) => ({ name: value.name, type: type.name, isValue: true }));
        }
        const behind = text[at] === '"' ? "" : '"';
        const entries = known.filter((each) => each.name.toLowerCase().includes(word[1].toLowerCase()))
            .map((each) => ({ text: each.name, insert: each.isValue || behind === "" ? each.name + behind : `${each.name}": `, detail: each.type, about: each.description }));
        return entries.length ? { from: at - word[1].length, prefix: word[1], isOpen: true, entries } : null;
    }

    menu(copyButton, () => {
        const operation = chosen();
        const given = checkVariables(tab.variables, operation, schema);
        const what = { url: overview.now?.url ?? `${location.origin}/graphql`, query: tab.query, variables: given.value ?? {}, operationName: operation?.name?.text ?? null, headers: headersOf(tab.headers), as: caller.as, operation: operation?.operation ?? "query", isStream: operation?.operation === "subscription" };
        const isToken = caller.as.kind === "token";
        return [
            { label: "curl", detail: "credentials left out", run: () => copyText(curl(what), "Copied for a shell. Put the credential in where it is named.") },
            isToken && { label: "curl with the pasted token", detail: "keep it to yourself", run: () => copyText(curl({ ...what, withCredentials: true }), "Copied with the token in it.") },
            { label: "Swift", detail: "Amplify", run: () => copyText(swift(what), "Copied as Swift.") },
            { label: "TypeScript", detail: "Amplify", run: () => copyText(typescript(what), "Copied as TypeScript.") },
            "-",
            { label: "A link to this query", detail: "with its caller", run: () => copyText(location.origin + location.pathname + address("explorer", [], { query: tab.query, variables: tab.variables || null }), "Copied. Whoever opens it here finds the query.") },
        ];
    }, { align: "end" });

    context.shortcuts.add({ keys: "Ctrl+Enter", says: "Run", whileTyping: true, run });
    context.shortcuts.add({ keys: "Alt+Shift+f", says: "Prettify", whileTyping: true, run: prettify });
    context.shortcuts.add({ keys: "/", says: "Search the schema", run: () => { place.classList.add("with-docs"); docs.search.focus(); } });
    context.shortcuts.add({ keys: "n", says: "New tab", run: () => { openTab(documents.add({})); query.focus(); } });
    context.shortcuts.add({ keys: "h", says: "History", run: () => showHistory((one) => openTab(documents.add({ query: one.query, variables: one.variables, headers: one.headers ?? "" }))) });

    const useSchema = (answer_) => {
        if (read.text !== answer_.api) read = { text: answer_.api, schema: readSchema(answer_.api) };
        schema = read.schema;
        docs.schema = schema;
        query.check();
        variables.check();
        docs.ticks = ticked(parse(query.value), query.caret);
        arrive(router.now);
    };
    schemaState.watch((now) => setTimeout(() => { if (isActive) useSchema(now); }), context.signal);
    schemaState.load().catch((error) => {
        if (isActive) fill(docs.node, problem(error, () => location.reload()));
    });

    /** What the address asks for beyond the view: a query, an operation, a request of Live. */
    async function arrive(route) {
        const { operation, query: text, variables: values } = route.params;
        if (text !== undefined) {
            router.replace({ params: { query: null, variables: null } });
            openTab(documents.all.find((each) => each.query === text && each.variables === (values ?? "")) ?? documents.add({ query: text, variables: values ?? "" }));
        } else if (operation && schema) {
            router.replace({ params: { operation: null } });
            const kind = ["query", "mutation", "subscription"].find((each) => schema.root(each)?.fields.has(operation));
            if (!kind) return;
            openTab(documents.add({ query: "", variables: "" }));
            change([kind, operation], true, 0);
        } else if (route.path[0] === "replay") {
            const id = route.path[1];
            router.replace({ path: [] });
            try {
                const one = await server.get(`/live/${encodeURIComponent(id)}`, {}, { signal: context.signal });
                if (!one.query) throw new Error("This request is too long to be kept, or it had no query.");
                openTab(documents.add({ query: one.query, variables: one.variables && Object.keys(one.variables).length ? JSON.stringify(one.variables, null, 2) : "" }));
            } catch (error) {
                if (error.name !== "AbortError") toast(error.message, { tone: "no" });
            }
        }
    }

    openTab(documents.open);
    return {
        update(route) {
            arrive(route);
        },
    };
}

export default { title: "Explorer", mount };
