// Light and dark: as the system says, unless somebody chose.

import { draft } from "../state/drafts.js";

const kept = draft("theme");
const names = { system: "System colours", light: "Light", dark: "Dark" };

export function setTheme(theme) {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    kept.value = theme;
}

export const themeName = () => names[kept.value] ?? names.system;

export function nextTheme() {
    const all = Object.keys(names);
    setTheme(all[(all.indexOf(kept.value ?? "system") + 1) % all.length]);
}

if (kept.value && kept.value !== "system") setTheme(kept.value);
