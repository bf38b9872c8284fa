// What can stand at the caret, by the schema. The tokens before it are walked; what comes behind does not matter.

import { lex } from "./lexer.js";
import { isRequired, itemOf, named } from "./schema.js";

const entriesMax = 60;

/** What is open at a place: `{ kind, … }`. */
function contextAt(tokens, schema) {
    const stack = [{ kind: "document" }];
    let previous = null;
    const valueDone = (frame) => { if (frame && (frame.kind === "args" || frame.kind === "object")) frame.isValue = false; };
    for (const token of tokens) {
        const top = stack.at(-1);
        const { text, kind } = token;
        const isName = kind === "name";
        switch (top.kind) {
        case "document":
            if (text === "{") stack.push({ kind: "selection", type: schema.root("query") });
            else if (["query", "mutation", "subscription"].includes(text)) stack.push({ kind: "head", type: schema.root(text), operation: text });
            else if (text === "fragment") stack.push({ kind: "fragment", step: 0 });
            break;
        case "head":
            if (previous?.text === "@" && isName) top.directive = schema.directives.get(text);
            else if (text === "(" && top.directive) stack.push({ kind: "args", args: top.directive.args });
            else if (text === "(") stack.push({ kind: "variables" });
            else if (text === "{") stack[stack.length - 1] = { kind: "selection", type: top.type };
            break;
        case "fragment":
            if (text === "{") stack[stack.length - 1] = { kind: "selection", type: top.type ?? null };
            else if (isName && text === "on") top.step = 2;
            else if (isName && top.step === 2) {
                top.type = schema.type(text);
                top.step = 3;
            } else if (isName) top.step = 1;
            break;
        case "variables":
            if (text === ")") stack.pop();
            else if (text === "$") Object.assign(top, { isType: false, isValue: false });
            else if (text === ":") top.isType = true;
            else if (text === "=") Object.assign(top, { isType: false, isValue: true });
            else if (isName && top.isType) top.type = text;
            else if (text === "{" && top.isValue) stack.push({ kind: "object", type: schema.type(top.type ?? "") });
            break;
        case "selection":
            if (text === "...") top.step = 1;
            else if (text === "{") {
                stack.push({ kind: "selection", type: top.inline !== undefined ? top.inline ?? top.type : schema.type(top.field?.type ?? "") });
                top.inline = undefined;
                top.step = 0;
            } else if (text === "}") stack.pop();
            else if (text === "@") top.step = top.step === 1 ? 1 : 0;
            else if (text === "(") stack.push({ kind: "args", args: (top.directive ?? top.field)?.args ?? [] });
            else if (isName) {
                if (previous?.text === "@") top.directive = schema.directives.get(text) ?? { args: [] };
                else {
                    top.directive = null;
                    if (top.step === 1 && text === "on") top.step = 2;
                    else if (top.step === 2) {
                        top.inline = schema.type(text);
                        top.step = 0;
                    } else if (top.step === 1) top.step = 0;
                    else top.field = schema.field(top.type, text);
                }
            }
            if (text === "...") top.inline = null;
            break;
        case "args":
        case "object": {
            const close = top.kind === "args" ? ")" : "}";
            const known = top.kind === "args" ? top.args : [...(top.type?.inputs?.values() ?? [])];
            if (text === close) {
                stack.pop();
                valueDone(stack.at(-1));
            } else if (text === ":") top.isValue = true;
            else if (text === "{" && top.isValue) stack.push({ kind: "object", type: schema.type(top.current?.type ?? "") });
            else if (text === "[" && top.isValue) stack.push({ kind: "list", type: itemOf((top.current?.type ?? "").replace(/!$/, "")) ?? "" });
            else if (top.isValue && text !== "$") top.isValue = false;
            else if (isName && !top.isValue) {
                top.current = known.find((each) => each.name === text) ?? { type: "" };
                (top.given ??= new Set()).add(text);
            }
            break;
        }
        case "list":
            if (text === "]") {
                stack.pop();
                valueDone(stack.at(-1));
            } else if (text === "{") stack.push({ kind: "object", type: schema.type(top.type) });
            else if (text === "[") stack.push({ kind: "list", type: itemOf(top.type.replace(/!$/, "")) ?? "" });
            break;
        }
        previous = token;
        if (!stack.length) stack.push({ kind: "document" });
    }
    return { top: stack.at(-1), previous, stack };
}

/** The variables that the operation around the caret has. */
function variablesOf(tokens) {
    const all = new Map();
    let isInside = false;
    tokens.forEach((token, index) => {
        if (["query", "mutation", "subscription", "fragment"].includes(token.text)) {
            all.clear();
            isInside = true;
        }
        if (token.text === "{") isInside = false;
        if (isInside && token.text === "$" && tokens[index + 2]?.text === ":") {
            let type = "";
            for (let at = index + 3; tokens[at] && /^[[\]!]$|^\w+$/.test(tokens[at].text); at += 1) type += tokens[at].text;
            all.set(tokens[index + 1].text, type);
        }
    });
    return all;
}

function valueEntries(type, schema, variables, hasDollar) {
    const wanted = named(type);
    const fitting = [...variables].filter(([, each]) => named(each) === wanted || wanted === "").map(([name, each]) => ({ text: `$${name}`, insert: hasDollar ? name : `$${name}`, detail: each, kind: "variable" }));
    if (hasDollar) return fitting.length ? fitting : [...variables].map(([name, each]) => ({ text: `$${name}`, insert: name, detail: each, kind: "variable" }));
    const definition = schema.type(wanted);
    const own = definition?.kind === "enum" ? definition.values.map((each) => ({ text: each.name, detail: wanted, about: each.description, kind: "value" }))
        : wanted === "Boolean" ? ["true", "false"].map((text) => ({ text, detail: "Boolean", kind: "value" }))
            : definition?.kind === "input" ? [{ text: "{ }", insert: "{ | }", detail: wanted, kind: "value" }] : [];
    return [...fitting, ...own];
}

/** `{ from, entries }`: entries are `{ text, insert, detail, about, kind }`, `|` in `insert` is where the caret goes. Null where there is nothing to say. */
export function complete(text, place, schema) {
    if (!schema) return null;
    const all = lex(text.slice(0, place));
    const last = all.at(-1);
    if (last && last.end === place && (last.kind === "comment" || last.kind === "string" || last.kind === "number" || last.kind === "bad")) return null;
    const isTyping = last?.kind === "name" && last.end === place;
    const prefix = isTyping ? last.text : "";
    const tokens = (isTyping ? all.slice(0, -1) : all).filter((token) => token.kind !== "comment");
    const { top, previous } = contextAt(tokens, schema);
    const from = isTyping ? last.start : place;
    const before = previous?.text;
    let entries = [];
    const typeEntries = (fitsType) => [...schema.types.values()].filter(fitsType).map((type) => ({ text: type.name, detail: type.kind, about: type.description, kind: "type" }));
    const argEntries = (known, given) => known.filter((each) => !given?.has(each.name)).map((each) => ({
        text: each.name, insert: schema.type(each.type)?.kind === "input" && itemOf(each.type.replace(/!$/, "")) === null ? `${each.name}: { | }` : `${each.name}: `, detail: each.type, about: each.description, kind: "argument", rank: isRequired(each.type) ? 0 : 1 }));

    if (before === "@") entries = [...schema.directives.values()].map((each) => ({ text: each.name, insert: each.args.length ? `${each.name}(${each.args[0].name}: |)` : each.name, about: each.description, kind: "directive" }));
    else if (top.kind === "document") entries = ["query", "mutation", "subscription"].filter((word) => schema.root(word)).concat("fragment").map((word) => ({ text: word, insert: word === "fragment" ? "fragment | on  {\n  \n}" : `${word} {\n  |\n}`, kind: "keyword" }));
    else if (top.kind === "fragment") {
        if (top.step === 2) entries = typeEntries((type) => type.fields);
        else if (top.step === 1) entries = [{ text: "on", insert: "on ", kind: "keyword" }];
    } else if (top.kind === "variables") {
        if (top.isType && (before === ":" || before === "[")) entries = typeEntries((type) => ["scalar", "enum", "input"].includes(type.kind));
    } else if (top.kind === "selection") {
        if (top.step === 2) {
            const possible = top.type ? new Set([...schema.possible(top.type), top.type.name]) : null;
            entries = typeEntries((type) => type.fields && (!possible || possible.has(type.name)));
        } else if (top.step === 1) {
            const fragments = [...text.matchAll(/\bfragment\s+(\w+)\s+on\s+(\w+)/g)].map(([, name, on]) => ({ text: name, detail: `on ${on}`, kind: "fragment" }));
            entries = [{ text: "on", insert: "on ", kind: "keyword" }, ...fragments];
        } else {
            entries = [...(top.type?.fields?.values() ?? [])].map((field) => ({
                text: field.name, detail: field.type, about: field.description, kind: "field",
                insert: field.name + (field.args.some((arg) => isRequired(arg.type)) ? `(${field.args.filter((arg) => isRequired(arg.type)).map((arg, index) => `${arg.name}: ${index ? "" : "|"}`).join(", ")})` : "")
                    + (schema.isLeaf(field.type) ? "" : field.args.some((arg) => isRequired(arg.type)) ? " {\n  \n}" : " {\n  |\n}"),
            }));
            if (top.type) entries.push({ text: "__typename", detail: "String!", kind: "field", rank: 2 });
        }
    } else if (top.kind === "args" || top.kind === "object") {
        const known = top.kind === "args" ? top.args : [...(top.type?.inputs?.values() ?? [])];
        entries = top.isValue ? valueEntries(top.current?.type ?? "", schema, variablesOf(tokens), before === "$") : argEntries(known, top.given);
    } else if (top.kind === "list") entries = valueEntries(top.type, schema, variablesOf(tokens), before === "$");

    const low = prefix.toLowerCase();
    const rated = entries.map((entry) => {
        const word = entry.text.replace(/^\$/, "").toLowerCase();
        const at = word.indexOf(low);
        return { ...entry, insert: entry.insert ?? entry.text, score: (at === 0 ? 0 : at > 0 ? 10 : -1) + (entry.rank ?? 0) * (low ? 0 : 1) };
    }).filter((entry) => entry.score >= 0);
    // Where a word is all there already nothing is offered: Enter is then a new line.
    if (rated.length === 1 && rated[0].text === prefix && rated[0].insert === prefix) return null;
    rated.sort((a, b) => a.score - b.score);
    return rated.length ? { from, prefix, entries: rated.slice(0, entriesMax) } : null;
}
