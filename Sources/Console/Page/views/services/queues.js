// Queues: how many messages wait, are being worked on, and are delayed; a message of one's own; purge.

import { h } from "../../parts/dom.js";
import { confirm } from "../../parts/dialog.js";
import { area, field, form, input } from "../../parts/form.js";
import { count } from "../../parts/format.js";
import { toast } from "../../parts/notice.js";
import { draft } from "../../state/drafts.js";
import { call, lastOf } from "./calls.js";

const attributesOf = (url, signal) => call("queues", "GetQueueAttributes", { QueueUrl: url, AttributeNames: ["All"] }, signal).then((answer) => answer.Attributes ?? {});
const urls = new Map();
const number = (row, name) => count(Number(row.attributes[name] ?? 0));

export const queues = {
    title: "Queues", one: "Queue",
    empty: "This project has no queues. Add one in backend.ts, under queues in the configuration, or create it with an SDK.",
    columns: [
        { name: "name", title: "queue", width: 220, narrow: 140, grows: true, cell: (row) => h("b", row.name) },
        { name: "waiting", title: "waiting", width: 88, narrow: 76, numeric: true, cell: (row) => number(row, "ApproximateNumberOfMessages") },
        { name: "flight", title: "in flight", width: 88, narrow: 80, numeric: true, cell: (row) => number(row, "ApproximateNumberOfMessagesNotVisible") },
        { name: "delayed", title: "delayed", width: 88, numeric: true, optional: true, cell: (row) => number(row, "ApproximateNumberOfMessagesDelayed") },
        { name: "dead", title: "dead letters go to", width: 200, optional: true, cell: (row) => (row.attributes.RedrivePolicy ? lastOf(JSON.parse(row.attributes.RedrivePolicy).deadLetterTargetArn ?? "", ":") : h("span.quiet", "none")) },
    ],
    async load(signal) {
        const { QueueUrls: found = [] } = await call("queues", "ListQueues", { MaxResults: 100 }, signal);
        return Promise.all(found.map(async (url) => {
            const name = lastOf(url, "/");
            urls.set(name, url);
            return { name, attributes: await attributesOf(url, signal) };
        }));
    },
    async detail(name, { signal, again }) {
        if (!urls.has(name)) await queues.load(signal);
        const url = urls.get(name) ?? name;
        const attributes = await attributesOf(url, signal);
        const isFirst = name.endsWith(".fifo");
        const kept = draft(`queues/${name}`);
        const body = field({ label: "Message", name: "MessageBody", required: true, control: area({ rows: 5, value: kept.value ?? "{}" }) });
        body.control.addEventListener("input", () => { kept.value = body.control.value; });
        const group = isFirst ? field({ label: "Group", name: "MessageGroupId", control: input({ value: "console" }) }) : null;
        const shown = Object.entries(attributes).filter(([key]) => !["QueueArn", "Policy"].includes(key));
        return [
            h("section", h("h3", "Send a message"), form({
                fields: [body, group].filter(Boolean), submit: "Send message",
                onsubmit: async () => {
                    const fifo = isFirst ? { MessageGroupId: group.control.value, MessageDeduplicationId: crypto.randomUUID() } : {};
                    await call("queues", "SendMessage", { QueueUrl: url, MessageBody: body.control.value, ...fifo }, signal);
                    toast(`The message is in ${name}`);
                    again();
                },
                danger: h("button.danger", {
                    onclick: async () => {
                        if (!await confirm({ title: `Purge ${name}?`, text: "This deletes all messages of the queue.", action: "Purge queue", danger: true })) return;
                        await call("queues", "PurgeQueue", { QueueUrl: url }, signal).then(() => toast(`${name} is empty`), (error) => toast(error.message, { tone: "no" }));
                        again();
                    },
                }, "Purge"),
            })),
            h("section", h("h3", "Attributes"), h("dl.facts", shown.map(([key, value]) => [h("dt", key), h("dd.mono", value)]))),
        ];
    },
};
