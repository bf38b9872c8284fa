// The tabs of the Explorer: what stands in each, kept over a reload.

import { draft } from "../../state/drafts.js";
import { parse } from "../../language/parser.js";

const kept = draft("explorer/tabs");
const past = draft("explorer/history");
/** More tabs than one finds again; the oldest goes. */
const tabsMax = 20;
const historyMax = 200;

const welcome = `# A query of your API. Ctrl Enter runs it
# as the caller chosen above. Ctrl Space
# says what can stand where; the list at
# the left writes one.

`;

const fresh = (number, values = {}) => ({ id: `d${number}`, query: "", variables: "", headers: "", operation: null, ...values });

/** What a tab is called: its first operation, or its first field. */
export function titleOf(tab) {
    const { definitions } = parse(tab.query.slice(0, 20_000));
    const operation = definitions.find((one) => one.kind === "operation");
    const name = operation?.name?.text ?? operation?.selections?.find((one) => one.kind === "field" && one.name.text)?.name.text;
    return name ?? "New query";
}

export const documents = {
    all: [],
    open: null,
    last: 0,

    begin() {
        const value = kept.value;
        const tabs = Array.isArray(value?.tabs) ? value.tabs.filter((tab) => typeof tab?.query === "string").slice(0, tabsMax) : [];
        this.last = tabs.length;
        this.all = tabs.map((tab, index) => fresh(index + 1, { query: tab.query, variables: String(tab.variables ?? ""), headers: String(tab.headers ?? ""), operation: tab.operation ?? null }));
        if (!this.all.length) this.add({ query: welcome });
        else this.open = this.all[Math.min(value.open ?? 0, this.all.length - 1)];
    },
    save() {
        kept.value = { tabs: this.all.map(({ query, variables, headers, operation }) => ({ query, variables, headers, operation })), open: this.all.indexOf(this.open) };
    },
    add(values = {}) {
        // A tab in which nothing stands is not left behind.
        const empty = this.all.find((tab) => !tab.query.trim() || tab.query === welcome);
        if (empty && values.query !== undefined && values.query !== welcome) Object.assign(empty, values);
        this.last += 1;
        const tab = empty && values.query ? empty : fresh(this.last, values);
        if (tab !== empty) this.all.push(tab);
        if (this.all.length > tabsMax) this.all.splice(this.all.findIndex((each) => each !== tab), 1);
        this.open = tab;
        this.save();
        return tab;
    },
    close(id) {
        const at = this.all.findIndex((tab) => tab.id === id);
        if (at < 0 || this.all.length === 1) return;
        const [tab] = this.all.splice(at, 1);
        if (this.open === tab) this.open = this.all[Math.min(at, this.all.length - 1)];
        this.save();
    },

    get history() {
        return Array.isArray(past.value) ? past.value : [];
    },
    note(entry) {
        const same = (one) => one.query === entry.query && one.variables === entry.variables && one.as === entry.as;
        past.value = [entry, ...this.history.filter((one) => !same(one))].slice(0, historyMax);
    },
    forget() {
        past.clear();
    },
};
