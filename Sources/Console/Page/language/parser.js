// A document of operations and fragments, as a tree. It goes on behind a mistake, so that completion and checks have the rest.

import { lex } from "./lexer.js";

/** Deeper than any query that somebody types; what is deeper is not read. */
const depthMax = 200;

const show = (token) => (token ? (token.kind === "string" ? "a string" : `“${token.text}”`) : "the end");

class Parser {
    constructor(text) {
        const all = lex(text);
        this.length = text.length;
        this.comments = all.filter((token) => token.kind === "comment");
        this.tokens = all.filter((token) => token.kind !== "comment");
        this.at = 0;
        this.depth = 0;
        this.errors = [];
        for (const token of all) if (token.kind === "bad") this.errors.push({ message: token.text.startsWith('"') ? "The string does not end on its line." : `${show(token)} means nothing here.`, start: token.start, end: token.end });
    }
    get token() {
        return this.tokens[this.at];
    }
    get text() {
        return this.token?.text;
    }
    get end() {
        return this.tokens[this.at - 1]?.end ?? 0;
    }
    get start() {
        return this.token?.start ?? this.length;
    }
    take(text) {
        if (this.text !== text || this.token.kind === "string") return false;
        this.at += 1;
        return true;
    }
    error(message, token = this.token) {
        // One mistake, one message: what follows from it is not said.
        const start = token ? token.start : Math.max(0, this.end - 1);
        if (this.errors.some((error) => error.start === start)) return;
        this.errors.push({ message, start, end: token ? token.end : this.end });
    }
    expect(text, before) {
        if (this.take(text)) return true;
        this.error(`Here stands ${show(this.token)}, where ${text === "}" || text === ")" || text === "]" ? `“${text}” has to end ${before}` : `“${text}” is expected${before ? ` ${before}` : ""}`}.`);
        return false;
    }
    name(what) {
        const { token } = this;
        if (token?.kind === "name") {
            this.at += 1;
            return { text: token.text, start: token.start, end: token.end };
        }
        this.error(`Here stands ${show(token)}, where the name of ${what} is expected.`);
        return null;
    }

    document() {
        const definitions = [];
        while (this.token) {
            const before = this.at;
            const { text, token } = this;
            if (text === "{" || (token.kind === "name" && ["query", "mutation", "subscription"].includes(text))) definitions.push(this.operation());
            else if (text === "fragment") definitions.push(this.fragment());
            else {
                this.error(`Here stands ${show(token)}, where an operation begins: query, mutation, subscription, fragment or “{”.`);
                this.at += 1;
            }
            if (this.at === before) this.at += 1;
        }
        return { definitions, errors: this.errors, comments: this.comments };
    }
    operation() {
        const start = this.start;
        const node = { kind: "operation", operation: "query", name: null, variables: [], directives: [], start, isShort: true };
        if (this.text !== "{") {
            node.isShort = false;
            node.operation = this.text;
            this.at += 1;
            if (this.token?.kind === "name") node.name = this.name("the operation");
            if (this.take("(")) {
                while (this.text === "$") node.variables.push(this.variableDefinition());
                this.expect(")", "the variables");
            }
            node.directives = this.directives();
        }
        node.selections = this.selections();
        node.end = this.end;
        return node;
    }
    fragment() {
        const start = this.start;
        this.at += 1;
        const node = { kind: "fragment", start, name: this.name("the fragment") };
        this.expect("on", "and the type of the fragment");
        node.on = this.name("a type");
        node.directives = this.directives();
        node.selections = this.selections();
        node.end = this.end;
        return node;
    }
    variableDefinition() {
        const start = this.start;
        this.at += 1;
        const node = { start, name: this.name("a variable") };
        this.expect(":", "and a type");
        const typeStart = this.start;
        node.type = this.type();
        node.typeStart = typeStart;
        node.typeEnd = this.end;
        node.initial = this.take("=") ? this.value() : null;
        node.directives = this.directives();
        node.end = this.end;
        return node;
    }
    type() {
        let type;
        if (this.take("[")) {
            type = `[${this.type()}]`;
            this.expect("]", "the list");
        } else type = this.name("a type")?.text ?? "";
        return this.take("!") ? `${type}!` : type;
    }
    directives() {
        const all = [];
        while (this.text === "@") {
            const start = this.start;
            this.at += 1;
            const name = this.name("a directive");
            all.push({ name, args: this.args(), start, end: this.end });
        }
        return all;
    }
    args() {
        const all = [];
        if (!this.take("(")) return all;
        while (this.token?.kind === "name") {
            const name = this.name("an argument");
            this.expect(":", `and the value of ${name.text}`);
            const value = this.value();
            all.push({ name, value, start: name.start, end: this.end });
        }
        this.expect(")", "the arguments");
        return all;
    }
    value() {
        const { token, start } = this;
        if (!token || this.depth > depthMax) {
            this.error("A value is expected here.");
            return { kind: "missing", start, end: start };
        }
        const node = { start, end: token.end };
        if (token.kind === "string") Object.assign(node, { kind: "string", text: token.text });
        else if (token.kind === "number") Object.assign(node, { kind: /[.eE]/.test(token.text) ? "float" : "int", text: token.text });
        else if (token.kind === "name") Object.assign(node, { kind: token.text === "null" ? "null" : token.text === "true" || token.text === "false" ? "boolean" : "enum", text: token.text });
        else if (token.text === "$") {
            this.at += 1;
            node.kind = "variable";
            node.name = this.name("a variable");
            node.end = this.end;
            return node;
        } else if (token.text === "[") {
            this.at += 1;
            this.depth += 1;
            node.kind = "list";
            node.items = [];
            while (this.token && this.text !== "]" && !")}".includes(this.text)) {
                const before = this.at;
                node.items.push(this.value());
                if (this.at === before) break;
            }
            this.expect("]", "the list");
            this.depth -= 1;
            node.end = this.end;
            return node;
        } else if (token.text === "{") {
            this.at += 1;
            this.depth += 1;
            node.kind = "object";
            node.fields = [];
            while (this.token?.kind === "name") {
                const name = this.name("a field");
                this.expect(":", `and the value of ${name.text}`);
                node.fields.push({ name, value: this.value() });
            }
            this.expect("}", "the object");
            this.depth -= 1;
            node.end = this.end;
            return node;
        } else {
            this.error(`Here stands ${show(token)}, where a value is expected.`);
            return { kind: "missing", start, end: start };
        }
        this.at += 1;
        return node;
    }
    selections() {
        const all = [];
        if (this.depth > depthMax) return all;
        if (!this.expect("{", "and the fields that are wanted")) return all;
        this.depth += 1;
        const open = this.tokens[this.at - 1];
        while (this.token && this.text !== "}") {
            if (this.text === "...") all.push(this.spread());
            else if (this.token.kind === "name") {
                // A definition that begins inside means that a brace is missing above; names of fields may be the same words.
                all.push(this.field());
            } else {
                this.error(`Here stands ${show(this.token)}, where the name of a field is expected.`);
                this.at += 1;
            }
        }
        if (!this.take("}")) this.error("This “{” is not closed.", open);
        else if (!all.length) this.error("Fields are wanted between these braces.", open);
        this.depth -= 1;
        return all;
    }
    field() {
        const start = this.start;
        let name = this.name("a field");
        let alias = null;
        if (this.take(":")) {
            alias = name;
            name = this.name("a field") ?? { text: "", start: this.start, end: this.start };
        }
        const node = { kind: "field", alias, name, start, args: this.args(), directives: this.directives(), selections: null };
        if (this.text === "{") {
            node.selections = this.selections();
        }
        node.end = this.end;
        return node;
    }
    spread() {
        const start = this.start;
        this.at += 1;
        if (this.token?.kind === "name" && this.text !== "on") {
            const node = { kind: "spread", name: this.name("a fragment"), start, directives: this.directives() };
            node.end = this.end;
            return node;
        }
        const node = { kind: "inline", start, on: this.take("on") ? this.name("a type") : null, directives: this.directives() };
        node.selections = this.selections();
        node.end = this.end;
        return node;
    }
}

/** `{ definitions, errors, comments }`; errors are `{ message, start, end }`. */
export const parse = (text) => new Parser(text).document();
