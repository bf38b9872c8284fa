// Numbers, times and names as people read them. Times are of the reader's own zone; English words, for the page speaks English.

const numbers = new Intl.NumberFormat("en-US");

/** "1,284" */
export const count = (number) => (number === null || number === undefined ? "" : numbers.format(number));

/** "~120,000": a count that was not counted. */
export const estimate = (number) => `~${numbers.format(number)}`;

/** "3 posts", "1 post" */
export const plural = (number, word, words = `${word}s`) => `${count(number)} ${number === 1 ? word : words}`;

/** "340 MB" */
export function bytes(number) {
    if (number === null || number === undefined) return "";
    let value = number;
    for (const unit of ["B", "KB", "MB", "GB"]) {
        if (value < 1000 || unit === "GB") return `${value < 10 && unit !== "B" ? value.toFixed(1) : Math.round(value)} ${unit}`;
        value /= 1000;
    }
    return "";
}

/** "1.2 ms", "0.04 ms", "3.1 s" */
export function took(milliseconds) {
    if (milliseconds === null || milliseconds === undefined) return "";
    if (milliseconds >= 10000) return `${Math.round(milliseconds / 1000)} s`;
    if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`;
    if (milliseconds >= 100) return `${Math.round(milliseconds)} ms`;
    return `${milliseconds < 1 ? milliseconds.toFixed(2) : milliseconds.toFixed(1)} ms`;
}

const two = (number, width = 2) => String(number).padStart(width, "0");

/** "09:41:07.312" */
export function clock(date) {
    const at = new Date(date);
    if (Number.isNaN(at.getTime())) return "";
    return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${two(at.getMilliseconds(), 3)}`;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** "today 09:41", "yesterday 18:02", "18 Nov", "18 Nov 2024" */
export function moment(date, now = new Date()) {
    const at = new Date(date);
    if (Number.isNaN(at.getTime())) return String(date ?? "");
    const day = (when) => new Date(when.getFullYear(), when.getMonth(), when.getDate()).getTime();
    const days = Math.round((day(now) - day(at)) / 86400000);
    const time = `${two(at.getHours())}:${two(at.getMinutes())}`;
    if (days === 0) return `today ${time}`;
    if (days === 1) return `yesterday ${time}`;
    const short = `${at.getDate()} ${months[at.getMonth()]}`;
    return at.getFullYear() === now.getFullYear() ? short : `${short} ${at.getFullYear()}`;
}

/** Long texts are cut in the middle of nothing: "Tides and oth…" */
export const shorten = (text, length = 80) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
