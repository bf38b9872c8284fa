import { fill, h } from "../../parts/dom.js";
import { empty } from "../../parts/notice.js";

export default {
    title: "live",
    mount(place) {
        fill(place, h("div.bar", h("h1", "live")), empty("This view is being built."));
        return {};
    },
};
