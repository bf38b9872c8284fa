// Addresses: `#data/Post/p-17?as=bob&sort=name` is a view, a path in it, and parameters. What a person would want back after a reload
// stands there. `as` goes along with every step inside the console.

import { h } from "../parts/dom.js";

const changed = new EventTarget();

function parse(hash) {
    const text = hash.replace(/^#/, "");
    const cut = text.indexOf("?");
    const decode = (part) => {
        try {
            return decodeURIComponent(part);
        } catch {
            return part;
        }
    };
    const [view, ...path] = (cut < 0 ? text : text.slice(0, cut)).split("/").map(decode);
    const params = Object.create(null);
    for (const [name, value] of new URLSearchParams(cut < 0 ? "" : text.slice(cut + 1))) params[name] = value;
    return { view: view || "", path: path.filter((part) => part !== ""), params };
}

/** The fragment of a place. Parameters that are null or empty are left out; `as` stays as it is unless it is given. */
export function address(view, path = [], params = {}) {
    const all = { as: router.now.params.as, ...params };
    const query = Object.entries(all)
        .filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false)
        .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value === true ? "1" : value).replace(/%20/g, "+").replace(/%3A/g, ":").replace(/%2C/g, ",")}`);
    const place = [view, ...path].map(encodeURIComponent).join("/");
    return `#${place}${query.length ? `?${query.join("&")}` : ""}`;
}

export const router = {
    now: parse(location.hash),

    /** Goes somewhere; Back comes back. */
    go(view, path = [], params = {}) {
        const to = address(view, path, params);
        if (to === location.hash) return;
        history.pushState(null, "", to);
        this.read();
    },

    /** The same place with other parameters, without a step. */
    replace({ view = this.now.view, path = this.now.path, params = {} }) {
        const to = address(view, path, { ...this.now.params, ...params });
        if (to === location.hash) return;
        history.replaceState(null, "", to);
        this.read();
    },

    /** The same place with other parameters, with a step. */
    step(params) {
        this.go(this.now.view, this.now.path, { ...this.now.params, ...params });
    },

    read() {
        this.now = parse(location.hash);
        changed.dispatchEvent(new Event("change"));
    },

    watch(run, signal) {
        changed.addEventListener("change", () => run(this.now), { signal });
    },
};

window.addEventListener("popstate", () => router.read());
window.addEventListener("hashchange", () => router.read());

/** A link inside the console. */
export const link = (view, path, params, ...children) => h("a.link", { href: address(view, path, params) }, children);
