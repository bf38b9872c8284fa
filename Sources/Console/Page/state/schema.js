// The schema as the server tells it, kept until it was read again there.

import { server } from "./server.js";
import { overview } from "./overview.js";

const changed = new EventTarget();
let loading = null;
let version = null;

export const schema = {
    now: null,

    load() {
        const wanted = overview.now?.schemaVersion ?? null;
        if (loading && (wanted === null || version === null || wanted === version)) return loading;
        version = wanted;
        const attempt = server.get("/schema").then((answer) => {
            this.now = answer;
            version = answer.version ?? version;
            changed.dispatchEvent(new Event("change"));
            return answer;
        });
        attempt.catch(() => {
            if (loading === attempt) loading = null;
        });
        loading = attempt;
        return attempt;
    },

    /** Calls when the schema is there, and whenever another one is. */
    watch(run, signal) {
        if (this.now) run(this.now);
        changed.addEventListener("change", () => run(this.now), { signal });
    },

    model(name) {
        return this.now?.models.find((model) => model.name === name) ?? null;
    },
};

overview.watch((info) => {
    if (version !== null && info.schemaVersion && info.schemaVersion !== version) schema.load().catch(() => {});
});
