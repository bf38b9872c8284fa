// One file: what it looks like, what is known of it, who may have it, and a link for somebody who may not.

import { fill, h } from "../../parts/dom.js";
import { bytes, moment } from "../../parts/format.js";
import { announce, busy, problem, toast } from "../../parts/notice.js";
import { choice } from "../../parts/form.js";
import { sign } from "../../parts/chip.js";
import { who } from "../../parts/who.js";
import { server } from "../../state/server.js";

/** A picture beyond this is downloaded, not shown. */
const pictureBytesMax = 20_000_000;
/** So much of a text is read. */
const textBytesMax = 65_536;
/** A text of no more has little room. */
const shortBytesMax = 300;

/** A drawing in SVG is shown as its text: as a picture the server gives none that may hold scripts. */
const isText = (type) => /^text\/|[/+](json|xml|yaml|javascript|toml|graphql|csv)\b|^application\/(x-sh|sql)/.test(type);

export function filePanel({ key, bucket, close, remove }) {
    const control = new AbortController();
    const { signal } = control;
    const name = key.split("/").at(-1) || key;
    const heading = h("h2.cut", { tabIndex: -1, title: key }, name);
    const preview = h("div.preview");
    const body = h("div.body");
    const mayPlace = h("div.may");
    const linkPlace = h("div.stack");
    const contentAddress = server.address("/files/content", { key, bucket });

    /** The beginning of a text, without the rest being fetched. */
    async function showText(file) {
        const response = await server.response("GET", "/files/content", { params: { key, bucket }, signal, accept: "*/*" });
        const reader = response.body.getReader();
        const parts = [];
        let length = 0;
        while (length < textBytesMax) {
            const { done, value } = await reader.read();
            if (done) break;
            parts.push(value);
            length += value.length;
        }
        reader.cancel().catch(() => {});
        const text = new TextDecoder().decode(await new Blob(parts).slice(0, textBytesMax).arrayBuffer());
        fill(preview, h("pre", { tabIndex: 0, role: "region", "aria-label": "Text" }, text), file.bytes > textBytesMax ? h("p.quiet.small", `The first ${bytes(textBytesMax)} of ${bytes(file.bytes)}.`) : null);
    }

    function show(file) {
        const type = file.type ?? "";
        const isPicture = /^(image|video)\//.test(type) && !/svg/.test(type);
        // What is fetched yet has its room already.
        preview.classList.toggle("is-big", isPicture || isText(type));
        preview.classList.toggle("is-short", isText(type) && file.bytes <= shortBytesMax);
        const failed = () => fill(preview, h("p.quiet.small", `The browser cannot show this as ${type}. It can be downloaded.`));
        if (isPicture && /^image/.test(type) && file.bytes <= pictureBytesMax) fill(preview, h("img", { src: contentAddress, alt: `Preview of ${name}`, onerror: failed }));
        else if (/^audio\//.test(type)) fill(preview, h("audio", { src: contentAddress, controls: true, preload: "metadata", onerror: failed }));
        else if (/^video\//.test(type)) fill(preview, h("video", { src: contentAddress, controls: true, preload: "metadata", onerror: failed }));
        else if (isText(type)) showText(file).catch((error) => { if (error.name !== "AbortError") fill(preview, problem(error)); });
        else fill(preview, h("p.quiet.small", `No preview of ${type || "this type"}.`));
    }

    const may = (isAllowed, word) => sign(isAllowed ? "yes" : "no", word);

    function showMay(callers) {
        fill(mayPlace, h("h3", "Permissions"), callers.length ? h("ul.lines", callers.map((caller) => h("li.caller",
            h("div.grow", h("b", caller.label), h("p.quiet.small", caller.why)),
            h("span.row", may(caller.read, "read"), may(caller.write, "write"), may(caller.delete, "delete"))))) : h("p.quiet.small", "Nobody but the administrator: no rule opens it."));
    }

    function showLink() {
        const time = choice({ value: "900", "aria-label": "How long it is good", options: [["900", "15 minutes"], ["3600", "1 hour"], ["86400", "1 day"], ["604800", "7 days"]] });
        const place = h("div");
        const make = h("button", { onclick: async () => {
            try {
                const { url } = await server.post("/files/link", { key, seconds: Number(time.value) }, { signal, params: { bucket } });
                const shown = h("input.in.mono", { value: url, readOnly: true, "aria-label": "Link", onfocus: (event) => event.currentTarget.select() });
                fill(place, h("div.row.link-row", shown, h("button", { onclick: async () => {
                    try {
                        await navigator.clipboard.writeText(url);
                        toast("The link was copied");
                    } catch {
                        shown.focus();
                    }
                } }, "Copy link")));
                announce("The link is there");
            } catch (error) {
                if (error.name !== "AbortError") fill(place, problem(error));
            }
        } }, "Make a link");
        fill(linkPlace, h("h3", "A link"), h("p.quiet.small", "Who has it may read the file, whatever the rules say."), h("div.row", time, make), place);
    }

    const load = () => busy(body, server.get("/files/about", { key, bucket }, { signal })).then((file) => {
        const metadata = Object.entries(file.metadata ?? {});
        fill(body, preview,
            h("div.row", h("a.button-like", { href: server.address("/files/content", { key, bucket, download: "true" }), download: name }, "Download"), h("span.grow"), h("button.danger", { onclick: remove }, "Delete")),
            h("dl.facts", h("dt", "key"), h("dd.mono", file.key), h("dt", "size"), h("dd", bytes(file.bytes)), h("dt", "type"), h("dd", file.type ?? h("span.quiet", "none")), h("dt", "changed"), h("dd", moment(file.changedAt)), h("dt", "etag"), h("dd.mono", file.etag),
                metadata.map(([word, value]) => [h("dt", word), h("dd", String(value))])),
            mayPlace, linkPlace);
        show(file);
        showLink();
        server.post("/files/who", { key }, { signal, params: { bucket } }).then(({ callers }) => showMay(callers), (error) => { if (error.name !== "AbortError") fill(mayPlace, problem(error)); });
    }, (error) => { if (!signal.aborted) fill(body, error.status === 404 ? h("p.empty", `There is no file ${key}. It may have been deleted.`) : problem(error, load)); });
    load();

    return {
        key, focus: () => heading.focus({ preventScroll: true }), destroy: () => control.abort(),
        node: h("div.panel", h("header", heading, h("span.grow"), h("button.sign.plain", { onclick: close, "aria-label": "Close", title: "Esc" }, "×")), body),
    };
}
