// The types of the API's values: how each is read from what somebody typed, what is wrong with it, and how it looks in a cell.

import { moment } from "../../parts/format.js";

const intMax = 2147483647;
const patterns = {
    AWSDate: /^\d{4}-\d{2}-\d{2}(Z|[+-]\d{2}:\d{2}(:\d{2})?)?$/,
    AWSTime: /^\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}(:\d{2})?)?$/,
    AWSDateTime: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}(:\d{2})?)$/,
    AWSEmail: /^[^\s@]+@[^\s@]+$/,
    AWSPhone: /^\+?[\d\s().-]{3,}$/,
    AWSIPAddress: /^(\d{1,3}(\.\d{1,3}){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)(\/\d{1,3})?$/,
};

const wants = {
    Int: `a whole number, from -${intMax + 1} to ${intMax}`,
    Float: "a number, such as 3.5",
    AWSDate: "a date, such as 2026-03-01",
    AWSTime: "a time, such as 09:41:00",
    AWSDateTime: "a date, a time and a zone, such as 2026-03-01T09:41:00Z",
    AWSTimestamp: "seconds since 1970, a whole number",
    AWSEmail: "a mail address, such as ann@example.com",
    AWSPhone: "a telephone number, such as +1 555 0100",
    AWSURL: "an address with its scheme, such as https://example.com",
    AWSIPAddress: "an address, such as 192.0.2.1 or 2001:db8::1",
    AWSJSON: "JSON",
};

/** What is wrong with a value; `message` is for people. */
export class Wrong extends Error {}

const isWhole = (text) => /^-?\d+$/.test(text);

function isDay(text) {
    const [year, month, day] = text.slice(0, 10).split("-").map(Number);
    const at = new Date(Date.UTC(year, month - 1, day));
    return at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
}

function fits(base, text) {
    switch (base) {
    case "Int": return isWhole(text) && Math.abs(Number(text) + 0.5) <= intMax + 0.5;
    case "AWSTimestamp": return isWhole(text) && Number.isSafeInteger(Number(text));
    case "Float": return /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text));
    case "AWSDate": return patterns.AWSDate.test(text) && isDay(text);
    case "AWSDateTime": return patterns.AWSDateTime.test(text) && isDay(text);
    case "AWSURL": return URL.canParse(text);
    default: return patterns[base]?.test(text) ?? true;
    }
}

/** Where JSON breaks off, in the words of the browser without its place in the whole text. */
function jsonProblem(text) {
    try {
        JSON.parse(text);
        return null;
    } catch (error) {
        return error.message.replace(/^JSON\.parse: /, "").replace(/ of the JSON data$/, "");
    }
}

/** The value that a text stands for. Throws `Wrong`. */
export function parseValue(field, text) {
    const { base } = field;
    if (field.kind === "enum") {
        if (!field.values.includes(text)) throw new Wrong(`${text} is not one of ${field.values.join(", ")}`);
        return text;
    }
    if (base === "Boolean") {
        if (text !== "true" && text !== "false") throw new Wrong("true or false");
        return text === "true";
    }
    if (base === "AWSJSON") {
        const problem = jsonProblem(text);
        if (problem) throw new Wrong(`This is not JSON: ${problem}`);
        return compactJSON(text);
    }
    const trimmed = base === "String" || base === "ID" ? text : text.trim();
    if (!fits(base, trimmed)) throw new Wrong(`${base} is ${wants[base]}`);
    return base === "Int" || base === "Float" || base === "AWSTimestamp" ? Number(trimmed) : trimmed;
}

/** What the schema's own rules (`@validate`) say against a value, or null. */
export function ruleAgainst(field, value) {
    if (value === null || value === undefined) return null;
    for (const { type, value: bound, message } of field.validations ?? []) {
        const text = String(value);
        const length = [...text].length;
        const isMet = {
            gt: () => value > Number(bound), lt: () => value < Number(bound), gte: () => value >= Number(bound), lte: () => value <= Number(bound),
            minLength: () => length >= Number(bound), maxLength: () => length <= Number(bound),
            startsWith: () => text.startsWith(bound), endsWith: () => text.endsWith(bound),
            matches: () => matches(text, bound),
        }[type];
        if (isMet && !isMet()) return message ?? `${field.name} does not meet ${type}: ${bound}`;
    }
    return null;
}

/** The server's patterns are Java's: one that the browser cannot read is left to the server. */
function matches(text, pattern) {
    try {
        return new RegExp(`^(?:${pattern})$`, "u").test(text);
    } catch {
        return true;
    }
}

/** A value as the text that somebody would have typed. */
export function textOf(value) {
    if (value === null || value === undefined) return "";
    return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** JSON without the space between its parts; the parts stay as they are written. */
export const compactJSON = (text) => text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => (part[0] === '"' ? part : ""));

/** JSON on several lines. What would not come back the same, such as a number beyond those of JavaScript, stays as it is written. */
export function prettyJSON(text) {
    try {
        const value = JSON.parse(text);
        return JSON.stringify(value) === compactJSON(text) ? JSON.stringify(value, null, 2) : text;
    } catch {
        return text;
    }
}

/** The time that a value says, for people, or null where its type is none. */
export function timeOf(field, value) {
    if (value === null || value === undefined || value === "") return null;
    if (field.base === "AWSTimestamp") return new Date(Number(value) * 1000);
    if (field.base === "AWSDateTime") {
        const at = new Date(value);
        return Number.isNaN(at.getTime()) ? null : at;
    }
    return null;
}

/** A value in a cell: one line. */
export function cellText(field, value) {
    if (value === null || value === undefined) return null;
    const at = timeOf(field, value);
    if (at && !field.isList) return moment(at);
    if (Array.isArray(value)) return value.map((each) => (each !== null && typeof each === "object" ? JSON.stringify(each) : String(each))).join(", ");
    return textOf(value).replace(/\s*\n\s*/g, " ⏎ ");
}

const comparisons = [["=", "is"], ["!=", "is not"], ["<", "is below"], ["<=", "is at most"], [">", "is above"], [">=", "is at least"], ["between", "is between"]];
const ofTexts = [["contains", "contains"], ["notContains", "does not contain"], ["beginsWith", "begins with"]];
const presence = [["exists", "is there"], ["absent", "is not there"]];

/** The comparisons that a type knows, the most wanted one first. */
export function comparisonsOf(field) {
    if (field.isList) return field.kind === "custom" ? presence : [...ofTexts.slice(0, 2), ...presence];
    if (field.kind === "enum") return [["=", "is"], ["!=", "is not"], ["in", "is one of"], ...presence];
    if (field.kind === "custom") return presence;
    if (field.base === "AWSJSON") return [...ofTexts.slice(0, 2), ...presence];
    if (field.base === "Boolean") return [["=", "is"], ...presence];
    if (field.base === "ID") return [comparisons[0], comparisons[1], ofTexts[2], ofTexts[0], ...presence];
    if (["Int", "Float", "AWSTimestamp"].includes(field.base)) return [...comparisons, ...presence];
    if (/^AWS(Date|Time)/.test(field.base)) return [comparisons[5], comparisons[4], ...comparisons.slice(3, 4), comparisons[2], comparisons[0], comparisons[6], ofTexts[2], ...presence];
    return [ofTexts[0], ofTexts[2], ...comparisons.slice(0, 2), ofTexts[1], ...comparisons.slice(2), ...presence];
}

const signs = { "!=": "≠", "<=": "≤", ">=": "≥", contains: "contains", notContains: "without", beginsWith: "begins with", between: "between", in: "in" };

/** A filter as its chip says it: "status = PUBLISHED". */
export function filterText({ field, is, value }) {
    if (is === "exists") return value ? `${field} is there` : `${field} is not there`;
    const shown = is === "between" ? `${value[0]} and ${value[1]}` : Array.isArray(value) ? value.join(", ") : String(value);
    return `${field} ${signs[is] ?? is} ${shown}`;
}
