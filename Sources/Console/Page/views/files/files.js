// Files: folders by prefix, what lies in them, and one file beside. Uploads are Blobs, one after the other, with their progress.

import { fill, h } from "../../parts/dom.js";
import { bytes, count, moment, plural, shorten } from "../../parts/format.js";
import { confirm } from "../../parts/dialog.js";
import { empty, problem, toast } from "../../parts/notice.js";
import { list, table } from "../../parts/table.js";
import { address, router } from "../../state/router.js";
import { overview } from "../../state/overview.js";
import { server } from "../../state/server.js";
import { filePanel } from "./file.js";
import { uploads } from "./uploads.js";

const pageSize = 200;
const nameOf = (key, prefix) => key.slice(prefix.length);

/** The folders above a prefix: "public/", "public/deep/". */
function foldersOf(prefix) {
    const result = [];
    for (let at = prefix.indexOf("/"); at >= 0; at = prefix.indexOf("/", at + 1)) result.push(prefix.slice(0, at + 1));
    return result;
}

export default {
    title: "Files",
    mount(place, context) {
        const { signal } = context;
        const crumbs = h("nav.crumbs", { "aria-label": "Folders" });
        const side = h("aside.side", { "aria-label": "File", hidden: true });
        const chosenBar = h("div.chosen", { role: "group", "aria-label": "Chosen", hidden: true });
        const more = h("button.more-files", { hidden: true, onclick: () => load(true) }, "Show more");
        const picker = h("input", { type: "file", multiple: true, class: "visually-hidden", tabIndex: -1, "aria-hidden": "true" });
        const failure = h("div.failure");
        const buckets = h("select.in.buckets", { "aria-label": "Bucket", hidden: true, onchange: () => router.go("files", [], { bucket: buckets.value }) });
        let rows = [];
        let next = null;
        let prefix = null;
        let panel = null;
        let turn = 0;

        /** The prefix is one part of the address: keys may have what folders cannot, such as `a//b`. */
        const prefixNow = () => router.now.path[0] ?? "";
        const params = (more) => ({ bucket: router.now.params.bucket, file: null, ...more });
        const open = (to) => router.go("files", to ? [to] : [], params());
        const openFile = (key) => router.go("files", prefixNow() ? [prefixNow()] : [], params({ file: key }));
        const bucketNow = () => router.now.params.bucket ?? null;

        const grid = table({
            label: "Files",
            columns: [
                { name: "name", title: "name", grows: true, width: 200, cell: (row) => (row.folder
                    ? h("a.folder", { href: address("files", [row.folder], params()) }, `▸ ${nameOf(row.folder, prefix)}`) : nameOf(row.key, prefix)) },
                { name: "bytes", title: "size", width: 96, numeric: true, cell: (row) => (row.folder ? "" : bytes(row.bytes)) },
                { name: "changedAt", title: "changed", width: 150, optional: true, cell: (row) => (row.folder ? "" : moment(row.changedAt)) },
            ],
            source: list(() => rows), key: (row) => row.folder ?? row.key, choose: true,
            onopen: (row) => (row.folder ? open(row.folder) : openFile(row.key)),
            onchoose: () => drawChosen(),
            empty: () => (prefix === null ? "" : empty(prefix ? `Nothing lies in ${prefix}` : "No files yet. An app puts them here, or: drop some onto this page.", h("button.main", { onclick: () => picker.click() }, "Upload files"))),
        });

        async function load(isMore = false) {
            turn += 1;
            const mine = turn;
            fill(failure);
            try {
                const answer = await server.get("/files", { bucket: bucketNow(), prefix: prefixNow(), cursor: isMore ? next : null, limit: pageSize }, { signal });
                if (mine !== turn) return;
                prefix = prefixNow();
                const found = [...answer.folders.map((folder) => ({ folder })), ...answer.files];
                rows = isMore ? [...rows, ...found] : found;
                next = answer.next;
                const names = answer.buckets ?? [answer.bucket];
                buckets.hidden = names.length < 2;
                if (buckets.options.length !== names.length) fill(buckets, names.map((name) => h("option", { value: name }, name)));
                buckets.value = answer.bucket;
                more.hidden = next === null;
                if (!isMore) {
                    grid.chosen.clear();
                    drawChosen();
                }
                grid.refresh();
            } catch (error) {
                if (error.name !== "AbortError") fill(failure, problem(error, () => load(isMore)));
            }
        }

        function drawCrumbs() {
            const at = prefixNow();
            const steps = foldersOf(at);
            fill(crumbs, h("h1", at ? h("a.link", { href: address("files", [], params()) }, "Files") : "Files"),
                steps.map((folder, index) => [h("span.quiet", { "aria-hidden": "true" }, "/"), index === steps.length - 1 && folder === at
                    ? h("b.cut", { "aria-current": "page" }, folder.slice(0, -1).split("/").at(-1) || "/") : h("a.link.cut", { href: address("files", [folder], params()) }, folder.slice(0, -1).split("/").at(-1) || "/")]));
        }

        /** What was chosen: a folder stands for all that lies below it. */
        async function keysOf(chosen) {
            const keys = [];
            for (const name of chosen) {
                if (!rows.some((row) => row.folder === name)) {
                    keys.push(name);
                    continue;
                }
                const waiting = [name];
                while (waiting.length) {
                    const folder = waiting.pop();
                    let cursor = null;
                    do {
                        const answer = await server.get("/files", { bucket: bucketNow(), prefix: folder, cursor, limit: pageSize }, { signal });
                        keys.push(...answer.files.map((file) => file.key));
                        waiting.push(...answer.folders);
                        cursor = answer.next;
                    } while (cursor !== null);
                }
            }
            return keys;
        }

        async function remove(names) {
            try {
                const keys = await keysOf(names);
                const what = keys.length === 1 ? shorten(keys[0], 60) : plural(keys.length, "file");
                if (!await confirm({ title: `Delete ${what}?`, text: "Files are gone at once. Records that name them keep their path.", action: keys.length === 1 ? "Delete file" : `Delete ${plural(keys.length, "file")}`, danger: true })) return false;
                let deleted = 0;
                for (let from = 0; from < keys.length; from += pageSize) deleted += (await server.post("/files/delete", { keys: keys.slice(from, from + pageSize) }, { signal, params: { bucket: bucketNow() } })).deleted;
                toast(deleted === 1 && keys.length === 1 ? `${shorten(keys[0], 60)} was deleted` : `${plural(deleted, "file")} ${deleted === 1 ? "was" : "were"} deleted`);
                load();
                overview.refresh().catch(() => {});
                return true;
            } catch (error) {
                if (error.name !== "AbortError") fill(failure, problem(error));
                return false;
            }
        }

        function drawChosen() {
            const number = grid.chosen.size;
            chosenBar.hidden = number === 0;
            if (!number) return;
            const folders = rows.filter((row) => row.folder && grid.chosen.has(row.folder)).length;
            fill(chosenBar, h("span", `${count(number)} chosen`), h("button", { dataset: { key: "clear" }, onclick: () => { grid.chosen.clear(); grid.refresh(); drawChosen(); grid.focus(); } }, "Choose none"),
                h("button.danger", { dataset: { key: "remove" }, onclick: () => remove([...grid.chosen]) }, folders ? "Delete with all in it" : `Delete ${plural(number, "file")}`));
        }

        const sending = uploads({ signal, done: () => { load(); overview.refresh().catch(() => {}); } });
        const send = (files) => { for (const { file, path } of files) sending.add(`${prefixNow()}${path}`, file, bucketNow()); };
        picker.addEventListener("change", () => {
            send([...picker.files].map((file) => ({ file, path: file.name })));
            picker.value = "";
        });

        const pane = h("div.pane",
            h("div.bar", crumbs, buckets, h("span.grow"), h("button.main", { onclick: () => picker.click(), title: "n" }, "Upload files"), picker),
            failure,
            h("div.rows-place", grid.node, chosenBar), more, sending.node);
        fill(place, pane, side);

        // Files and folders that are dropped go where one is.
        let depth = 0;
        const isFiles = (event) => [...event.dataTransfer?.types ?? []].includes("Files");
        pane.addEventListener("dragenter", (event) => { if (isFiles(event)) { event.preventDefault(); depth += 1; pane.classList.add("is-over"); } });
        pane.addEventListener("dragover", (event) => { if (isFiles(event)) event.preventDefault(); });
        pane.addEventListener("dragleave", () => { depth -= 1; if (depth <= 0) { depth = 0; pane.classList.remove("is-over"); } });
        pane.addEventListener("drop", async (event) => {
            if (!isFiles(event)) return;
            event.preventDefault();
            depth = 0;
            pane.classList.remove("is-over");
            send(await dropped(event.dataTransfer));
        });

        const back = () => {
            if (router.now.params.file) router.go("files", router.now.path, params());
            else open(foldersOf(prefixNow()).at(-2) ?? "");
        };

        function drawSide() {
            const key = router.now.params.file ?? null;
            if ((panel?.key ?? null) === key) return;
            const hadFocus = side.contains(document.activeElement);
            panel?.destroy();
            panel = null;
            side.hidden = key === null;
            place.classList.toggle("has-side", key !== null);
            grid.select(key);
            context.title(key ?? prefixNow());
            if (key === null) {
                fill(side);
                if (hadFocus) grid.focus();
                return;
            }
            panel = filePanel({ key, bucket: bucketNow(), close: back, remove: async () => { if (await remove([key])) back(); } });
            fill(side, panel.node);
            if (hadFocus) panel.focus();
        }

        context.shortcuts.add({ keys: "n", says: "Upload files", run: () => picker.click() });
        context.shortcuts.add({ keys: "Escape", says: "Back, or up", when: () => panel !== null || prefixNow() !== "", run: back });

        let asked = null;
        return {
            update() {
                const wanted = JSON.stringify([bucketNow(), prefixNow()]);
                if (asked !== wanted) {
                    asked = wanted;
                    load();
                }
                drawCrumbs();
                drawSide();
            },
            unmount() {
                panel?.destroy();
                grid.destroy();
            },
        };
    },
};

/** The files of a drop, those in folders with their way. */
async function dropped(transfer) {
    const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    if (!entries.length) return [...transfer.files].map((file) => ({ file, path: file.name }));
    const found = [];
    const walk = async (entry, way) => {
        if (entry.isFile) {
            const file = await new Promise((done, fail) => entry.file(done, fail));
            found.push({ file, path: way + entry.name });
            return;
        }
        const reader = entry.createReader();
        for (;;) {
            const some = await new Promise((done, fail) => reader.readEntries(done, fail));
            if (!some.length) return;
            for (const each of some) await walk(each, `${way}${entry.name}/`);
        }
    };
    for (const entry of entries) await walk(entry, "");
    return found;
}
