// The status line: address, models and warnings, disk, memory, version. A warning there is a link.

import { fill, h } from "../parts/dom.js";
import { bytes, plural } from "../parts/format.js";
import { link } from "../state/router.js";
import { overview } from "../state/overview.js";
import { server } from "../state/server.js";
import { showKeys } from "./keys.js";
import { nextTheme, themeName } from "./theme.js";

export function status(node) {
    const draw = () => {
        const info = overview.now;
        const warnings = (info?.warnings ?? []).filter((warning) => warning.severity !== "note").length;
        const theme = h("button.plain", { dataset: { key: "theme" }, title: "Light, dark, or as the system says", onclick: () => { nextTheme(); draw(); } }, themeName());
        fill(node,
            server.isReached ? null : h("span.error", h("span", { "aria-hidden": "true" }, "– "), "The server does not answer"),
            info ? [
                h("span.mono", info.address),
                info.node ? h("span", `one of several servers: requests, subscribers, charts, log and calls of functions are those of ${info.node}`) : null,
                h("span", plural(info.models.filter((model) => !model.isJoin).length, "model"), ", ",
                    warnings ? link("schema", ["warnings"], {}, h("span", { "aria-hidden": "true" }, "◐ "), plural(warnings, "warning")) : "no warnings"),
                info.disk ? h("span", `${bytes((info.disk.databaseBytes ?? 0) + (info.disk.filesBytes ?? 0))} on disk`) : null,
                info.memory ? h("span", `${bytes(info.memory.residentBytes)} memory`) : null,
                info.isStopping ? h("span", "stopping") : null,
            ] : null,
            h("span.grow"),
            h("button.plain", { dataset: { key: "keys" }, onclick: showKeys }, "Keys ", h("kbd", "?")),
            theme,
            info ? h("span", `Homeport ${info.version}`) : null);
    };
    overview.watch(draw);
    server.reach.addEventListener("change", draw);
    draw();
}
