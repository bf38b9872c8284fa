// What happens, as it comes: by a stream while somebody sees the page and the browser has a place for one, else by asking again and
// again. The server goes on noting in both.

import { server } from "../../state/server.js";
import { streamPlace } from "../../state/streams.js";

const seenMilliseconds = 2000;
const unseenMilliseconds = 10_000;
const glanceMax = 500;

/** Follows it until the signal says so, from what came last in that epoch. `on` has `hello`, `request`, `event` and `stats`, as the stream has them. */
export async function feed({ after, epoch, signal, on, open, lost }) {
    let last = after ?? 0;
    const told = (name) => (data, id) => {
        last = Math.max(last, Number(id ?? data.id) || 0);
        on[name](data);
    };
    const hello = (data) => {
        // Numbers of another epoch mean nothing.
        if (data.epoch !== epoch) last = 0;
        ({ epoch } = data);
        on.hello(data);
    };
    const calls = { hello, request: told("request"), event: told("event"), stats: on.stats };

    /** By a stream, until nobody sees the page any more. True: the server will not have it. */
    async function stream() {
        const control = new AbortController();
        const stop = () => control.abort();
        const unseen = () => { if (document.hidden) stop(); };
        signal.addEventListener("abort", stop, { once: true });
        document.addEventListener("visibilitychange", unseen);
        let isRefused = false;
        await server.events("/live", {
            params: { after: last }, signal: control.signal, on: calls, open,
            lost: (error) => {
                isRefused = error.status >= 400 && error.status < 500;
                lost(error);
            },
        });
        signal.removeEventListener("abort", stop);
        document.removeEventListener("visibilitychange", unseen);
        return isRefused;
    }

    async function glance() {
        try {
            const ask = () => server.get("/live/recent", { after: last || null, limit: glanceMax, watch: true }, { signal });
            let recent = await ask();
            const isNew = recent.epoch !== epoch;
            hello(recent);
            if (isNew) recent = await ask();
            open();
            const found = [...recent.stories.map((data) => ["request", data]), ...recent.events.map((data) => ["event", data])];
            for (const [name, data] of found.sort(([, one], [, other]) => one.id - other.id)) calls[name](data);
            if (recent.stats?.requestsPerSecond !== null && recent.stats?.requestsPerSecond !== undefined) on.stats(recent.stats);
        } catch (error) {
            if (error.name !== "AbortError") lost(error);
        }
    }

    /** Until it is time, or somebody sees the page again. */
    const rest = () => new Promise((done) => {
        const timer = setTimeout(end, document.hidden ? unseenMilliseconds : seenMilliseconds);
        function end() {
            clearTimeout(timer);
            document.removeEventListener("visibilitychange", end);
            signal.removeEventListener("abort", end);
            done();
        }
        document.addEventListener("visibilitychange", end);
        signal.addEventListener("abort", end);
    });

    while (!signal.aborted) {
        const place = document.hidden ? null : await streamPlace();
        if (place) {
            const isRefused = signal.aborted || await stream();
            place.release();
            if (isRefused) return;
        } else {
            await glance();
            if (!signal.aborted) await rest();
        }
    }
}
