import { fill, h } from "../../parts/dom.js";
import { empty } from "../../parts/notice.js";

export default {
    title: "access",
    mount(place) {
        fill(place, h("div.bar", h("h1", "access")), empty("This view is being built."));
        return {};
    },
};
