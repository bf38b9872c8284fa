// Uploads: one after the other, each with how far it is, and a way to stop it.

import { h } from "../../parts/dom.js";
import { bytes } from "../../parts/format.js";
import { announce } from "../../parts/notice.js";
import { server } from "../../state/server.js";

/** So long what was sent is still shown. */
const shownMilliseconds = 4000;

/** The list of uploads; `add(key, file, bucket)` puts one at its end. */
export function uploads({ signal, done }) {
    const node = h("ul.uploads", { "aria-label": "Uploads" });
    const waiting = [];
    let isRunning = false;

    function add(key, file, bucket) {
        const control = new AbortController();
        const stop = () => control.abort();
        signal.addEventListener("abort", stop, { once: true });
        const bar = h("progress", { max: "1", value: "0", "aria-label": key });
        const state = h("span.quiet.small", "waits");
        const item = h("li", h("span.grow.cut", key), bar, state, h("button.sign.plain", { "aria-label": `Stop ${key}`, onclick: () => { control.abort(); item.remove(); } }, "×"));
        node.append(item);
        waiting.push({ key, file, bucket, control, bar, state, item });
        run();
    }

    async function run() {
        if (isRunning) return;
        isRunning = true;
        let sent = 0;
        while (waiting.length) {
            const upload = waiting.shift();
            if (upload.control.signal.aborted) continue;
            if (await send(upload)) sent += 1;
        }
        isRunning = false;
        if (sent) {
            announce(sent === 1 ? "The file was uploaded" : `${sent} files were uploaded`);
            done();
        }
    }

    async function send({ key, file, bucket, control, bar, state, item }) {
        try {
            await server.upload("/files/content", file, {
                params: { key, bucket }, signal: control.signal,
                onprogress: (loaded, all) => {
                    bar.value = all ? loaded / all : 0;
                    state.textContent = `${bytes(loaded)} of ${bytes(all)}`;
                },
            });
            bar.value = 1;
            state.textContent = "uploaded";
            setTimeout(() => item.remove(), shownMilliseconds);
            return true;
        } catch (error) {
            if (error.name === "AbortError") item.remove();
            else {
                bar.remove();
                state.className = "error";
                state.textContent = error.message;
                announce(error.message, true);
            }
            return false;
        }
    }

    return { node, add };
}
