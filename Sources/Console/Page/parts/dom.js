// The page's nodes. Text from outside becomes a text node and nothing else: there is no way through here to markup.

const SVG = "http://www.w3.org/2000/svg";
const properties = new Set(["value", "checked", "selected", "indeterminate", "disabled", "hidden", "open", "multiple", "readOnly", "tabIndex", "htmlFor"]);
const refused = new Set(["style", "innerHTML", "outerHTML", "srcdoc"]);
const addresses = new Set(["href", "src", "action"]);

let lastNumber = 0;

/** An id that no other node of the page has. */
export const freshId = (word = "n") => `${word}-${++lastNumber}`;

/** Whether an address leads somewhere that cannot run a script. */
const leads = (address) => /^(#|\/(?!\/)|\.\/|blob:|https?:|mailto:)/.test(address);

const isNode = (value) => value instanceof Node;

/** Puts children behind those that are there; arrays are spread, null and booleans are nothing. */
export function append(node, children) {
    for (const child of children) {
        if (child === null || child === undefined || child === false || child === true) continue;
        if (Array.isArray(child)) append(node, child);
        else node.append(isNode(child) ? child : String(child));
    }
    return node;
}

function set(node, name, value) {
    if (refused.has(name)) throw new TypeError(`${name} is not set by the page`);
    if (name.startsWith("on")) {
        if (typeof value === "function") node.addEventListener(name.slice(2), value);
        return;
    }
    if (name === "class") {
        for (const word of String(value || "").split(/\s+/)) if (word) node.classList.add(word);
        return;
    }
    if (name === "dataset") {
        for (const [key, text] of Object.entries(value)) if (text !== null && text !== undefined) node.dataset[key] = text;
        return;
    }
    if (properties.has(name) && name in node) {
        if (value !== undefined && value !== null) node[name] = value;
        return;
    }
    if (value === null || value === undefined || value === false) return;
    if (addresses.has(name) && !leads(String(value))) return;
    node.setAttribute(name, value === true ? "" : String(value));
}

const isProperties = (value) => typeof value === "object" && value !== null && !isNode(value) && !Array.isArray(value);

function make(space, tag, rest) {
    const [name, ...words] = tag.split(".");
    const node = space ? document.createElementNS(space, name) : document.createElement(name || "div");
    for (const word of words) node.classList.add(word);
    if (name === "button") node.type = "button";
    let children = rest;
    if (rest.length && isProperties(rest[0])) {
        children = rest.slice(1);
        const { value, ...others } = rest[0];
        for (const [key, each] of Object.entries(others)) set(node, key, each);
        append(node, children);
        // A choice has its value only once its options are there.
        if (value !== undefined) set(node, "value", value);
        return node;
    }
    return append(node, children);
}

/** A node: `h("button.main", { onclick }, "Save")`. */
export const h = (tag, ...rest) => make(null, tag, rest);

/** The same in a drawing. */
export const svg = (tag, ...rest) => make(SVG, tag, rest);

/** Replaces the children of a node. The focus stays where it was if a node with the same id or `data-key` comes back. */
export function fill(node, ...children) {
    const focused = node.contains(document.activeElement) && document.activeElement !== node ? document.activeElement : null;
    const key = focused && (focused.id ? `#${CSS.escape(focused.id)}` : focused.dataset.key ? `[data-key="${CSS.escape(focused.dataset.key)}"]` : null);
    node.replaceChildren();
    append(node, children);
    if (key && !node.contains(document.activeElement)) node.querySelector(key)?.focus({ preventScroll: true });
    return node;
}

/** Makes the children of a node those of a list: nodes that are there already are kept, and moved only where they have to. */
export function keyed(parent, items, key, make, change) {
    const known = parent.keyedNodes ?? new Map();
    const names = items.map(key);
    const wanted = new Set(names);
    for (const [name, node] of known) if (!wanted.has(name)) node.remove();
    const kept = new Map();
    let place = parent.firstChild;
    items.forEach((item, index) => {
        const node = known.get(names[index]) ?? make(item);
        change?.(node, item);
        kept.set(names[index], node);
        if (node === place) place = place.nextSibling;
        else parent.insertBefore(node, place);
    });
    parent.keyedNodes = kept;
    return parent;
}

/** Sets lengths and the like, which a sheet cannot know, through the object model: the policy forbids the attribute alone. */
export function measure(node, lengths) {
    for (const [name, value] of Object.entries(lengths)) node.style.setProperty(name, value);
    return node;
}

/** Calls `run` once, `milliseconds` after the last call of what is returned. */
export function later(milliseconds, run) {
    let timer = 0;
    const wait = (...values) => {
        clearTimeout(timer);
        timer = setTimeout(() => run(...values), milliseconds);
    };
    wait.stop = () => clearTimeout(timer);
    return wait;
}

/** Whether the pointer or key event is in a place where letters are typed. */
export const isTyping = (node) =>
    node instanceof HTMLElement
    && (node.isContentEditable || node.tagName === "TEXTAREA" || node.tagName === "SELECT"
        || (node.tagName === "INPUT" && !["checkbox", "radio", "button", "submit", "range", "color", "file"].includes(node.type)));
