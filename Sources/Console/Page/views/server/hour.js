// The last hour: six small charts on one time axis, and what the process is.

import { fill, h } from "../../parts/dom.js";
import { bytes, clock, count, moment, took } from "../../parts/format.js";
import { announce, problem } from "../../parts/notice.js";
import { overview } from "../../state/overview.js";
import { server } from "../../state/server.js";
import { chart } from "./chart.js";

const hourMilliseconds = 3_600_000;
const refreshMilliseconds = 10_000;
const tickMinutes = [60, 45, 30, 15, 0];

const rate = (number) => (number === 0 ? "0" : number < 10 ? number.toFixed(1) : count(Math.round(number)));

export function hourPart({ signal }) {
    const charts = [
        chart({ title: "Requests a second", lines: [{ name: "requestsPerSecond", word: "all" }], format: rate, least: 1 }),
        chart({ title: "Errors a second", lines: [{ name: "errorsPerSecond", word: "errors" }], format: rate, least: 1 }),
        chart({ title: "Latency", lines: [{ name: "p99", word: "p99" }, { name: "p50", word: "median" }], format: took, least: 1 }),
        chart({ title: "Subscribers", lines: [{ name: "connections", word: "connections" }, { name: "subscribers", word: "subscribers" }], format: (number) => count(Math.round(number)), least: 4 }),
        chart({ title: "Memory", lines: [{ name: "residentBytes", word: "resident" }], format: bytes, isLevel: true }),
        chart({ title: "Database", lines: [{ name: "databaseBytes", word: "on disk" }], format: bytes, isLevel: true }),
    ];
    const axis = () => h("div.axis", { "aria-hidden": "true" }, tickMinutes.map((minutes) => h("span", minutes ? `−${minutes} min` : "now")));
    const when = h("span.quiet.small", { role: "status" });
    const group = h("div.charts", { tabIndex: 0, role: "group", "aria-label": "The last hour. Arrows move through time." }, charts.map((each) => h("div.cell", each.node, axis())));
    const failure = h("div");
    const facts = h("dl.facts.process");
    const routes = h("ul.routes");
    let points = [];
    let marked = null;
    let since = null;

    function mark(index, isSaid = false) {
        marked = index === null ? null : points[index] ?? null;
        for (const each of charts) each.show(marked);
        when.textContent = marked ? clock(marked.at).slice(0, 8) : since ? `noted since ${clock(since).slice(0, 5)}` : "";
        if (isSaid && marked) announce(`${clock(marked.at).slice(0, 5)}: ${charts.map((each) => each.words(marked)).join("; ")}`);
    }

    group.addEventListener("pointermove", (event) => {
        const over = charts.find((each) => each.node.contains(event.target));
        if (!over || !points.length) return;
        const end = points.at(-1).at;
        const at = end - hourMilliseconds + over.shareAt(event) * hourMilliseconds;
        let nearest = 0;
        points.forEach((point, index) => { if (Math.abs(point.at - at) < Math.abs(points[nearest].at - at)) nearest = index; });
        mark(nearest);
    });
    group.addEventListener("pointerleave", () => mark(null));
    group.addEventListener("blur", () => mark(null));
    group.addEventListener("keydown", (event) => {
        const at = marked ? points.indexOf(marked) : points.length - 1;
        // A minute at once: five seconds would take long to walk.
        const to = { ArrowLeft: at - 12, ArrowRight: at + 12, Home: 0, End: points.length - 1 }[event.key];
        if (to === undefined || !points.length) return;
        event.preventDefault();
        mark(Math.max(0, Math.min(points.length - 1, to)), true);
    });

    async function load() {
        try {
            const [history, now] = await Promise.all([server.get("/server/history", {}, { signal }), server.get("/server", {}, { signal })]);
            points = history.points.map((point) => ({ ...point, at: new Date(point.at).getTime() }));
            since = history.sampledSince ?? null;
            const end = points.at(-1)?.at ?? Date.now();
            for (const each of charts) each.draw(points, end - hourMilliseconds, end);
            if (!marked) mark(null);
            drawFacts(now);
            fill(failure);
        } catch (error) {
            if (!signal.aborted && !points.length) fill(failure, problem(error, load));
        }
    }

    function drawFacts({ process, paths }) {
        const info = overview.now;
        fill(facts,
            h("dt", "version"), h("dd", info?.version ?? ""),
            h("dt", "address"), h("dd.mono", info?.address ?? ""),
            h("dt", "running since"), h("dd", moment(process.startedAt)),
            h("dt", "process"), h("dd", String(process.pid), process.threads ? `, ${count(process.threads)} threads` : null),
            typeof process.cpuSeconds === "number" ? [h("dt", "processor"), h("dd", `${process.cpuSeconds < 10 ? process.cpuSeconds.toFixed(1) : count(Math.round(process.cpuSeconds))} s used`)] : null,
            h("dt", "memory"), h("dd", bytes(process.residentBytes)),
            process.openFiles ? [h("dt", "open files"), h("dd", count(process.openFiles), process.openFilesMax ? h("span.quiet", ` of ${count(process.openFilesMax)}`) : null)] : null);
        fill(routes, (paths ?? []).map((each) => h("li", h("span.mono", each.path), h("span.quiet", each.purpose))));
    }

    const timer = setInterval(() => { if (document.visibilityState === "visible") load(); }, refreshMilliseconds);
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
    load();
    return {
        node: h("div.hour", h("div.row.hour-head", h("h2", "The last hour"), when), failure, group,
            h("div.below", h("section", h("h2", "Process"), facts), h("section", h("h2", "What it serves"), routes))),
    };
}
