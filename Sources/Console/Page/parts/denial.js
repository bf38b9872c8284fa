// A denial, everywhere the same: who was denied what; each rule in the words of the schema, with its place and what was compared with
// what; last who would be allowed, with one click to be that caller.

import { h } from "./dom.js";
import { sign } from "./chip.js";
import { who } from "./who.js";
import { names } from "../state/names.js";
import { link } from "../state/router.js";

const words = { yes: ["yes", "yes"], no: ["no", "no"], if: ["partly", "depends"] };

/** "schema/blog.graphql:9", as a link to the line. */
export const placeLink = (place) =>
    place ? link("schema", ["text", place.file], { line: place.line }, `${place.file}:${place.line}`) : null;

/** Rules with what was compared for each: a step about the record itself belongs to the rule before it, and decides it. */
function joined(explanation) {
    const all = [];
    for (const step of explanation) {
        const before = all.at(-1);
        if (step.isRecord && before) {
            before.verdict = step.verdict;
            before.reason = step.reason;
        } else all.push({ ...step });
    }
    return all;
}

/** A reason with names in the place of users' ids: `its author is "ann", compared with "bob"`. */
export function named(reason) {
    const short = String(reason ?? "").replace(/"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:::[^"]*)?)"/gi, (all, id) => `"${names.of(id)}"`);
    return short.replace(/\[("[^\]]*")\]/g, (all, list) => {
        const each = [...new Set(list.split(", "))];
        return each.length === 1 ? each[0] : `[${each.join(", ")}]`;
    });
}

/** The rules of an explanation, one below the other. */
export function rules(explanation) {
    names.load();
    return h("ul.rules", { "aria-label": "Rules" }, joined(explanation).map((rule) => {
        const [tone, word] = words[rule.verdict] ?? words.no;
        return h("li", sign(tone, word), h("div", h("code", rule.rule),
            h("p", { title: named(rule.reason) === rule.reason ? null : rule.reason }, named(rule.reason), rule.place ? h("span.place", placeLink(rule.place)) : null)));
    }));
}

/** What was asked, in words: "updatePost was denied for bob". */
function question(denial) {
    const what = denial.path?.length ? denial.path.filter((part) => typeof part === "string").join(".") : denial.question;
    const detail = denial.caller?.startsWith(`${denial.who} `) ? denial.caller.slice(denial.who.length) : null;
    return [h("span.sign", { "aria-hidden": "true" }, "– "), denial.field && denial.model ? `${denial.model}.${denial.field}` : what, " was denied for ", h("b", denial.who), detail ? h("span.quiet", detail) : null];
}

/** One block for a denial. */
export function denial(one) {
    const allowed = one.allowed ?? [];
    return h("section.block.no.denial", { "aria-label": `Denied: ${one.question ?? ""} for ${one.who}` },
        h("h3", question(one)),
        one.rules?.length ? rules(one.rules) : h("p", "No rule speaks of it, and what no rule allows is denied."),
        h("footer", "Would be allowed for: ", (allowed.length ? allowed : [{ as: { kind: "admin" }, label: "administrator" }]).map((each, index) => [index ? " " : null, admitted(each)])));
}

/** Somebody who would be let in; whom no record names by now cannot be become. */
function admitted({ as, label, field, claim }) {
    const because = field ? h("span.quiet", ` (${field}, ${claim})`) : null;
    return h("span.admitted", as ? who(as, label) : label, because);
}

/** All denials of an answer; null without any. */
export const denials = (list) => (list?.length ? h("div.denials", list.map(denial)) : null);
