// A caller or an owner by name; the whole id is shown on hover.

import { h } from "./dom.js";
import { names } from "../state/names.js";

export function person(text) {
    const name = names.of(text);
    return name === text ? text ?? "" : h("span.person", { title: text }, name);
}
