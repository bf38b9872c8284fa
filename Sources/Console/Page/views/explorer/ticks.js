// Fields ticked into a query, and out of it: the tree of the text is changed, and printed.

import { parse } from "../../language/parser.js";
import { operationAt } from "../../language/checks.js";
import { print } from "../../language/printer.js";
import { isRequired, itemOf } from "../../language/schema.js";

/** So many fields come along with an object that is ticked. */
const leavesMax = 8;

const word = (text) => ({ text, start: Infinity, end: Infinity });
const fieldNode = (name) => ({ kind: "field", alias: null, name: word(name), args: [], directives: [], selections: null, start: Infinity, end: Infinity });
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** The operation that a tick at a root is about. */
function target(document, operation, place) {
    const here = operationAt(document, place);
    if (here?.operation === operation) return here;
    return document.definitions.find((one) => one.kind === "operation" && one.operation === operation) ?? null;
}

const find = (selections, name) => selections?.find((one) => one.kind === "field" && one.name.text === name) ?? null;

/** Which paths of an operation are in the text: "query/listPosts/items/id", and arguments "query/listPosts(limit)". */
export function ticked(document, place) {
    const all = new Set();
    const walk = (selections, path) => {
        for (const one of selections ?? []) {
            if (one.kind === "inline") walk(one.selections, path);
            if (one.kind !== "field") continue;
            const here = `${path}/${one.name.text}`;
            all.add(here);
            for (const arg of one.args) all.add(`${here}(${arg.name.text})`);
            walk(one.selections, here);
        }
    };
    for (const operation of ["query", "mutation", "subscription"]) {
        const one = target(document, operation, place);
        if (one) walk(one.selections, operation);
    }
    return all;
}

/** The fields of a type that are wanted first: those that are always there. */
function firstFields(schema, typeName, depth = 0) {
    const type = schema.type(typeName);
    if (!type?.fields) return null;
    const fields = [...type.fields.values()].filter((field) => !field.args.some((arg) => isRequired(arg.type)));
    const items = type.fields.get("items");
    if (items && itemOf(items.type.replace(/!$/, "")) !== null && depth < 3) {
        const node = fieldNode("items");
        node.selections = firstFields(schema, items.type, depth + 1);
        return type.fields.has("nextToken") ? [node, fieldNode("nextToken")] : [node];
    }
    const leaves = fields.filter((field) => schema.isLeaf(field.type));
    const wanted = leaves.filter((field) => isRequired(field.type) && !["createdAt", "updatedAt", "_version", "_lastChangedAt"].includes(field.name));
    const chosen = (wanted.length ? wanted : leaves).slice(0, leavesMax);
    return chosen.length ? chosen.map((field) => fieldNode(field.name)) : [fieldNode("__typename")];
}

/** A value to begin with, for a variable of a type. */
export function exampleOf(schema, type, depth = 0) {
    const bare = type.replace(/!$/, "");
    const item = itemOf(bare);
    if (item !== null) return [];
    const definition = schema.type(bare);
    if (definition?.kind === "enum") return definition.values[0]?.name ?? "";
    if (definition?.kind === "input") {
        if (depth > 3) return {};
        return Object.fromEntries([...definition.inputs.values()].filter((input) => isRequired(input.type) && input.initial === null).map((input) => [input.name, exampleOf(schema, input.type, depth + 1)]));
    }
    return { Int: 0, Float: 0, Boolean: false }[bare] ?? "";
}

function addArgument(schema, operation, field, arg, added) {
    let name = arg.name;
    const there = () => operation.variables.find((variable) => variable.name?.text === name);
    for (let number = 2; there() && there().type !== arg.type; number += 1) name = `${arg.name}${number}`;
    if (!there()) {
        operation.variables.push({ name: word(name), type: arg.type, initial: null, directives: [], start: Infinity });
        operation.isShort = false;
        added[name] = exampleOf(schema, arg.type);
    }
    field.args.push({ name: word(arg.name), value: { kind: "variable", name: word(name) } });
}

const usesOf = (value, all) => {
    if (value.kind === "variable" && value.name) all.add(value.name.text);
    value.items?.forEach((item) => usesOf(item, all));
    value.fields?.forEach((field) => usesOf(field.value, all));
};

function dropUnused(document, operation) {
    const used = new Set();
    const walk = (selections) => {
        for (const one of selections ?? []) {
            one.args?.forEach((arg) => usesOf(arg.value, used));
            one.directives?.forEach((directive) => directive.args.forEach((arg) => usesOf(arg.value, used)));
            walk(one.selections);
        }
    };
    walk(operation.selections);
    for (const one of document.definitions) if (one.kind === "fragment") walk(one.selections);
    const dropped = operation.variables.filter((variable) => !used.has(variable.name?.text));
    operation.variables = operation.variables.filter((variable) => used.has(variable.name?.text));
    return dropped;
}

/**
 * The text with a field (or an argument, the last part then is "(name)") ticked or not. `added` are the variables that are new, with
 * values to begin with; `dropped` those that are no longer used, with the values that they began with. Null where the text has mistakes that a change would lose.
 */
export function tick(text, schema, path, isOn, place) {
    const document = parse(text);
    if (document.errors.length && text.trim() && document.definitions.length) return null;
    if (document.errors.length) document.definitions = [];
    const [kind, ...names] = path;
    const added = {};
    const argument = names.at(-1).startsWith("(") ? names.pop().slice(1, -1) : null;
    let operation = target(document, kind, place);
    if (!operation) {
        if (!isOn) return { text, added, dropped: {} };
        operation = { kind: "operation", operation: kind, name: word(capital(names[0])), variables: [], directives: [], selections: [], isShort: false, start: Infinity, end: Infinity };
        document.definitions.push(operation);
        // Of several operations each has a name.
        for (const one of document.definitions) {
            if (one.kind !== "operation" || one.name || document.definitions.length < 2) continue;
            one.name = word(capital(find(one.selections, one.selections[0]?.name?.text)?.name.text ?? "First"));
            one.isShort = false;
        }
    }
    // A subscription has one field: another one takes its place.
    if (isOn && kind === "subscription" && operation.selections.length && !find(operation.selections, names[0])) operation.selections = [];

    let type = schema.root(kind);
    let { selections } = operation;
    const parents = [];
    for (const [index, name] of names.entries()) {
        const definition = schema.field(type, name);
        if (!definition) return null;
        let node = find(selections, name);
        if (!node) {
            if (!isOn) return { text, added, dropped: {} };
            node = fieldNode(name);
            for (const arg of definition.args) if (isRequired(arg.type) && (arg.initial ?? null) === null) addArgument(schema, operation, node, arg, added);
            if (!schema.isLeaf(definition.type)) node.selections = index === names.length - 1 ? firstFields(schema, definition.type) : [];
            selections.push(node);
        }
        parents.push({ selections, node, definition });
        type = schema.type(definition.type);
        if (index < names.length - 1) selections = node.selections ??= [];
    }
    const { node, definition } = parents.at(-1);
    if (argument !== null) {
        const arg = definition.args.find((each) => each.name === argument);
        const at = node.args.findIndex((each) => each.name.text === argument);
        if (isOn && at < 0 && arg) addArgument(schema, operation, node, arg, added);
        if (!isOn && at >= 0) node.args.splice(at, 1);
    } else if (!isOn) {
        for (const each of [...parents].reverse()) {
            each.selections.splice(each.selections.indexOf(each.node), 1);
            if (each.selections.length) break;
        }
        if (!operation.selections.length) document.definitions.splice(document.definitions.indexOf(operation), 1);
    }
    const dropped = isOn ? [] : dropUnused(document, operation);
    return { text: print(document).replace(/^\n$/, ""), added, dropped: Object.fromEntries(dropped.map((variable) => [variable.name.text, exampleOf(schema, variable.type)])) };
}
