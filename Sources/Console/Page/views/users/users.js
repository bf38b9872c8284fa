// Users: who there is, in which state and groups, when they were here last; and what is done with them, in place.

import { fill, h } from "../../parts/dom.js";
import { count, moment, plural } from "../../parts/format.js";
import { confirm, dialog } from "../../parts/dialog.js";
import { empty, problem, toast } from "../../parts/notice.js";
import { pages, table } from "../../parts/table.js";
import { field, input } from "../../parts/form.js";
import { searchField } from "../../parts/search.js";
import { router } from "../../state/router.js";
import { overview } from "../../state/overview.js";
import { userName } from "../../state/names.js";
import { server } from "../../state/server.js";
import { userPanel } from "./user.js";
import { newUserPanel } from "./new.js";
import { stateWord } from "./words.js";

const pageSize = 60;

export default {
    title: "Users",
    mount(place, context) {
        const { signal } = context;
        const side = h("aside.side", { "aria-label": "User", hidden: true });
        const total = h("span.quiet.small", { role: "status" });
        const search = searchField({ name: "search", label: "Search users", placeholder: "Search", changed: () => grid.reload() });
        let panel = null;

        const params = () => ({ search: search.words });
        const create = () => router.go("users", [], { ...params(), new: true });

        const grid = table({
            label: "Users",
            columns: [
                { name: "username", title: "name", width: 200, grows: true, cell: (user) => h("span", { title: user.username }, userName(user)) },
                { name: "state", title: "state", width: 170, cell: (user) => h("span.chip", stateWord(user)) },
                { name: "email", title: "email", width: 220, optional: true, cell: (user) => user.email ?? h("span.quiet", "none") },
                { name: "groups", title: "groups", width: 200, optional: true, cell: (user) => (user.groups?.length ? user.groups.join(", ") : h("span.quiet", "none")) },
                { name: "lastSignInAt", title: "last sign-in", width: 150, optional: true, cell: (user) => (user.lastSignInAt ? moment(user.lastSignInAt) : h("span.quiet", "none known")) },
                { name: "sessionCount", title: "sessions", width: 90, numeric: true, optional: true, cell: (user) => count(user.sessionCount) },
            ],
            source: pages({
                size: pageSize,
                load: async (from, size, cursor, stop) => {
                    const answer = await server.get("/users", { search: search.words, limit: size, cursor }, { signal: stop });
                    // The number is that of all users, whatever was looked for.
                    const isAll = !search.words;
                    total.textContent = isAll ? count(answer.total) : "";
                    return { rows: answer.users, total: isAll ? answer.total : null, cursor: answer.next };
                },
            }),
            key: (user) => user.username,
            onopen: (user) => router.go("users", [user.username], params()),
            empty: () => (search.words
                ? empty(`Nobody is called ${search.words}, and no address has it.`, h("button", { onclick: () => search.clear() }, "Show all"))
                : empty("Nobody has signed up yet. An app does it, or:", h("button.main", { onclick: create }, "New user"))),
        });

        search.control.addEventListener("keydown", (event) => {
            if (event.key === "ArrowDown" || event.key === "Enter") {
                event.preventDefault();
                grid.focus();
            }
        });

        const pane = h("div.pane", h("div.bar", h("h1", "Users"), total, search.control, h("span.grow"), h("button", { onclick: () => groups() }, "Groups"), h("button.main", { onclick: create, title: "n" }, "New user")), grid.node);
        fill(place, pane, side);

        const back = () => router.go("users", [], params());
        const changed = () => {
            grid.reload({ keep: true });
            overview.refresh().catch(() => {});
        };

        async function groups() {
            const list = h("div.groups");
            const name = field({ label: "New group", name: "name", control: input({ placeholder: "Editors" }) });
            async function draw() {
                try {
                    const answer = await server.get("/groups", {}, { signal });
                    fill(list, answer.groups.length ? h("ul.lines", answer.groups.map((group) => h("li", h("b", group.name), h("span.quiet.grow.cut", group.description ?? ""), h("span.quiet", plural(group.users, "user")),
                        h("button.plain", { onclick: async () => {
                            if (group.users && !await confirm({ title: `Delete ${group.name}?`, text: `${plural(group.users, "user")} will not be in it any more, and rules that name it meet nobody.`, action: "Delete group", danger: true })) return;
                            try {
                                await server.delete(`/groups/${encodeURIComponent(group.name)}`, {}, { signal });
                                changed();
                                await draw();
                            } catch (error) {
                                fill(list, problem(error, draw));
                            }
                        } }, `Delete ${group.name}`)))) : h("p.quiet", "No groups yet. Rules of the schema name them; make one here."));
                } catch (error) {
                    fill(list, problem(error, draw));
                }
            }
            await draw();
            await dialog({ title: "Groups", body: h("div.stack", list, name.node), actions: [{ label: "Close", value: null }, { label: "Make group", main: true, run: async () => {
                const word = name.control.value.trim();
                if (!word) {
                    name.error("A group needs a name.");
                    name.control.focus();
                    return false;
                }
                try {
                    await server.post("/groups", { name: word, description: null }, { signal });
                    name.error(null);
                    name.control.value = "";
                    await draw();
                } catch (error) {
                    name.error(error.message);
                }
                return false;
            } }] });
        }

        function drawSide() {
            const [username] = router.now.path;
            const isNew = Boolean(router.now.params.new);
            const wanted = isNew ? "new" : username === undefined ? null : `user ${username}`;
            if (panel?.wanted === wanted) return;
            const hadFocus = side.contains(document.activeElement);
            panel?.destroy();
            panel = null;
            side.hidden = wanted === null;
            place.classList.toggle("has-side", wanted !== null);
            grid.select(username ?? null);
            if (wanted === null) {
                fill(side);
                context.title("");
                if (hadFocus) grid.focus();
                return;
            }
            panel = isNew
                ? newUserPanel({ close: back, created: (user) => { changed(); toast(`${user.username} was created`); router.go("users", [user.username], params()); } })
                : userPanel({ username, close: back, changed, gone: () => { changed(); back(); } });
            panel.wanted = wanted;
            fill(side, panel.node);
            context.title(isNew ? "New user" : username);
            panel.focus?.();
        }

        context.shortcuts.add({ keys: "n", says: "New user", run: create });
        context.shortcuts.add({ keys: "/", says: "Search users", run: () => search.control.focus() });
        context.shortcuts.add({ keys: "Escape", says: "Back", whileTyping: true, when: () => panel !== null, run: back });

        return {
            update(route) {
                search.update(route);
                drawSide();
            },
            unmount() {
                panel?.destroy();
                grid.destroy();
                search.stop();
            },
        };
    },
};
