import { fill, h } from "../../parts/dom.js";
import { empty } from "../../parts/notice.js";

export default {
    title: "schema",
    mount(place) {
        fill(place, h("div.bar", h("h1", "schema")), empty("This view is being built."));
        return {};
    },
};
