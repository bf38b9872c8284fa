// Server: how it has been doing for an hour, how it is configured and why, what the database holds, what it logs, and what was changed by the console.

import { fill, h } from "../../parts/dom.js";
import { empty } from "../../parts/notice.js";
import { tabs } from "../../parts/tabs.js";
import { router } from "../../state/router.js";
import { hourPart } from "./hour.js";
import { configurationPart } from "./configuration.js";
import { databasePart } from "./database.js";
import { auditPart } from "./audit.js";
import { logPart } from "./log.js";
import { signInPart } from "./sign-in.js";

const parts = [
    { id: "hour", title: "Last hour", make: hourPart },
    { id: "configuration", title: "Configuration", make: configurationPart },
    { id: "database", title: "Database", make: databasePart },
    { id: "log", title: "Log", make: logPart },
    { id: "audit", title: "Audit log", make: auditPart },
    { id: "sign-in", title: "Sign-in", make: signInPart },
];

export default {
    title: "Server",
    mount(place, context) {
        const panel = h("div.panel-place", { role: "tabpanel" });
        let open = null;
        const bar = tabs({
            label: "Server", items: parts.map(({ id, title }) => ({ id, title })), selected: partNow(),
            onselect: (id) => router.go("server", id === "hour" ? [] : [id], {}),
        });

        function partNow() {
            const [id] = router.now.path;
            return parts.some((part) => part.id === id) ? id : "hour";
        }

        fill(place, bar.bar, panel, h("h1.visually-hidden", "Server"));
        return {
            update(route) {
                const id = partNow();
                bar.select(id, true);
                bar.bar.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
                if (open?.id === id) {
                    open.part.update?.(route);
                    return;
                }
                open?.control.abort();
                const part = parts.find((each) => each.id === id);
                const control = new AbortController();
                context.signal.addEventListener("abort", () => control.abort(), { once: true });
                open = { id, control, part: part.make({ signal: control.signal, context }) };
                panel.setAttribute("aria-label", part.title);
                fill(panel, open.part.node ?? empty("Nothing here."));
                context.title(part.title);
            },
            unmount() {
                open?.control.abort();
            },
        };
    },
};
