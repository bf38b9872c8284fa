// JSON as people read it: with line breaks where it is JSON, else as it is.

export function pretty(text) {
    try {
        return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
        return text;
    }
}

/** The value that a person has typed; throws with words for them. */
export function jsonOf(text, what = "This") {
    try {
        return JSON.parse(text.trim() || "{}");
    } catch (error) {
        throw new Error(`${what} is no JSON: ${error.message}`);
    }
}
