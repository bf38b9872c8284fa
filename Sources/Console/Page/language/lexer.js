// GraphQL's tokens, with their places. Nothing is refused: what is none is a token of the kind "bad".

const isNameStart = (code) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
const isDigit = (code) => code >= 48 && code <= 57;
const isBlank = (code) => code === 32 || code === 10 || code === 44 || code === 9 || code === 13 || code === 0xfeff;
const isPunctuation = new Uint8Array(128);
for (const letter of "!$&()[]{}:=@|") isPunctuation[letter.charCodeAt(0)] = 1;
const numbers = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/** Where a string ends that begins at a place, and whether it does. */
function endOfString(text, start) {
    if (text.startsWith('"""', start)) {
        let at = start + 3;
        for (;;) {
            at = text.indexOf('"""', at);
            if (at < 0) return { end: text.length, isClosed: false };
            if (text[at - 1] !== "\\") return { end: at + 3, isClosed: true };
            at += 3;
        }
    }
    for (let at = start + 1; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        if (code === 34) return { end: at + 1, isClosed: true };
        if (code === 92) at += 1;
        else if (code === 10 || code === 13) return { end: at, isClosed: false };
    }
    return { end: text.length, isClosed: false };
}

/** `{ kind, text, start, end }` for each; kinds are name, number, string, comment, punctuation, bad. A hot path: schemas have megabytes. */
export function lex(text) {
    const tokens = [];
    const length = text.length;
    let at = 0;
    while (at < length) {
        const code = text.charCodeAt(at);
        if (isBlank(code)) {
            at += 1;
            continue;
        }
        const start = at;
        let kind = "punctuation";
        if (isNameStart(code)) {
            kind = "name";
            at += 1;
            for (let next = text.charCodeAt(at); isNameStart(next) || isDigit(next); next = text.charCodeAt(at)) at += 1;
        } else if (code < 128 && isPunctuation[code]) at += 1;
        else if (code === 35) {
            kind = "comment";
            while (at < length && text.charCodeAt(at) !== 10 && text.charCodeAt(at) !== 13) at += 1;
        } else if (code === 34) {
            const { end, isClosed } = endOfString(text, at);
            kind = isClosed ? "string" : "bad";
            at = end;
        } else if (code === 46 && text.startsWith("...", at)) at += 3;
        else {
            numbers.lastIndex = at;
            const number = code === 45 || isDigit(code) ? numbers.exec(text)?.[0] : null;
            kind = number ? "number" : "bad";
            at += number ? number.length : 1;
        }
        tokens.push({ kind, text: text.slice(start, at), start, end: at });
    }
    return tokens;
}

/** Line and column of a place, from 1. */
export function lineOf(text, place) {
    const before = text.slice(0, place).split("\n");
    return { line: before.length, column: before.at(-1).length + 1 };
}

/** What a string token says. */
export function stringValue(token) {
    if (!token.startsWith('"""')) {
        try {
            return JSON.parse(token);
        } catch {
            return token.slice(1, -1);
        }
    }
    const lines = token.slice(3, -3).replaceAll('\\"""', '"""').split(/\r\n|\n|\r/);
    const indents = lines.slice(1).filter((line) => line.trim()).map((line) => line.length - line.trimStart().length);
    const indent = indents.length ? Math.min(...indents) : 0;
    return lines.map((line, index) => (index ? line.slice(indent) : line)).join("\n").trim();
}
