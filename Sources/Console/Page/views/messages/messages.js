// Messages: mails and texts as they would have been sent. Codes are copied with one click.

import { fill, h } from "../../parts/dom.js";
import { count, moment } from "../../parts/format.js";
import { confirm } from "../../parts/dialog.js";
import { announce, empty, problem, toast } from "../../parts/notice.js";
import { pages, table } from "../../parts/table.js";
import { searchField } from "../../parts/search.js";
import { link, router } from "../../state/router.js";
import { overview } from "../../state/overview.js";
import { server } from "../../state/server.js";

const pageSize = 50;

const kinds = {
    confirm: "proves an address", signUp: "proves an address", verification: "proves an address", invitation: "first password", signIn: "signs in", forgotPassword: "new password", link: "link", ses: "of a function", sns: "of a function",
};

async function copy(text, button) {
    try {
        await navigator.clipboard.writeText(text);
        announce(`${text} was copied`);
        const before = button.textContent;
        button.textContent = "copied";
        setTimeout(() => { button.textContent = before; }, 1200);
    } catch {
        toast("The browser did not let the page copy: mark it and press Ctrl C.");
    }
}

/** A code, and what copies it. */
const codeButton = (code, words = code) => h("button.code", { "aria-label": `Copy the code ${code}`, title: "Copy", onclick: (event) => { event.stopPropagation(); copy(code, event.currentTarget); } }, words);

export default {
    title: "Messages",
    mount(place, context) {
        const { signal } = context;
        const side = h("aside.side", { "aria-label": "Message", hidden: true });
        const search = searchField({ name: "to", label: "Only messages to", placeholder: "To", changed: () => grid.reload() });
        const known = new Map();
        let newest = null;
        let shown = null;

        const grid = table({
            label: "Messages",
            columns: [
                { name: "code", title: "code", width: 96, cell: (message) => (message.code ? codeButton(message.code) : "") },
                { name: "to", title: "to", width: 180, narrow: 140, grows: true, cell: (message) => message.to },
                { name: "subject", title: "message", width: 280, grows: true, optional: true, cell: (message) => message.subject || message.text },
                { name: "kind", title: "why", width: 150, optional: true, cell: (message) => kinds[message.kind] ?? message.kind },
                { name: "medium", title: "by", width: 72, optional: true, cell: (message) => (message.medium === "SMS" ? "text" : "email") },
                { name: "createdAt", title: "when", width: 128, cell: (message) => moment(message.createdAt) },
            ],
            source: pages({
                size: pageSize,
                load: async (from, size, cursor, stop) => {
                    const answer = await server.get("/messages", { limit: size, before: cursor, to: search.words }, { signal: stop });
                    for (const message of answer.messages) known.set(String(message.id), message);
                    if (from === 0) {
                        newest = answer.messages[0]?.id ?? null;
                        queueMicrotask(drawSide);
                    }
                    return { rows: answer.messages, total: null, cursor: answer.next };
                },
            }),
            key: (message) => String(message.id),
            onopen: (message) => router.go("messages", [String(message.id)], { to: search.words }),
            empty: () => (search.words
                ? empty(`Nothing was sent to ${search.words}.`, h("button", { onclick: () => search.clear() }, "Show all"))
                : empty("No messages yet. Mails and texts with codes stand here as they would have been sent: sign somebody up in an app, or reset a password in", link("users", [], {}, "Users"))),
        });

        async function removeAll() {
            if (!await confirm({ title: "Delete all messages?", text: "What waits to be sent is not sent any more, and codes cannot be read here. Codes that arrived stay good.", action: "Delete all messages", danger: true })) return;
            try {
                await server.delete("/messages", {}, { signal });
                toast("The messages were deleted");
                router.go("messages", [], {});
                grid.reload();
                overview.refresh().catch(() => {});
            } catch (error) {
                if (error.name !== "AbortError") fill(side, problem(error));
            }
        }

        const back = () => router.go("messages", [], { to: search.words });

        function drawSide() {
            const [id] = router.now.path;
            const message = id === undefined ? null : known.get(id) ?? null;
            if (shown === message && (message !== null || id === undefined)) return;
            const hadFocus = side.contains(document.activeElement);
            shown = message;
            side.hidden = id === undefined;
            place.classList.toggle("has-side", id !== undefined);
            grid.select(id ?? null);
            context.title(message ? message.subject || `to ${message.to}` : "");
            if (id === undefined) {
                fill(side);
                if (hadFocus) grid.focus();
                return;
            }
            const header = h("header", h("h2.cut", { tabIndex: -1 }, message ? message.subject || (message.medium === "SMS" ? "Text message" : "Mail") : "Message"), h("span.grow"), h("button.sign.plain", { onclick: back, "aria-label": "Close", title: "Esc" }, "×"));
            if (!message) {
                fill(side, header, h("p.empty", "This message is not there any more: it was deleted, or is older than those that are shown."));
                return;
            }
            fill(side, header,
                message.code ? h("div.big-code", h("samp", message.code), codeButton(message.code, "Copy code")) : null,
                h("dl.facts", h("dt", "to"), h("dd", message.to), message.user && message.user !== message.to ? [h("dt", "user"), h("dd", link("users", [message.user], {}, message.user))] : null,
                    message.from ? [h("dt", "from"), h("dd", message.from)] : null,
                    h("dt", "by"), h("dd", message.medium === "SMS" ? "text message" : "email"), h("dt", "why"), h("dd", kinds[message.kind] ?? message.kind), h("dt", "when"), h("dd", moment(message.createdAt)),
                    message.state ? [h("dt", "state"), h("dd", message.state, message.problem ? h("span.quiet", ` · ${message.problem}`) : null)] : null),
                h("div.text", { tabIndex: 0, role: "region", "aria-label": "Text" }, message.text),
                message.html ? h("p.quiet.small", "The mail has a page as well, which is not shown here: a message could do anything with it.") : null);
            if (hadFocus) header.querySelector("h2").focus();
        }

        fill(place, h("div.pane", h("div.bar", h("h1", "Messages"), search.control, h("span.grow"), h("button", { onclick: removeAll }, "Delete all")), grid.node), side);

        context.shortcuts.add({ keys: "/", says: "Search messages", run: () => search.control.focus() });
        context.shortcuts.add({ keys: "Escape", says: "Back", whileTyping: true, when: () => router.now.path.length > 0, run: back });
        context.shortcuts.add({ keys: "c", says: "Copy the newest code", run: () => {
            const message = shown ?? [...known.values()].filter((each) => each.code).sort((one, other) => new Date(other.createdAt) - new Date(one.createdAt))[0];
            if (message?.code) navigator.clipboard.writeText(message.code).then(() => toast(`${message.code} was copied`), () => {});
        } });

        // New ones come in while somebody looks.
        let seen = null;
        overview.watch((info) => {
            const number = info.counts?.messages ?? null;
            if (seen !== null && number !== seen) grid.reload({ keep: true }).then(() => { if (newest !== null && number > seen) announce(`${count(number - seen)} new`); });
            seen = number;
        }, signal);

        return {
            update(route) {
                search.update(route);
                drawSide();
            },
            unmount() {
                grid.destroy();
                search.stop();
            },
        };
    },
};
