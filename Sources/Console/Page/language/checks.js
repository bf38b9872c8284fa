// What the server would refuse, said while somebody types. The server's word counts: this knows the common mistakes, not all of them.

import { parse } from "./parser.js";
import { isRequired, itemOf, named, nearest } from "./schema.js";

const errorsMax = 50;

/** Whether a value of one type may stand where another is wanted. */
function fits(type, wanted, hasInitial) {
    if (isRequired(wanted)) {
        if (!isRequired(type) && !hasInitial) return false;
        return fits(type.replace(/!$/, ""), wanted.slice(0, -1), false);
    }
    const bare = type.replace(/!$/, "");
    const item = itemOf(bare);
    const wantedItem = itemOf(wanted);
    if (wantedItem !== null) return item !== null && fits(item, wantedItem, false);
    return item === null && bare === wanted;
}

/** All mistakes of a text: `{ message, start, end }` in the order of the text. With the tree, which others need too. */
export function check(text, schema) {
    const document = parse(text);
    const errors = [...document.errors];
    const say = (message, node) => {
        if (errors.length < errorsMax) errors.push({ message, start: node.start, end: Math.max(node.end, node.start + 1) });
    };
    if (!schema) return { document, errors };
    const mayBe = (word, words) => {
        const near = nearest(word, words);
        return near ? ` Did you mean ${near}?` : "";
    };

    const fragments = new Map();
    for (const one of document.definitions) if (one.kind === "fragment" && one.name) fragments.set(one.name.text, one);
    const usedFragments = new Set();
    let uses = [];

    const value = (node, type) => {
        if (node.kind === "variable") {
            if (node.name) uses.push({ name: node.name.text, node, type });
            return;
        }
        if (node.kind === "missing") return;
        if (node.kind === "null") {
            if (isRequired(type)) say(`${type} cannot be null.`, node);
            return;
        }
        const bare = type.replace(/!$/, "");
        const item = itemOf(bare);
        if (item !== null) {
            if (node.kind === "list") node.items.forEach((each) => value(each, item));
            else value(node, item);
            return;
        }
        const definition = schema.type(bare);
        if (!definition) return;
        if (definition.kind === "input") {
            if (node.kind !== "object") {
                say(`${bare} is an object: { … }.`, node);
                return;
            }
            for (const field of node.fields) {
                const known = definition.inputs.get(field.name.text);
                if (known) value(field.value, known.type);
                else say(`${bare} has no field ${field.name.text}.${mayBe(field.name.text, definition.inputs.keys())}`, field.name);
            }
            for (const known of definition.inputs.values()) {
                if (isRequired(known.type) && known.initial === null && !node.fields.some((field) => field.name.text === known.name)) say(`${bare} wants ${known.name}: ${known.type}.`, { start: node.start, end: node.start + 1 });
            }
        } else if (node.kind === "object" || node.kind === "list") {
            if (definition.kind === "enum" || ["Int", "Float", "String", "Boolean", "ID"].includes(bare)) say(`${bare} is no ${node.kind}.`, node);
        } else if (definition.kind === "enum") {
            if (node.kind !== "enum") say(`${bare} is one of ${definition.values.slice(0, 8).map((each) => each.name).join(", ")}, without quotes.`, node);
            else if (!definition.values.some((each) => each.name === node.text)) say(`${bare} has no value ${node.text}.${mayBe(node.text, definition.values.map((each) => each.name))}`, node);
        } else {
            const right = { Int: ["int"], Float: ["int", "float"], String: ["string"], Boolean: ["boolean"], ID: ["string", "int"] }[bare];
            if (right && !right.includes(node.kind)) say(`${bare} is expected here, and ${node.text} is none.`, node);
        }
    };
    const args = (given, known, what, node) => {
        const seen = new Set();
        for (const arg of given) {
            const definition = known.find((each) => each.name === arg.name.text);
            if (!definition) say(`${what} has no argument ${arg.name.text}.${mayBe(arg.name.text, known.map((each) => each.name))}`, arg.name);
            else value(arg.value, definition.type);
            if (seen.has(arg.name.text)) say(`${arg.name.text} stands here twice.`, arg.name);
            seen.add(arg.name.text);
        }
        for (const each of known) {
            if (isRequired(each.type) && (each.initial ?? null) === null && !seen.has(each.name)) say(`${what} wants the argument ${each.name}: ${each.type}.`, node);
        }
    };
    const directives = (all) => {
        for (const one of all) {
            if (!one.name) continue;
            const known = schema.directives.get(one.name.text);
            if (known) args(one.args, known.args, `@${one.name.text}`, one.name);
            else say(`There is no directive @${one.name.text}.${mayBe(one.name.text, schema.directives.keys())}`, one.name);
        }
    };
    const typeCondition = (name) => {
        if (!name) return null;
        const type = schema.type(name.text);
        if (!type) say(`There is no type ${name.text}.${mayBe(name.text, schema.types.keys())}`, name);
        else if (!type.fields) say(`${name.text} has no fields, so nothing can be selected on it.`, name);
        return type;
    };
    const selections = (list, type, visited) => {
        for (const one of list ?? []) {
            directives(one.directives);
            if (one.kind === "field") {
                if (!type || !one.name.text) {
                    if (one.selections) selections(one.selections, null, visited);
                    continue;
                }
                const field = schema.field(type, one.name.text);
                if (!field) {
                    if (!["__schema", "__type"].includes(one.name.text)) say(`${type.name} has no field ${one.name.text}.${mayBe(one.name.text, type.fields?.keys() ?? [])}`, one.name);
                    if (one.selections) selections(one.selections, null, visited);
                    continue;
                }
                args(one.args, field.args, one.name.text, one.name);
                if (schema.isLeaf(field.type)) {
                    if (one.selections) say(`${one.name.text} is ${field.type} and has no fields.`, one.name);
                } else if (!one.selections) say(`${one.name.text} is ${field.type}: say which of its fields, { … }.`, one.name);
                if (one.selections) selections(one.selections, schema.isLeaf(field.type) ? null : schema.type(field.type), visited);
            } else if (one.kind === "spread") {
                const fragment = fragments.get(one.name.text);
                usedFragments.add(one.name.text);
                if (!fragment) say(`There is no fragment ${one.name.text}.${mayBe(one.name.text, fragments.keys())}`, one.name);
                else if (visited.has(fragment)) continue;
                else {
                    // What a fragment's fields use counts for the operation; what is wrong in it is said once, where it stands.
                    visited.add(fragment);
                    const before = errors.length;
                    selections(fragment.selections, schema.type(fragment.on?.text ?? ""), visited);
                    errors.length = before;
                }
            } else selections(one.selections, one.on ? typeCondition(one.on) : type, visited);
        }
    };

    const operations = document.definitions.filter((one) => one.kind === "operation");
    const names = new Set();
    for (const one of operations) {
        const root = schema.root(one.operation);
        if (!root) say(`This schema has no ${one.operation}s.`, { start: one.start, end: one.start + one.operation.length });
        if (!one.name && operations.length > 1) say("Of several operations each needs a name.", { start: one.start, end: one.start + (one.isShort ? 1 : one.operation.length) });
        if (one.name && names.has(one.name.text)) say(`There are two operations called ${one.name.text}.`, one.name);
        if (one.name) names.add(one.name.text);
        directives(one.directives);
        uses = [];
        const known = new Map();
        for (const variable of one.variables) {
            if (!variable.name) continue;
            if (known.has(variable.name.text)) say(`There are two variables called ${variable.name.text}.`, variable.name);
            known.set(variable.name.text, variable);
            if (!schema.types.has(named(variable.type))) {
                if (named(variable.type)) say(`There is no type ${named(variable.type)}.${mayBe(named(variable.type), [...schema.types.values()].filter((type) => schema.isInput(type.name)).map((type) => type.name))}`, { start: variable.typeStart, end: variable.typeEnd });
            } else if (!schema.isInput(variable.type)) say(`${variable.type} is no type of input.`, { start: variable.typeStart, end: variable.typeEnd });
            else if (variable.initial) value(variable.initial, variable.type);
        }
        selections(one.selections, root, new Set());
        if (one.operation === "subscription" && one.selections.length > 1 && !document.errors.length) say("A subscription has one field.", one.selections[1]);
        for (const use of uses) {
            const variable = known.get(use.name);
            if (!variable) say(`There is no variable $${use.name}: name it behind ${one.operation}, ($${use.name}: ${use.type}).`, use.node);
            else if (schema.types.has(named(variable.type)) && !fits(variable.type, use.type, variable.initial !== null)) say(`$${use.name} is ${variable.type}, and ${use.type} is wanted here.`, use.node);
        }
        const used = new Set(uses.map((use) => use.name));
        for (const variable of known.values()) if (!used.has(variable.name.text) && !document.errors.length) say(`$${variable.name.text} is not used.`, variable.name);
    }
    for (const fragment of fragments.values()) {
        uses = [];
        selections(fragment.selections, typeCondition(fragment.on), new Set([fragment]));
        if (!usedFragments.has(fragment.name.text)) say(`The fragment ${fragment.name.text} is not used.`, fragment.name);
    }
    const seen = new Set();
    const unique = errors.filter((error) => {
        const key = `${error.start}/${error.message}`;
        return seen.has(key) ? false : seen.add(key);
    });
    return { document, errors: unique.sort((a, b) => a.start - b.start) };
}

/** The operation that runs: the one named, else the only one, else that in which the caret stands. */
export function operationAt(document, place, name = null) {
    const all = document.definitions.filter((one) => one.kind === "operation");
    return all.find((one) => name !== null && one.name?.text === name) ?? all.find((one) => place >= one.start && place <= one.end) ?? all[0] ?? null;
}

/** What is wrong with variables as they are typed: not JSON, missing, unknown. */
export function checkVariables(text, operation, schema) {
    if (text.trim() === "") {
        const missing = (operation?.variables ?? []).filter((variable) => isRequired(variable.type) && !variable.initial && variable.name);
        return { value: {}, errors: missing.length ? [{ message: `${missing.map((variable) => `$${variable.name.text}: ${variable.type}`).join(", ")} ${missing.length === 1 ? "needs a value" : "need values"}.`, start: 0, end: 0, isQuiet: true }] : [] };
    }
    let value;
    try {
        value = JSON.parse(text);
    } catch (error) {
        const place = Number(/position (\d+)/.exec(error.message)?.[1] ?? text.length - 1);
        return { value: null, errors: [{ message: `This is not JSON: ${error.message.replace(/^JSON\.parse: /, "").replace(/ in JSON at position.*/s, "")}.`, start: Math.max(0, Math.min(place, text.length - 1)), end: Math.min(text.length, place + 1) }] };
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) return { value: null, errors: [{ message: "Variables are an object: { \"name\": value }.", start: 0, end: text.length }] };
    const errors = [];
    const at = (name) => {
        const start = text.indexOf(JSON.stringify(name));
        return start < 0 ? { start: 0, end: 1 } : { start, end: start + name.length + 2 };
    };
    const walk = (each, type, path) => {
        if (errors.length >= errorsMax || !schema) return;
        const bare = type.replace(/!$/, "");
        if (each === null || each === undefined) {
            if (isRequired(type)) errors.push({ message: `${path.join(".")} is ${type} and cannot be null.`, ...at(path.at(-1)) });
            return;
        }
        const item = itemOf(bare);
        if (item !== null) {
            (Array.isArray(each) ? each : [each]).forEach((one) => walk(one, item, path));
            return;
        }
        const definition = schema.type(bare);
        if (definition?.kind === "input") {
            if (typeof each !== "object" || Array.isArray(each)) {
                errors.push({ message: `${path.join(".")} is ${bare}: an object.`, ...at(path.at(-1)) });
                return;
            }
            for (const [name, one] of Object.entries(each)) {
                const known = definition.inputs.get(name);
                if (known) walk(one, known.type, [...path, name]);
                else {
                    const near = nearest(name, definition.inputs.keys());
                    errors.push({ message: `${bare} has no field ${name}.${near ? ` Did you mean ${near}?` : ""}`, ...at(name) });
                }
            }
            for (const known of definition.inputs.values()) if (isRequired(known.type) && known.initial === null && !(known.name in each)) errors.push({ message: `${path.join(".")} wants ${known.name}: ${known.type}.`, ...at(path.at(-1)) });
        } else if (definition?.kind === "enum") {
            if (!definition.values.some((one) => one.name === each)) errors.push({ message: `${bare} is one of ${definition.values.slice(0, 8).map((one) => one.name).join(", ")}.`, ...at(path.at(-1)) });
        } else {
            const right = { Int: Number.isInteger(each), Float: typeof each === "number", String: typeof each === "string", Boolean: typeof each === "boolean", ID: typeof each === "string" || Number.isInteger(each) }[bare];
            if (right === false) errors.push({ message: `${path.join(".")} is ${bare}, and ${JSON.stringify(each).slice(0, 40)} is none.`, ...at(path.at(-1)) });
        }
    };
    for (const variable of operation?.variables ?? []) {
        if (!variable.name) continue;
        const { text: name } = variable.name;
        if (name in value) walk(value[name], variable.type, [name]);
        else if (isRequired(variable.type) && !variable.initial) errors.push({ message: `$${name}: ${variable.type} needs a value.`, start: 0, end: 1 });
    }
    for (const name of Object.keys(value)) {
        if (operation && !operation.variables.some((variable) => variable.name?.text === name)) errors.push({ message: `The operation has no variable $${name}.`, ...at(name), isQuiet: true });
    }
    return { value, errors };
}
