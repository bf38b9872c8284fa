// A small chart: one or two lines over time, drawn as SVG. All charts of a page share one time axis and one mark.

import { fill, h, svg } from "../../parts/dom.js";

const width = 600;
const height = 96;

/** A number at which an axis may end: 1, 2, 5 and their tens. */
export function roundUp(number) {
    if (!(number > 0)) return 1;
    const power = 10 ** Math.floor(Math.log10(number));
    return [1, 2, 2.5, 5, 10].find((step) => step * power >= number - 1e-9) * power;
}

/**
 * A chart of `lines`, `{ name, word }` each, the first one filled. `format(number)` writes values; `least` is the smallest end of its axis,
 * and with `isLevel` the axis begins near the smallest value, for what never is near zero.
 */
export function chart({ title, lines, format, least = 0, isLevel = false }) {
    const now = lines.map((line) => ({ line, node: h("b", "–") }));
    const areas = lines.map((_, index) => (index === 0 ? svg("path", { class: "area" }) : null));
    const paths = lines.map((_, index) => svg("path", { class: index === 0 ? "line" : "line second" }));
    const mark = svg("line", { class: "mark", y1: 0, y2: height, x1: -10, x2: -10 });
    const grid = svg("path", { class: "grid", d: `M0 ${height / 2}H${width}M0 0.5H${width}` });
    const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true", focusable: "false" }, grid, areas, paths, mark);
    const top = h("span.top");
    const nothing = h("span.nothing", { hidden: true }, "nothing yet");
    const node = h("div.chart", { role: "img" },
        h("div.caption", h("span.name", title), now.map(({ line, node: value }, index) => h("span.value", { class: index ? "second" : "" }, lines.length > 1 ? h("small", line.word, " ") : null, value))),
        h("div.plot", drawing, top, nothing));
    let points = [];
    let from = 0;
    let to = 1;

    const x = (at) => ((at - from) / (to - from)) * width;

    function draw(all, begin, end) {
        points = all;
        from = begin;
        to = end;
        const values = lines.flatMap((line) => points.map((point) => point[line.name]).filter((value) => value !== null && value !== undefined));
        const most = values.length ? Math.max(...values) : 0;
        const few = values.length ? Math.min(...values) : 0;
        // What never is near zero gets an axis of its own range, with room on both sides.
        const spread = Math.max(most - few, most * 0.05, 1e-9);
        const floor = isLevel && values.length ? Math.max(0, few - spread * 0.5) : 0;
        const ceiling = isLevel ? most + spread * 0.25 : Math.max(roundUp(most), least);
        const y = (value) => height - 2 - ((value - floor) / (ceiling - floor || 1)) * (height - 8);
        lines.forEach((line, index) => {
            const stretches = [];
            let stretch = null;
            for (const point of points) {
                const value = point[line.name];
                if (value === null || value === undefined) {
                    stretch = null;
                    continue;
                }
                if (!stretch) stretches.push(stretch = []);
                stretch.push([x(point.at), y(value)]);
            }
            const text = (each) => each.map(([across, down], at) => `${at ? "L" : "M"}${across.toFixed(1)} ${down.toFixed(1)}`).join("");
            paths[index].setAttribute("d", stretches.map((each) => (each.length === 1 ? `${text(each)}h1` : text(each))).join(""));
            if (areas[index]) areas[index].setAttribute("d", stretches.map((each) => `${text(each)}L${each.at(-1)[0].toFixed(1)} ${height}L${each[0][0].toFixed(1)} ${height}Z`).join(""));
        });
        top.textContent = values.length ? format(ceiling) : "";
        nothing.hidden = values.length > 0;
        node.setAttribute("aria-label", `${title}: ${lines.map((line) => {
            const own = points.map((point) => point[line.name]).filter((value) => value !== null && value !== undefined);
            return own.length ? `${lines.length > 1 ? `${line.word} ` : ""}${format(own.at(-1))} now, between ${format(Math.min(...own))} and ${format(Math.max(...own))}` : "nothing yet";
        }).join("; ")}`);
    }

    /** Shows the values of a moment, or the newest ones. */
    function show(point) {
        const shown = point ?? points.findLast((each) => lines.some((line) => each[line.name] !== null && each[line.name] !== undefined)) ?? null;
        for (const { line, node: value } of now) {
            const number = shown?.[line.name];
            fill(value, number === null || number === undefined ? "–" : format(number));
        }
        const at = point ? x(point.at) : -10;
        mark.setAttribute("x1", at);
        mark.setAttribute("x2", at);
        node.classList.toggle("is-marked", Boolean(point));
    }

    /** The share of the time axis at which a pointer is. */
    const shareAt = (event) => {
        const box = drawing.getBoundingClientRect();
        return Math.min(1, Math.max(0, (event.clientX - box.left) / (box.width || 1)));
    };
    return { node, draw, show, shareAt, words: (point) => `${title} ${lines.map((line) => `${lines.length > 1 ? `${line.word} ` : ""}${point[line.name] === null || point[line.name] === undefined ? "nothing" : format(point[line.name])}`).join(", ")}` };
}
