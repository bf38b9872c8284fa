// The audit log: what was changed by the console, by whom and from where.

import { h } from "../../parts/dom.js";
import { clock, moment } from "../../parts/format.js";
import { empty } from "../../parts/notice.js";
import { pages, table } from "../../parts/table.js";
import { server } from "../../state/server.js";

const pageSize = 100;

export function auditPart({ signal }) {
    const grid = table({
        label: "Audit log",
        columns: [
            { name: "at", title: "when", width: 180, cell: (entry) => [moment(entry.at).replace(/ \d\d:\d\d$/, ""), " ", h("span.mono", clock(entry.at).slice(0, 8))] },
            { name: "action", title: "action", width: 140, mono: true },
            { name: "target", title: "what", grows: true, width: 220 },
            { name: "detail", title: "detail", width: 220, optional: true, cell: (entry) => h("span.quiet", entry.detail ?? "") },
            { name: "who", title: "who", width: 130, optional: true },
            { name: "from", title: "from", width: 120, mono: true, optional: true },
        ],
        source: pages({
            size: pageSize,
            load: async (from, size, cursor, stop) => {
                const answer = await server.get("/audit", { limit: size, before: cursor }, { signal: stop });
                return { rows: answer.entries, total: null, cursor: answer.next };
            },
        }),
        key: (entry) => String(entry.id),
        empty: () => empty("Nothing was changed by the console yet. Each change that somebody makes here is noted, with who made it."),
    });
    signal.addEventListener("abort", () => grid.destroy(), { once: true });
    return { node: h("div.audit", grid.node) };
}
