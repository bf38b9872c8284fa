// The diagram: models as cards, relations as lines. Arrows go from card to card, Enter shows one's source; + and - zoom, a drag moves.

import { h, measure, svg } from "../../parts/dom.js";
import { layOut, relationsOf } from "./layout.js";

const margin = 24;
const zooms = [0.25, 0.35, 0.5, 0.65, 0.8, 1, 1.25, 1.5, 2];

export function diagram({ onopen }) {
    let zoom = 1;
    let drawing = null;
    let cards = new Map();
    let size = { width: 0, height: 0 };
    let selected = null;
    const scroller = h("div.diagram");

    const setZoom = (to) => {
        zoom = Math.max(zooms[0], Math.min(zooms.at(-1), to));
        if (drawing) measure(drawing, { width: `${size.width * zoom}px`, height: `${size.height * zoom}px` });
    };
    const cardNode = (card, layout) => {
        const { model } = card;
        const lines = card.fields.map((field, index) => {
            const y = layout.headHeight + 4 + index * layout.rowHeight + 14;
            return svg("g", svg("text", { x: 12, y, class: field.relation ? "relation" : field.isKey || model.key?.includes(field.name) ? "key" : "" }, clip(field.name, 15)),
                svg("text", { x: card.width - 12, y, class: "type", "text-anchor": "end" }, clip(field.type, 16)));
        });
        const label = `${model.name}: ${model.fields.map((field) => `${field.name} ${field.type}`).slice(0, 20).join(", ")}`;
        return svg("g", { class: `card ${model.isJoin ? "joins" : ""}`, transform: `translate(${card.x + margin} ${card.y + margin})`, tabindex: -1, role: "button", "aria-label": label, dataset: { model: model.name }, onclick: () => onopen(model) },
            svg("rect", { width: card.width, height: card.height, rx: 6, class: "ground" }),
            svg("text", { x: 12, y: 21, class: "name" }, clip(model.name, 24)),
            card.fields.length ? svg("line", { x1: 0, x2: card.width, y1: layout.headHeight, y2: layout.headHeight, class: "rule" }) : null, lines,
            card.rest ? svg("text", { x: 12, y: layout.headHeight + 4 + card.fields.length * layout.rowHeight + 14, class: "type" }, `and ${card.rest} more`) : null);
    };
    const clip = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

    const lineNode = (line, layout) => {
        const from = layout.cards.get(line.from);
        const to = layout.cards.get(line.to);
        const yOf = (card, name) => {
            const index = card.fields.findIndex((field) => line.labels.includes(`${name}.${field.name}`));
            return card.y + margin + (index < 0 ? 16 : layout.headHeight + 4 + index * layout.rowHeight + 10);
        };
        const [y1, y2] = [yOf(from, line.from), yOf(to, line.to)];
        const isBack = to.x <= from.x;
        const x1 = from.x + margin + (isBack && to.x < from.x ? 0 : from.width);
        const x2 = to.x + margin + (isBack ? to.width : 0);
        const reach = line.isSelf || to.x === from.x ? 48 : Math.max(32, Math.abs(x2 - x1) / 2);
        const side1 = isBack && to.x < from.x ? -1 : 1;
        const side2 = isBack ? 1 : -1;
        const path = `M${x1} ${y1} C${x1 + side1 * reach} ${y1} ${x2 + side2 * reach} ${y2} ${x2} ${y2}`;
        const end = (x, y, side, isMany) => (isMany ? svg("path", { class: "end", d: `M${x + side * 10} ${y} L${x} ${y - 5} M${x + side * 10} ${y} L${x} ${y + 5}` }) : svg("path", { class: "end", d: `M${x + side * 6} ${y - 5} V${y + 5}` }));
        return svg("g", { class: "line", dataset: { from: line.from, to: line.to } }, svg("title", `${line.labels.join(", ")}: ${line.from} ${line.fromMany ? "many" : "one"} to ${line.toMany ? "many" : "one"} ${line.to}`),
            svg("path", { class: "wide", d: path }), svg("path", { d: path }), end(x1, y1, side1, line.fromMany), end(x2, y2, side2, line.toMany));
    };
    const mark = () => {
        for (const [name, node] of cards) {
            node.classList.toggle("on", name === selected);
            node.setAttribute("tabindex", name === (selected ?? cards.keys().next().value) ? 0 : -1);
        }
        for (const line of drawing?.querySelectorAll(".line") ?? []) line.classList.toggle("on", line.dataset.from === selected || line.dataset.to === selected);
    };

    scroller.addEventListener("keydown", (event) => {
        const card = event.target.closest?.(".card");
        if (!card || event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            card.dispatchEvent(new MouseEvent("click", { bubbles: true }));
            return;
        }
        const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
        if (!way) return;
        event.preventDefault();
        const middle = (node) => {
            const box = node.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        };
        const [x, y] = middle(card);
        let best = null;
        let least = Infinity;
        for (const node of cards.values()) {
            const [ox, oy] = middle(node);
            const along = (ox - x) * way[0] + (oy - y) * way[1];
            const across = Math.abs((ox - x) * way[1]) + Math.abs((oy - y) * way[0]);
            if (along > 4 && along + across * 2 < least) {
                least = along + across * 2;
                best = node;
            }
        }
        if (best) {
            for (const node of cards.values()) node.setAttribute("tabindex", node === best ? 0 : -1);
            best.focus();
            best.scrollIntoView({ block: "nearest", inline: "nearest" });
        }
    });
    // A drag on the ground moves the paper.
    let drag = null;
    scroller.addEventListener("pointerdown", (event) => {
        if (event.button !== 0 || event.target.closest(".card") || event.pointerType === "touch") return;
        drag = { x: event.clientX, y: event.clientY, left: scroller.scrollLeft, top: scroller.scrollTop };
        scroller.setPointerCapture(event.pointerId);
    });
    scroller.addEventListener("pointermove", (event) => {
        if (drag) scroller.scrollTo(drag.left - event.clientX + drag.x, drag.top - event.clientY + drag.y);
    });
    for (const name of ["pointerup", "pointercancel"]) scroller.addEventListener(name, () => { drag = null; });
    scroller.addEventListener("wheel", (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        setZoom(zoom * (event.deltaY < 0 ? 1.1 : 1 / 1.1));
    }, { passive: false });

    return {
        node: scroller,
        draw(models) {
            const relations = relationsOf(models);
            const layout = layOut(models, relations);
            size = { width: layout.width + margin * 2, height: layout.height + margin * 2 };
            cards = new Map([...layout.cards].map(([name, card]) => [name, cardNode(card, layout)]));
            drawing = svg("svg", { viewBox: `0 0 ${size.width} ${size.height}`, role: "group", "aria-label": `Diagram of ${models.length} models` }, relations.map((line) => lineNode(line, layout)), [...cards.values()]);
            scroller.replaceChildren(drawing);
            setZoom(zoom);
            mark();
        },
        select(name) {
            selected = name;
            mark();
            cards.get(name)?.scrollIntoView({ block: "nearest", inline: "nearest" });
        },
        zoomBy(steps) {
            const nearest = zooms.reduce((best, each, index) => (Math.abs(each - zoom) < Math.abs(zooms[best] - zoom) ? index : best), 0);
            setZoom(zooms[Math.max(0, Math.min(zooms.length - 1, nearest + steps))]);
            return zoom;
        },
        fit() {
            setZoom(Math.min(1, (scroller.clientWidth - 8) / size.width, (scroller.clientHeight - 8) / size.height));
            return zoom;
        },
        get zoom() { return zoom; },
    };
}
