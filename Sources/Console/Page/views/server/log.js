// The log, as it comes: kept by the server from when somebody looks, and where only this machine reaches it, the newest from before. Scrolled away from its end it stays where it is.

import { fill, h, later } from "../../parts/dom.js";
import { check, input } from "../../parts/form.js";
import { empty, problem } from "../../parts/notice.js";
import { server } from "../../state/server.js";

const everyMilliseconds = 1500;
const linesMax = 1000;
const importance = { debug: 0, info: 1, warning: 2, error: 3 };

export function logPart({ signal }) {
    let lines = [];
    let last = 0;
    let isUnderWay = false;
    const search = input({ type: "search", "aria-label": "Only lines with", placeholder: "Filter" });
    const warnings = check({ label: "warnings and errors only" });
    const { box } = warnings;
    const place = h("div.log-lines", { role: "log", tabIndex: 0, "aria-label": "Lines of the log, the newest last" });

    const row = (line) => h("p.log-line", { class: importance[line.level] > 1 ? "warns" : "", dataset: { key: String(line.id) } }, line.text);
    const fits = (line) => (!box.checked || (importance[line.level] ?? 1) > 1) && line.text.toLowerCase().includes(search.value.trim().toLowerCase());

    function draw() {
        const isAtEnd = place.scrollHeight - place.scrollTop - place.clientHeight < 24;
        const shown = lines.filter(fits);
        fill(place, shown.length ? shown.map(row)
            : empty(lines.length ? "No line fits." : "Lines will be here as they come. They are kept from now on, as long as somebody looks."));
        if (isAtEnd) place.scrollTop = place.scrollHeight;
    }
    const drawSoon = later(120, draw);
    search.addEventListener("input", drawSoon);
    box.addEventListener("change", draw);

    async function ask() {
        if (isUnderWay || document.hidden) return;
        isUnderWay = true;
        try {
            const answer = await server.get("/server/log", { after: last || null, limit: linesMax }, { signal });
            // A server that was started anew counts from the beginning.
            if (answer.last < last) {
                lines = [];
                last = 0;
                return;
            }
            const isChanged = answer.lines.length > 0 || last === 0;
            last = answer.last;
            lines = [...lines, ...answer.lines].slice(-linesMax);
            if (isChanged) draw();
        } catch (error) {
            if (error.name !== "AbortError") fill(place, problem(error, ask));
        } finally {
            isUnderWay = false;
        }
    }
    const timer = setInterval(ask, everyMilliseconds);
    signal.addEventListener("abort", () => { clearInterval(timer); drawSoon.stop(); }, { once: true });
    draw();
    ask();
    return { node: h("div.log", h("div.bar", search, warnings), place) };
}
