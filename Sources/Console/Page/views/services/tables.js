// Tables: those that answer as DynamoDB does, models too, with their keys and their first items.

import { h } from "../../parts/dom.js";
import { bytes, count, plural } from "../../parts/format.js";
import { call } from "./calls.js";

const itemsMax = 25;
const keysOf = (row) => (row.KeySchema ?? []).map((key) => key.AttributeName).join(", ");

/** A value without DynamoDB's words for its type. */
function plain(value) {
    const [[type, held] = []] = Object.entries(value ?? {});
    switch (type) {
    case "N": return Number(held);
    case "NULL": return null;
    case "L": return held.map(plain);
    case "M": return item(held);
    case "NS": return held.map(Number);
    default: return held;
    }
}
const item = (members) => Object.fromEntries(Object.entries(members).map(([name, value]) => [name, plain(value)]));

export const tables = {
    title: "Tables", one: "Table",
    empty: "There are no tables yet. Models have one each; add others in backend.ts, or create them with an SDK.",
    columns: [
        { name: "name", title: "table", width: 220, grows: true, cell: (row) => h("b", row.name) },
        { name: "keys", title: "key", width: 160, mono: true, cell: keysOf },
        { name: "items", title: "items", width: 88, numeric: true, cell: (row) => count(row.ItemCount) },
        { name: "size", title: "size", width: 96, numeric: true, optional: true, cell: (row) => bytes(row.TableSizeBytes) },
        { name: "indexes", title: "indexes", width: 88, numeric: true, optional: true, cell: (row) => count((row.GlobalSecondaryIndexes ?? []).length + (row.LocalSecondaryIndexes ?? []).length) },
    ],
    async load(signal) {
        const { TableNames: found = [] } = await call("tables", "ListTables", { Limit: 100 }, signal);
        return Promise.all(found.map(async (name) => ({ name, ...(await call("tables", "DescribeTable", { TableName: name }, signal)).Table })));
    },
    async detail(name, { signal }) {
        const [{ Table: described }, found] = await Promise.all([
            call("tables", "DescribeTable", { TableName: name }, signal), call("tables", "Scan", { TableName: name, Limit: itemsMax }, signal),
        ]);
        const indexes = [...described.GlobalSecondaryIndexes ?? [], ...described.LocalSecondaryIndexes ?? []];
        return [
            h("dl.facts", h("dt", "key"), h("dd.mono", keysOf(described)), indexes.map((index) => [h("dt", index.IndexName), h("dd.mono", keysOf(index))]), h("dt", "stream"), h("dd", described.StreamSpecification?.StreamViewType ?? "none")),
            h("section", h("h3", found.LastEvaluatedKey ? `The first ${plural(found.Items.length, "item")}` : plural(found.Items.length, "item")),
                found.Items.length ? found.Items.map((one) => h("pre", JSON.stringify(item(one), null, 2))) : h("p.quiet", "The table is empty.")),
        ];
    },
};
