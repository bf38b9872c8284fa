// The database: its file, its tables, and a copy of it.

import { fill, h } from "../../parts/dom.js";
import { bytes, count, estimate } from "../../parts/format.js";
import { busy, problem, toast } from "../../parts/notice.js";
import { link } from "../../state/router.js";
import { overview } from "../../state/overview.js";
import { saveAs, server } from "../../state/server.js";

export function databasePart({ signal }) {
    const node = h("div.database");
    const note = h("div");

    async function backup() {
        try {
            const response = await busy(node, server.response("GET", "/backup", { signal, accept: "*/*" }));
            const said = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "");
            const blob = await response.blob();
            saveAs(blob, said?.[1] ?? `${overview.now?.name ?? "homeport"}.tar`);
            fill(note);
            toast(`A copy of ${bytes(blob.size)} was saved`);
        } catch (error) {
            if (error.name !== "AbortError") fill(note, problem(error));
        }
    }

    const load = () => busy(node, server.get("/server", {}, { signal })).then(({ database }) => {
        const models = new Set((overview.now?.models ?? []).map((model) => model.name));
        const most = Math.max(1, ...database.tables.map((table) => table.rows ?? 0));
        fill(node,
            h("section", h("h2", "File"), h("dl.facts", h("dt", "path"), h("dd.mono", database.path), h("dt", "size"), h("dd", bytes(database.bytes)), h("dt", "log"), h("dd", bytes(database.walBytes ?? 0), h("span.quiet", " not folded into it yet")))),
            h("section", h("h2", "Backup"), h("p.quiet", "One archive of everything that the server keeps, as of one moment: database, files, keys. To restore it, stop the server and run: homeport restore FILE --replace"), h("div.row", h("button.main", { onclick: backup }, "Save a copy")), note),
            h("section", h("h2", "Tables"), h("ul.tables", database.tables.map((table) => h("li", models.has(table.name) ? link("data", [table.name], {}, table.name) : h("span.mono", table.name),
                h("meter", { min: "0", max: String(most), value: String(table.rows ?? 0), "aria-label": `Rows of ${table.name}` }), h("span.num", table.isEstimate ? estimate(table.rows) : count(table.rows)))))));
    }, (error) => { if (!signal.aborted) fill(node, problem(error, load)); });
    load();
    return { node };
}
