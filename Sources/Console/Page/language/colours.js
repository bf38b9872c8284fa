// Which colour each token has: keywords, types, variables, arguments, strings.

import { lex } from "./lexer.js";

const keywords = new Set(["query", "mutation", "subscription", "fragment", "on"]);
const words = new Set(["true", "false", "null"]);

/** `{ start, end, class }` for the tokens of a document that have a colour of their own. */
export function colours(text) {
    const tokens = lex(text);
    const all = [];
    let parentheses = 0;
    let braces = 0;
    let isHead = false;
    let previous = null;
    tokens.forEach((token, index) => {
        let kind = "";
        if (token.kind === "comment" || token.kind === "string" || token.kind === "number") kind = token.kind;
        else if (token.kind === "name") {
            const next = tokens[index + 1];
            if (previous?.text === "$") kind = "variable";
            else if (previous?.text === "@") kind = "directive";
            else if (previous?.text === "on") kind = "type";
            else if (braces === 0 && parentheses === 0 && keywords.has(token.text)) kind = "keyword";
            else if (previous?.text === "..." && token.text === "on") kind = "keyword";
            else if (parentheses > 0) kind = isHead ? "type" : next?.text === ":" ? "argument" : words.has(token.text) ? "keyword" : "enum";
        } else if (token.text === "(") {
            parentheses += 1;
            isHead = braces === 0;
        } else if (token.text === ")") parentheses -= 1;
        else if (token.text === "{" && parentheses === 0) braces += 1;
        else if (token.text === "}" && parentheses === 0) braces = Math.max(0, braces - 1);
        else if (token.text === "$" || token.text === "@") kind = token.text === "$" ? "variable" : "directive";
        else if (isHead && parentheses > 0 && "[]!".includes(token.text)) kind = "type";
        if (kind) all.push({ start: token.start, end: token.end, class: kind });
        if (token.kind !== "comment") previous = token;
    });
    return all;
}

/** The same for the language of schemas. */
export function schemaColours(text) {
    const definitions = new Set(["type", "input", "enum", "interface", "union", "scalar", "directive", "schema", "extend", "implements", "on"]);
    const tokens = lex(text).filter((token) => token.kind !== "bad");
    let previous = null;
    let parentheses = 0;
    return tokens.flatMap((token, index) => {
        let kind = "";
        if (["comment", "string", "number"].includes(token.kind)) kind = token.kind;
        else if (token.text === "(") parentheses += 1;
        else if (token.text === ")") parentheses -= 1;
        else if (token.kind === "name") {
            const next = tokens[index + 1]?.text;
            if (previous?.text === "@") kind = "directive";
            else if (definitions.has(token.text) && next !== ":" && previous?.text !== ":" && parentheses === 0) kind = "keyword";
            else if (next === ":" && parentheses > 0) kind = "argument";
            else if (previous?.text === ":" || previous?.text === "[" || (previous && definitions.has(previous.text))) kind = parentheses > 0 && previous.text !== "type" ? "enum" : "type";
        } else if (token.text === "@") kind = "directive";
        if (token.kind !== "comment") previous = token;
        return kind ? [{ start: token.start, end: token.end, class: kind }] : [];
    });
}
