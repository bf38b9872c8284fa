// Names in the place of ids: what the pool calls the users whose ids stand in records and requests.

import { server } from "./server.js";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const known = new Map();
const changed = new EventTarget();
let asked = null;

/** What people call a user of the pool: an address says more than an id. */
export const userName = (user) => (uuid.test(user.username ?? "") ? user.email ?? user.phone ?? user.username : user.username);

export const names = {
    /** Asks for the pool's users, once. */
    load() {
        asked ??= server.get("/callers").then((answer) => {
            for (const user of answer.users ?? []) {
                const name = userName(user);
                for (const id of [user.username, user.sub]) if (id) known.set(id, name);
            }
            changed.dispatchEvent(new Event("change"));
        }, () => {
            asked = null;
        });
        return asked;
    },

    /** "ann" of "38687c51-…::ann" or of her id; a text that is no user's stays as it is. */
    of(text) {
        const parts = String(text ?? "").split("::");
        const last = parts.at(-1);
        const first = parts[0];
        if (parts.length > 1 && uuid.test(first)) return known.get(last) ?? known.get(first) ?? last;
        if (uuid.test(last)) return known.get(last) ?? `${last.slice(0, 8)}…`;
        if (last.startsWith("arn:")) return last.split("/").slice(-2).join("/");
        return text;
    },

    /** Whether a text is an id that has a name. */
    has(text) {
        return known.has(text) || (String(text).includes("::") && uuid.test(String(text).split("::")[0]));
    },

    /** Calls when the names are known. */
    watch(run, signal) {
        changed.addEventListener("change", run, { signal });
    },
};
