// Workflows: state machines, their executions with what happened in each, and a start with an input of one's own.

import { fill, h } from "../../parts/dom.js";
import { chip } from "../../parts/chip.js";
import { area, field, form } from "../../parts/form.js";
import { moment, took } from "../../parts/format.js";
import { problem, toast } from "../../parts/notice.js";
import { jsonOf, pretty } from "../../parts/texts.js";
import { draft } from "../../state/drafts.js";
import { call } from "./calls.js";

const tones = { SUCCEEDED: "yes", FAILED: "no", TIMED_OUT: "no", ABORTED: "partly" };
const arns = new Map();
const time = (seconds) => (seconds ? new Date(seconds * 1000) : null);
const executionsMax = 50;

/** What an event of a history is about: the state, the function, the error. */
function about(event) {
    const details = Object.entries(event).find(([key]) => key.endsWith("EventDetails"))?.[1] ?? {};
    return [details.name, details.resource, details.error, details.cause].filter(Boolean).join(" · ");
}

function executionNode(one, signal) {
    const body = h("div");
    const began = time(one.startDate);
    const ended = time(one.stopDate);
    const node = h("details.run", h("summary", chip(one.status.toLowerCase().replace("_", " "), tones[one.status] ?? null), h("span.grow.cut.mono", { title: one.executionArn }, one.name), h("span.quiet", moment(began)), h("span.num.mono", ended ? took(ended - began) : "")), body);
    node.addEventListener("toggle", async () => {
        if (!node.open) return;
        try {
            const [described, history] = await Promise.all([
                call("workflows", "DescribeExecution", { executionArn: one.executionArn }, signal),
                call("workflows", "GetExecutionHistory", { executionArn: one.executionArn, maxResults: 200 }, signal).catch((error) => ({ events: [], error })),
            ]);
            fill(body, h("h4", "Input"), h("pre", pretty(described.input ?? "{}")),
                described.output ? [h("h4", "Output"), h("pre", pretty(described.output))] : null,
                described.error ? h("p.error", h("b", described.error), " ", described.cause ?? "") : null,
                h("h4", "Steps"), history.error ? h("p.quiet", history.error.message) : h("ol.steps", history.events.map((event) => h("li.step", h("span.mark", { "aria-hidden": "true" }, "•"), h("div", event.type, h("code", about(event))), h("span.num.mono", took((event.timestamp - one.startDate) * 1000))))),
                one.status === "RUNNING" ? h("div.row", h("button.danger", { onclick: () => call("workflows", "StopExecution", { executionArn: one.executionArn }, signal).then(() => toast("The execution stops"), (error) => toast(error.message, { tone: "no" })) }, "Stop execution")) : null);
        } catch (error) {
            fill(body, problem(error));
        }
    });
    return node;
}

export const workflows = {
    title: "Workflows", one: "State machine",
    empty: "This project has no state machines. Add one in backend.ts, or under stateMachines in the configuration.",
    columns: [
        { name: "name", title: "state machine", width: 220, grows: true, cell: (row) => h("b", row.name) },
        { name: "type", title: "type", width: 110, cell: (row) => row.type.toLowerCase() },
        { name: "createdAt", title: "since", width: 140, optional: true, cell: (row) => moment(time(row.creationDate)) },
    ],
    async load(signal) {
        const { stateMachines = [] } = await call("workflows", "ListStateMachines", { maxResults: 100 }, signal);
        for (const one of stateMachines) arns.set(one.name, one.stateMachineArn);
        return stateMachines;
    },
    async detail(name, { signal, again }) {
        if (!arns.has(name)) await workflows.load(signal);
        const arn = arns.get(name) ?? name;
        const machine = await call("workflows", "DescribeStateMachine", { stateMachineArn: arn }, signal);
        const isExpress = machine.type === "EXPRESS";
        const listed = isExpress ? { executions: [] } : await call("workflows", "ListExecutions", { stateMachineArn: arn, maxResults: executionsMax }, signal);
        const kept = draft(`workflows/${name}`);
        const text = field({ label: "Input", name: "input", control: area({ rows: 5, value: kept.value ?? "{}" }) });
        text.control.addEventListener("input", () => { kept.value = text.control.value; });
        return [
            h("section", h("h3", "Start an execution"), form({
                fields: [text], submit: "Start execution",
                onsubmit: async () => {
                    await call("workflows", "StartExecution", { stateMachineArn: arn, input: JSON.stringify(jsonOf(text.control.value, "The input")) }, signal);
                    toast(`${name} was started`);
                    again();
                },
            })),
            h("section", h("h3", "Executions"), listed.executions.length ? listed.executions.map((one) => executionNode(one, signal))
                : h("p.quiet", isExpress ? "Executions of express workflows are not kept." : "No executions yet.")),
            h("section", h("h3", "Definition"), h("pre", pretty(machine.definition))),
        ];
    },
};
