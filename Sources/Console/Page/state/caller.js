// Run as: the one on whose behalf things are done and looked at. It stands in the address, as a word, so that a link says who looks.

import { router } from "./router.js";
import { server } from "./server.js";
import { draft } from "./drafts.js";

const tokenKey = "homeport/token";
const last = draft("caller");
const changed = new EventTarget();
const admin = { kind: "admin" };

function pastedToken() {
    try {
        return sessionStorage.getItem(tokenKey);
    } catch {
        return null;
    }
}

/** The word of a caller: "bob", "~key", "~iam:guest". */
export function wordOf(as) {
    switch (as.kind) {
    case "user": return as.username.startsWith("~") ? `~user:${as.username}` : as.username;
    case "apiKey": return "~key";
    case "guest": return "~guest";
    case "iam": return `~iam:${as.role}${as.identityId ? `:${as.identityId}` : ""}`;
    case "token": return "~token";
    case "made": {
        const { username, groups = [], claims = {}, provider } = as;
        return `~made:${JSON.stringify({ username, ...(groups.length && { groups }), ...(Object.keys(claims).length && { claims }), ...(provider && provider !== "userPools" && { provider }) })}`;
    }
    default: return "~admin";
    }
}

/** The caller of a word; nobody knows a word that is none, so it is the administrator's. */
export function asOf(word) {
    if (!word || word === "~admin") return admin;
    if (!word.startsWith("~")) return { kind: "user", username: word };
    const [name, ...rest] = word.slice(1).split(":");
    const detail = rest.join(":");
    switch (name) {
    case "key": return { kind: "apiKey" };
    case "guest": return { kind: "guest" };
    case "user": return { kind: "user", username: detail };
    case "iam": return { kind: "iam", role: rest[0] || "authenticated", identityId: rest.slice(1).join(":") || null };
    case "token": {
        const token = pastedToken();
        return token ? { kind: "token", token } : admin;
    }
    case "made":
        try {
            const { username, groups, claims, provider } = JSON.parse(detail);
            if (typeof username !== "string") return admin;
            return { kind: "made", username, groups: Array.isArray(groups) ? groups.map(String) : [], claims: claims && typeof claims === "object" ? claims : {}, provider: provider ?? "userPools" };
        } catch {
            return admin;
        }
    default: return admin;
    }
}

/** What a caller is called before the server has said more. */
export function labelOf(as) {
    switch (as.kind) {
    case "user": case "made": return as.username;
    case "apiKey": return "API key";
    case "guest": return "guest";
    case "iam": return as.role === "guest" ? "IAM guest" : as.role === "authenticated" ? "IAM signed in" : `IAM ${as.role}`;
    case "token": return "token";
    default: return "administrator";
    }
}

function detailOf(as) {
    switch (as.kind) {
    case "user": return "user pool";
    case "made": return as.groups?.length ? `made up · ${as.groups.join(", ")}` : "made up · no group";
    case "apiKey": return "no sign-in";
    case "guest": return "identity pool";
    case "iam": return "signed request";
    case "token": return "pasted";
    default: return "sees everything";
    }
}

export const caller = {
    as: admin,
    word: "~admin",
    label: "administrator",
    detail: "sees everything",
    claims: null,
    /** What is wrong with the caller (no such user, a token that has ended), or null. */
    problem: null,

    get isAdmin() {
        return this.as.kind === "admin";
    },

    become(as) {
        if (as.kind === "token") {
            try {
                sessionStorage.setItem(tokenKey, as.token);
            } catch {
                // Then it lives as long as nobody reloads.
            }
        }
        const word = wordOf(as);
        // Another token has the same word: what it stands for is read again.
        if (word === this.word && as.kind === "token") this.read(word, as);
        else if (router.now.view) router.go(router.now.view, router.now.path, { ...router.now.params, as: word });
        else this.read(word);
    },

    read(word, given = null) {
        const as = given ?? asOf(word);
        this.as = as;
        this.word = wordOf(as);
        this.label = labelOf(as);
        this.detail = detailOf(as);
        this.claims = null;
        this.problem = null;
        last.value = this.word;
        changed.dispatchEvent(new Event("change"));
        if (as.kind === "admin") return;
        const asked = this.word;
        server.post("/callers/resolve", { as }).then((answer) => {
            if (this.word !== asked || this.as !== as) return;
            this.label = answer.label ?? this.label;
            this.detail = answer.detail ?? this.detail;
            this.claims = answer.claims ?? null;
            changed.dispatchEvent(new Event("detail"));
        }, (error) => {
            if (this.word !== asked || this.as !== as) return;
            this.problem = error.message;
            changed.dispatchEvent(new Event("detail"));
        });
    },

    /** Calls at each change of who it is. */
    watch(run, signal) {
        changed.addEventListener("change", () => run(this), { signal });
    },

    /** Calls when more is known of the same caller. */
    watchDetail(run, signal) {
        changed.addEventListener("detail", () => run(this), { signal });
    },

    /** From the address, else who it was last time. */
    begin() {
        if (!router.now.params.as && router.now.view) router.replace({ params: { as: last.value ?? "~admin" } });
        this.read(router.now.params.as ?? last.value ?? "~admin");
        router.watch((route) => {
            const word = route.params.as ?? this.word;
            if (word !== this.word) this.read(word);
            else if (!route.params.as && route.view) router.replace({ params: { as: this.word } });
        });
    },
};
