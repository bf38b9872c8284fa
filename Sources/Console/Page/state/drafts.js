// What was typed and not sent yet: it survives a reload. Nothing secret is kept here.

const prefix = "homeport/";
/** A draft beyond this is not kept: storage is small, and shared by all drafts. */
const bytesMax = 200_000;

const memory = new Map();

/** The draft of a name; `value` is any JSON, undefined where there is none. */
export function draft(name) {
    const key = prefix + name;
    return {
        get value() {
            if (memory.has(key)) return memory.get(key);
            try {
                const text = localStorage.getItem(key);
                return text === null ? undefined : JSON.parse(text);
            } catch {
                return undefined;
            }
        },
        set value(value) {
            memory.set(key, value);
            try {
                const text = JSON.stringify(value);
                if (text === undefined || text.length > bytesMax) localStorage.removeItem(key);
                else localStorage.setItem(key, text);
            } catch {
                // Full, or forbidden: the draft lives as long as the page.
            }
        },
        clear() {
            memory.delete(key);
            try {
                localStorage.removeItem(key);
            } catch {
                // Nothing was kept.
            }
        },
    };
}

/** A control that remembers what stands in it. */
export function keepDraft(control, name) {
    const kept = draft(name);
    if (typeof kept.value === "string" && control.value === "") control.value = kept.value;
    control.addEventListener("input", () => {
        kept.value = control.value;
    });
    return control;
}
