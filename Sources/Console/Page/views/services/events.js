// Events: buses with their rules and targets, and an event of one's own.

import { h } from "../../parts/dom.js";
import { chip } from "../../parts/chip.js";
import { area, field, form, input } from "../../parts/form.js";
import { count } from "../../parts/format.js";
import { toast } from "../../parts/notice.js";
import { jsonOf, pretty } from "../../parts/texts.js";
import { draft } from "../../state/drafts.js";
import { call, lastOf } from "./calls.js";

const rulesOf = (bus, signal) => call("events", "ListRules", { EventBusName: bus }, signal).then((answer) => answer.Rules ?? []);

export const events = {
    title: "Events", one: "Bus",
    empty: "This server has no event buses.",
    columns: [
        { name: "name", title: "bus", width: 220, grows: true, cell: (row) => h("b", row.name) },
        { name: "rules", title: "rules", width: 88, numeric: true, cell: (row) => count(row.rules.length) },
        { name: "names", title: "", width: 320, grows: true, optional: true, cell: (row) => h("span.quiet", row.rules.map((rule) => rule.Name).join(", ")) },
    ],
    async load(signal) {
        const { EventBuses: found = [] } = await call("events", "ListEventBuses", {}, signal);
        return Promise.all(found.map(async (bus) => ({ name: bus.Name, rules: await rulesOf(bus.Name, signal) })));
    },
    async detail(name, { signal }) {
        const rules = await Promise.all((await rulesOf(name, signal)).map(async (rule) => ({
            rule, targets: (await call("events", "ListTargetsByRule", { EventBusName: name, Rule: rule.Name }, signal)).Targets ?? [],
        })));
        const kept = draft(`events/${name}`);
        const begin = kept.value ?? { source: "console", type: "Test", detail: "{}" };
        const source = field({ label: "Source", name: "Source", required: true, control: input({ value: begin.source }) });
        const type = field({ label: "Detail type", name: "DetailType", required: true, control: input({ value: begin.type }) });
        const detail = field({ label: "Detail", name: "Detail", control: area({ rows: 5, value: begin.detail }) });
        const node = form({
            fields: [source, type, detail], submit: "Send event",
            onsubmit: async () => {
                const text = JSON.stringify(jsonOf(detail.control.value, "The detail"));
                const answer = await call("events", "PutEvents", { Entries: [{ EventBusName: name, Source: source.control.value, DetailType: type.control.value, Detail: text }] }, signal);
                const [entry] = answer.Entries ?? [];
                if (entry?.ErrorCode) throw new Error(`${entry.ErrorCode}: ${entry.ErrorMessage ?? ""}`);
                toast(`The event is on ${name}`);
            },
        });
        node.addEventListener("input", () => { kept.value = { source: source.control.value, type: type.control.value, detail: detail.control.value }; });
        return [
            h("section", h("h3", "Send an event"), node),
            h("section", h("h3", "Rules"), rules.length ? rules.map(({ rule, targets }) => h("details.run",
                h("summary", h("b.grow.cut", rule.Name), chip((rule.State ?? "").toLowerCase()), h("span.quiet", targets.map((target) => lastOf(target.Arn, ":")).join(", "))),
                rule.EventPattern ? [h("h4", "Pattern"), h("pre", pretty(rule.EventPattern))] : null,
                rule.ScheduleExpression ? h("p", "Schedule: ", h("code", rule.ScheduleExpression)) : null,
                h("h4", "Targets"), targets.map((target) => h("p.mono", { title: target.Arn }, lastOf(target.Arn, ":"))))) : h("p.quiet", "No rules: events of this bus go nowhere.")),
        ];
    },
};
