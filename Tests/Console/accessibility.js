// The rules of accessibility, asked of the page as it stands. Gives a list of sentences; an empty one is good.

const problems = [];
const say = (text, node) => {
    const place = node ? ` (${node.tagName.toLowerCase()}${node.id ? `#${node.id}` : ""}${node.className && typeof node.className === "string" ? `.${node.className.trim().split(/\s+/).join(".")}` : ""}: ${(node.textContent || "").trim().slice(0, 40)})` : "";
    if (problems.length < 20) problems.push(text + place);
};
const isShown = (node) => {
    if (node.checkVisibility && !node.checkVisibility({ checkVisibilityCSS: true, visibilityProperty: true })) return false;
    const box = node.getBoundingClientRect();
    return box.width > 0 && box.height > 0;
};
const isHidden = (node) => Boolean(node.closest("[aria-hidden=true], [inert]"));

// Names: what a screen reader would say of a control. A placeholder is none.
const textOf = (node) => {
    let text = "";
    for (const child of node.childNodes) {
        if (child.nodeType === 3) text += child.nodeValue;
        else if (child.nodeType === 1 && child.getAttribute("aria-hidden") !== "true") text += child.getAttribute("aria-label") ?? textOf(child);
    }
    return text.trim();
};
const nameOf = (node) => {
    const by = node.getAttribute("aria-labelledby");
    if (by) return by.split(/\s+/).map((id) => document.getElementById(id)).filter(Boolean).map(textOf).join(" ").trim();
    if (node.getAttribute("aria-label")) return node.getAttribute("aria-label").trim();
    if (node.labels?.length) return [...node.labels].map(textOf).join(" ").trim();
    return textOf(node) || node.getAttribute("title") || node.getAttribute("alt") || "";
};
const controls = "button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role=option], [role=menuitem], [role=treeitem], [role=checkbox]";
for (const node of document.querySelectorAll(controls)) if (isShown(node) && !isHidden(node) && !nameOf(node)) say("a control has no name", node);
for (const node of document.querySelectorAll("dialog[open], nav, [role=grid], [role=tree], [role=listbox], [role=tablist], [role=menu], [role=region], [role=log], aside")) if (isShown(node) && !nameOf(node).length && !node.getAttribute("aria-label")) say("a region has no name", node);
for (const node of document.querySelectorAll("svg[role=img], img")) if (isShown(node) && !isHidden(node) && !nameOf(node) && !node.querySelector("title")) say("a picture has no words", node);

// Landmarks and headings.
for (const name of ["header", "nav", "main"]) if (document.querySelectorAll(`body > ${name}`).length !== 1) say(`there is not one ${name}`);
if (!document.querySelector("main h1") && !document.querySelector("dialog[open]")) say("the view has no heading");
if (!document.documentElement.lang) say("the page does not say its language");
if (!document.title) say("the page has no title");

// What points somewhere points at something; ids are of one node each.
const seen = new Set();
for (const node of document.querySelectorAll("[id]")) {
    if (seen.has(node.id)) say(`the id ${node.id} is there twice`, node);
    seen.add(node.id);
}
for (const name of ["aria-labelledby", "aria-describedby", "aria-controls", "aria-activedescendant"]) {
    for (const node of document.querySelectorAll(`[${name}]`)) for (const id of node.getAttribute(name).split(/\s+/)) if (isShown(node) && !seen.has(id)) say(`${name} points at ${id}, which is not there`, node);
}
for (const node of document.querySelectorAll("label[for]")) if (!seen.has(node.htmlFor)) say("a label belongs to nothing", node);
for (const node of document.querySelectorAll("[tabindex]")) if (node.tabIndex > 0) say("tabindex goes before the order of the page", node);
for (const node of document.querySelectorAll("button button, a button, button a, a a, label label")) say("a control stands in another", node);
for (const node of document.querySelectorAll("[role=tab]")) if (!["true", "false"].includes(node.getAttribute("aria-selected"))) say("a tab does not say whether it is open", node);
for (const node of document.querySelectorAll("[style]")) if ([...node.attributes].some((each) => each.name === "style" && /url\(|expression/.test(each.value))) say("a style has an address", node);

// Contrast of each text with the ground it stands on: 4.5 : 1, as the browser computed both.
const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const colours = new Map();
const colourOf = (text) => {
    if (!colours.has(text)) {
        probe.clearRect(0, 0, 1, 1);
        probe.fillStyle = text;
        probe.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = probe.getImageData(0, 0, 1, 1).data;
        colours.set(text, [r, g, b, a / 255]);
    }
    return colours.get(text);
};
const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a)];
const groundOf = (node) => {
    const layers = [];
    for (let at = node; at; at = at.parentElement) {
        const colour = colourOf(getComputedStyle(at).backgroundColor);
        if (colour[3] > 0) layers.push(colour);
        if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((below, colour) => over(colour, below), [255, 255, 255]);
};
const lightness = (colour) => {
    const [r, g, b] = colour.map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
    const [light, dark] = [lightness(a), lightness(b)].sort((one, other) => other - one);
    return (light + 0.05) / (dark + 0.05);
};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const told = new Set();
while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.nodeValue.trim() || node.closest("script, style, noscript, textarea, option, .visually-hidden, :disabled, .probe") || !isShown(node)) continue;
    const style = getComputedStyle(node);
    const inDrawing = node.closest("svg");
    const colour = colourOf(inDrawing ? style.fill : style.color);
    if (colour[3] === 0) continue;
    const ground = inDrawing ? null : groundOf(node);
    if (!ground) continue;
    const ratio = contrast(over(colour, ground), ground);
    const key = `${style.color}/${ground.map(Math.round)}`;
    if (ratio < 4.5 && !told.has(key)) {
        told.add(key);
        say(`the contrast of a text is ${ratio.toFixed(2)} : 1`, node);
    }
    if (parseFloat(style.fontSize) < 11) say(`a text has ${style.fontSize}`, node);
}
return problems;
