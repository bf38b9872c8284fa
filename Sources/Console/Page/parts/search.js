// A field to search by, whose words stand in the address: reload, Back and a pasted link have them.

import { later } from "./dom.js";
import { input } from "./form.js";
import { router } from "../state/router.js";

/** So long nothing is typed before it is looked for. */
const waitMilliseconds = 150;

/** `name` is the address's parameter; `changed` is called when it says something else. Its view calls `update` with each address. */
export function searchField({ name, label, placeholder, changed }) {
    const control = input({ type: "search", "aria-label": label, placeholder, value: router.now.params[name] ?? "" });
    const look = later(waitMilliseconds, () => router.replace({ params: { [name]: control.value.trim() || null } }));
    control.addEventListener("input", look);
    let asked = null;
    return {
        control,
        /** What is looked for; undefined without a word. */
        get words() {
            return router.now.params[name];
        },
        clear() {
            control.value = "";
            router.replace({ params: { [name]: null } });
        },
        update(route) {
            const now = route.params[name] ?? "";
            const isOther = asked !== null && now !== asked;
            asked = now;
            if (!isOther) return;
            if (document.activeElement !== control) control.value = now;
            changed();
        },
        stop: () => look.stop(),
    };
}
