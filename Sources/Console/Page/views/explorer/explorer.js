import { fill, h } from "../../parts/dom.js";
import { empty } from "../../parts/notice.js";

export default {
    title: "explorer",
    mount(place) {
        fill(place, h("div.bar", h("h1", "explorer")), empty("This view is being built."));
        return {};
    },
};
