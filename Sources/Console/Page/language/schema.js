// The schema of the API, out of its SDL: what completion, checks and documentation ask. Five hundred types are read in a few milliseconds.

import { lex, stringValue } from "./lexer.js";

export const scalars = new Set(["Int", "Float", "String", "Boolean", "ID"]);

const built = {
    include: { name: "include", description: "Includes this only when `if` is true.", args: [{ name: "if", type: "Boolean!" }] },
    skip: { name: "skip", description: "Leaves this out when `if` is true.", args: [{ name: "if", type: "Boolean!" }] },
};

/** "[Post!]!" → "Post" */
export const named = (type) => type.replace(/[[\]!]/g, "");
/** "[Post!]!" → "Post!" ; null for what is no list */
export const itemOf = (type) => {
    const bare = type.endsWith("!") ? type.slice(0, -1) : type;
    return bare.startsWith("[") ? bare.slice(1, -1) : null;
};
export const isRequired = (type) => type.endsWith("!");

class Reader {
    constructor(text) {
        this.tokens = lex(text).filter((token) => token.kind !== "comment");
        this.at = 0;
    }
    get text() {
        return this.tokens[this.at]?.text;
    }
    get kind() {
        return this.tokens[this.at]?.kind;
    }
    next() {
        return this.tokens[this.at++]?.text;
    }
    take(text) {
        if (this.text !== text) return false;
        this.at += 1;
        return true;
    }
    description() {
        return this.kind === "string" ? stringValue(this.next()) : null;
    }
    type() {
        let type = "";
        if (this.take("[")) {
            type = `[${this.type()}]`;
            this.take("]");
        } else type = this.next() ?? "";
        return this.take("!") ? `${type}!` : type;
    }
    /** A value as it stands. */
    value() {
        const start = this.at;
        let depth = 0;
        do {
            if (this.text === "[" || this.text === "{") depth += 1;
            if (this.text === "]" || this.text === "}") depth -= 1;
            if (this.text === "$") this.at += 1;
            this.at += 1;
        } while (depth > 0 && this.at < this.tokens.length);
        return this.tokens.slice(start, this.at).map((token) => token.text).join(" ");
    }
    directives() {
        const all = [];
        while (this.take("@")) {
            const one = { name: this.next(), args: {} };
            if (this.take("(")) {
                while (this.at < this.tokens.length && !this.take(")")) {
                    const name = this.next();
                    this.take(":");
                    one.args[name] = this.value();
                }
            }
            all.push(one);
        }
        return all;
    }
    inputs(close) {
        const all = [];
        while (this.at < this.tokens.length && !this.take(close)) {
            const description = this.description();
            const name = this.next();
            this.take(":");
            const type = this.type();
            const initial = this.take("=") ? this.value() : null;
            this.directives();
            all.push({ name, type, description, initial });
        }
        return all;
    }
    fields() {
        const all = new Map();
        if (!this.take("{")) return all;
        while (this.at < this.tokens.length && !this.take("}")) {
            const description = this.description();
            const name = this.next();
            const args = this.take("(") ? this.inputs(")") : [];
            this.take(":");
            const type = this.type();
            const deprecated = this.directives().find((each) => each.name === "deprecated");
            all.set(name, { name, type, args, description, deprecated: deprecated ? deprecated.args.reason ?? "deprecated" : null });
        }
        return all;
    }
}

/** Types by name, roots, directives. */
export function readSchema(sdl) {
    const reader = new Reader(sdl);
    const types = new Map();
    const roots = { query: "Query", mutation: "Mutation", subscription: "Subscription" };
    const directives = new Map(Object.entries(built));
    const put = (type) => {
        const there = types.get(type.name);
        if (there && type.fields && there.fields) for (const [name, field] of type.fields) there.fields.set(name, field);
        else if (!there) types.set(type.name, type);
    };
    for (const name of scalars) put({ kind: "scalar", name, description: null });
    while (reader.at < reader.tokens.length) {
        const description = reader.description();
        reader.take("extend");
        const word = reader.next();
        if (word === "schema") {
            reader.directives();
            reader.take("{");
            while (reader.at < reader.tokens.length && !reader.take("}")) {
                const operation = reader.next();
                reader.take(":");
                roots[operation] = reader.type();
            }
        } else if (word === "type" || word === "interface") {
            const name = reader.next();
            const interfaces = [];
            if (reader.take("implements")) {
                reader.take("&");
                do interfaces.push(reader.next()); while (reader.take("&"));
            }
            reader.directives();
            put({ kind: word === "type" ? "object" : "interface", name, description, interfaces, fields: reader.fields() });
        } else if (word === "input") {
            const name = reader.next();
            reader.directives();
            const inputs = reader.take("{") ? reader.inputs("}") : [];
            put({ kind: "input", name, description, inputs: new Map(inputs.map((input) => [input.name, input])) });
        } else if (word === "enum") {
            const name = reader.next();
            reader.directives();
            const values = [];
            if (reader.take("{")) {
                while (reader.at < reader.tokens.length && !reader.take("}")) {
                    const about = reader.description();
                    values.push({ name: reader.next(), description: about });
                    reader.directives();
                }
            }
            put({ kind: "enum", name, description, values });
        } else if (word === "union") {
            const name = reader.next();
            reader.directives();
            const members = [];
            if (reader.take("=")) {
                reader.take("|");
                do members.push(reader.next()); while (reader.take("|"));
            }
            put({ kind: "union", name, description, members, fields: new Map() });
        } else if (word === "scalar") {
            const name = reader.next();
            reader.directives();
            put({ kind: "scalar", name, description });
        } else if (word === "directive") {
            reader.take("@");
            const name = reader.next();
            const args = reader.take("(") ? reader.inputs(")") : [];
            reader.take("repeatable");
            reader.take("on");
            const places = [];
            reader.take("|");
            do places.push(reader.next()); while (reader.take("|"));
            // Those of the schema's own language are no directives of a query.
            if (places.some((place) => /^[A-Z_]+$/.test(place) && ["FIELD", "QUERY", "MUTATION", "SUBSCRIPTION", "FRAGMENT_SPREAD", "INLINE_FRAGMENT", "FRAGMENT_DEFINITION", "VARIABLE_DEFINITION"].includes(place))) directives.set(name, { name, description, args });
        }
    }
    const schema = {
        types, roots, directives,
        type: (name) => (name ? types.get(named(name)) ?? null : null),
        root: (operation) => types.get(roots[operation]) ?? null,
        isLeaf: (name) => ["scalar", "enum", undefined].includes(types.get(named(name))?.kind),
        isInput: (name) => ["scalar", "enum", "input"].includes(types.get(named(name))?.kind),
        field(type, name) {
            if (!type) return null;
            if (name === "__typename") return { name, type: "String!", args: [], description: "The name of this object's type." };
            return type.fields?.get(name) ?? null;
        },
        /** The types that a value of this one can be. */
        possible(type) {
            if (type.kind === "union") return type.members;
            if (type.kind === "interface") return [...types.values()].filter((each) => each.interfaces?.includes(type.name)).map((each) => each.name);
            return [type.name];
        },
    };
    return schema;
}

/** The nearest of some words: "titel" → "title". Null when none is near. */
export function nearest(word, words) {
    let best = null;
    let least = Math.max(1, Math.floor(word.length * 0.4)) + 1;
    const low = word.toLowerCase();
    for (const other of words) {
        const distance = editDistance(low, other.toLowerCase(), least);
        if (distance < least) {
            least = distance;
            best = other;
        }
    }
    return best;
}

function editDistance(a, b, most) {
    if (Math.abs(a.length - b.length) >= most) return most;
    let row = Array.from({ length: b.length + 1 }, (_, index) => index);
    for (let i = 1; i <= a.length; i += 1) {
        const next = [i];
        for (let j = 1; j <= b.length; j += 1) next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
        row = next;
    }
    return row[b.length];
}
