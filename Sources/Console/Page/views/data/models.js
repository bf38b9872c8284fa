// What the schema says of a model, as the data view asks for it: keys, names, relations, and the way from record to record in an address.

/** The fields in the order of the schema, but the key and the name of a record first, and times last. */
export function columnsOf(model) {
    const name = nameField(model);
    const rank = (field) => (field.isKey || model.key.includes(field.name) ? 0 : field === name ? 1 : field.isTimestamp ? 3 : 2);
    return [...model.fields].sort((one, other) => rank(one) - rank(other));
}

export const fieldOf = (model, name) => model.fields.find((field) => field.name === name) ?? null;

export const isToMany = (field) => field.kind === "relation" && (field.relation.kind === "hasMany" || field.relation.kind === "manyToMany");

/** The field by which people tell records apart: "title", "name", or the first text. */
export function nameField(model) {
    const texts = model.fields.filter((field) => field.base === "String" && field.kind === "scalar" && !field.isList && !field.isOwner && !model.key.includes(field.name));
    return texts.find((field) => /^(title|name|label|subject|headline)$/i.test(field.name)) ?? texts.find((field) => field.isRequired) ?? texts[0] ?? null;
}

/** The time by which the newest records come first where nobody has said otherwise. */
export const newestFirst = (model) => model.fields.find((field) => field.column && field.isTimestamp && field.name === "createdAt") ?? null;

/** "post", "user pool": a model's name as a word in a sentence. */
export function wordOf(model) {
    return model.name.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ").replace(/\b[A-Z](?![A-Z])/g, (letter) => letter.toLowerCase());
}

export function wordsOf(model) {
    const word = wordOf(model);
    if (/(s|x|z|ch|sh)$/.test(word)) return `${word}es`;
    return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}

export const articled = (word) => `${/^[aeio]/i.test(word) ? "an" : "a"} ${word}`;

/** A key as it is read: "p-17", "p-17 · 2026-01-02". */
export const keyText = (model, key) => model.key.map((name) => String(key[name] ?? "")).join(" · ");

/** A key as parts of an address. */
export const keyPath = (model, key) => model.key.map((name) => String(key[name] ?? ""));

function keyOf(model, parts) {
    const key = {};
    model.key.forEach((name, index) => {
        const base = fieldOf(model, name)?.base;
        key[name] = base === "Int" || base === "Float" || base === "AWSTimestamp" ? Number(parts[index]) : parts[index];
    });
    return key;
}

/** One text for a key, the same whatever the order of its fields. */
export const keyName = (model, key) => JSON.stringify(model.key.map((name) => key[name]));

/** The record at the other end of a `belongsTo`, where its key stands in this one's values; null where it has to be looked for. */
export function targetKey(schema, field, values) {
    const { kind, model: name, fields, targetFields } = field.relation;
    const target = schema.model(name);
    if (!target || kind !== "belongsTo") return null;
    const key = {};
    targetFields.forEach((each, index) => { key[each] = values[fields[index]]; });
    return target.key.every((each) => key[each] !== null && key[each] !== undefined) && target.key.length === targetFields.length ? key : null;
}

/** Where the records of a relation stand: of which model, and by which filters. */
export function relatedTo(schema, model, field, values) {
    const { relation } = field;
    const name = relation.through ?? relation.model;
    const filter = relation.targetFields.map((each, index) => ({ field: each, is: "=", value: values[relation.fields[index] ?? model.key[index]] }));
    return { model: schema.model(name), filter };
}

/** Of the joins of a many-to-many relation, the relation that leads to the other end. */
export const farEnd = (join, field) =>
    join.fields.find((each) => each.kind === "relation" && each.relation.kind === "belongsTo" && !each.relation.fields.some((name) => field.relation.targetFields.includes(name))) ?? null;

/**
 * The steps of an address: a model, a record in it, a relation of that record, a record there, and so on.
 *
 *     Post / p-17 / comments / c-3      →  record Post p-17, related comments, record Comment c-3
 */
export function trailOf(schema, path) {
    const [name, ...rest] = path;
    let model = schema.model(name);
    const steps = [];
    let at = [name];
    while (model && rest.length) {
        const parts = rest.splice(0, model.key.length);
        if (parts.length < model.key.length) break;
        at = [...at, ...parts];
        const record = { kind: "record", model, key: keyOf(model, parts), path: at };
        steps.push(record);
        const field = rest.length ? fieldOf(model, rest[0]) : null;
        if (!field || field.kind !== "relation") break;
        rest.shift();
        at = [...at, field.name];
        const { relation } = field;
        const next = schema.model(relation.through ?? relation.model);
        steps.push({ kind: "related", model: next, parent: record, field, path: at });
        model = next;
    }
    return steps;
}
