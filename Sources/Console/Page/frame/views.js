// The views: what you do, what is kept, what it is. A view's module and sheet are loaded when it is first opened.

import { bytes, count, estimate } from "../parts/format.js";

const records = (info) => {
    const all = info.models.reduce((sum, model) => sum + (model.count ?? 0), 0);
    return info.models.some((model) => model.isEstimate) ? estimate(all) : count(all);
};
const rate = (info) => {
    const number = info.live?.requestsPerSecond ?? 0;
    return number >= 0.5 ? `${Math.round(number)}/s` : "";
};

export const views = [
    { name: "explorer", title: "Explorer", group: "do", key: "e", load: () => import("../views/explorer/explorer.js") },
    { name: "data", title: "Data", group: "do", key: "d", load: () => import("../views/data/data.js"), count: records },
    { name: "access", title: "Access", group: "do", key: "a", load: () => import("../views/access/access.js") },
    { name: "live", title: "Live", group: "do", key: "l", load: () => import("../views/live/live.js"), count: rate },
    { name: "users", title: "Users", group: "kept", key: "u", load: () => import("../views/users/users.js"), count: (info) => count(info.counts?.users) },
    { name: "files", title: "Files", group: "kept", key: "f", load: () => import("../views/files/files.js"), count: (info) => bytes(info.disk?.filesBytes) },
    { name: "messages", title: "Messages", group: "kept", key: "m", load: () => import("../views/messages/messages.js"), count: (info) => count(info.counts?.messages) },
    { name: "functions", title: "Functions", group: "is", key: "c", load: () => import("../views/functions/functions.js"), when: (info) => info.rooms?.functions },
    { name: "services", title: "Services", group: "is", key: "q", load: () => import("../views/services/services.js"), when: (info) => info.rooms?.queues || info.rooms?.workflows || info.rooms?.events || info.rooms?.tables },
    { name: "schema", title: "Schema", group: "is", key: "s", load: () => import("../views/schema/schema.js") },
    { name: "server", title: "Server", group: "is", key: "v", load: () => import("../views/server/server.js") },
];

export const groups = [["do", "What you do"], ["kept", "What is kept"], ["is", "What it is"]];

const sheets = new Map();

/** The sheet of a view; done when its rules hold, so that nothing jumps. */
export function loadSheet(name) {
    if (!sheets.has(name)) {
        sheets.set(name, new Promise((done) => {
            const sheet = document.createElement("link");
            sheet.rel = "stylesheet";
            sheet.href = new URL(`../views/${name}/${name}.css`, import.meta.url).href;
            sheet.onload = sheet.onerror = () => done();
            document.head.append(sheet);
        }));
    }
    return sheets.get(name);
}
