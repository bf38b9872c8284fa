// What the server is, in short: asked every few seconds while somebody sees the page, for bar, rail and status line.

import { server } from "./server.js";

const everyMilliseconds = 5000;
const changed = new EventTarget();

export const overview = {
    now: null,

    async refresh() {
        this.now = await server.get("/info");
        changed.dispatchEvent(new Event("change"));
        return this.now;
    },

    /** Calls now, where something is known, and at each change. */
    watch(run, signal) {
        if (this.now) run(this.now);
        changed.addEventListener("change", () => run(this.now), { signal });
    },

    begin() {
        setInterval(() => {
            if (document.visibilityState === "visible") this.refresh().catch(() => {});
        }, everyMilliseconds);
        document.addEventListener("visibilitychange", () => {
            if (document.visibilityState === "visible") this.refresh().catch(() => {});
        });
    },
};
