// The one place that talks to the server. Paths are those of the console's API, below its version.

const base = "/_homeport/v1";

/** What the server said instead of an answer; `message` is for people, as it is. */
export class ServerError extends Error {
    constructor(status, error = {}) {
        super(error.message || (status ? `The server answered ${status}.` : "The server does not answer. Is homeport still running?"));
        this.name = "ServerError";
        this.status = status;
        this.code = error.code ?? (status ? null : "unreachable");
        this.place = error.place ?? null;
        this.retrySeconds = error.retrySeconds ?? null;
        this.body = error;
    }
}

const isAbort = (error) => error?.name === "AbortError";

function addressOf(path, params) {
    const url = new URL(base + path, location.origin);
    for (const [name, value] of Object.entries(params ?? {})) {
        if (value !== null && value !== undefined && value !== "") url.searchParams.set(name, value);
    }
    return url.pathname + url.search;
}

/** Reads an event stream by its lines; `receive(name, text, id)` for each event. */
async function readEvents(response, receive) {
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    let name = "message";
    let lines = [];
    let id = null;
    for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        rest += decoder.decode(value, { stream: true });
        let from = 0;
        for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n", from)) {
            const line = rest.slice(from, end).replace(/\r$/, "");
            from = end + 1;
            if (line === "") {
                if (lines.length) receive(name, lines.join("\n"), id);
                name = "message";
                lines = [];
            } else if (line.startsWith("event:")) name = line.slice(6).trim();
            else if (line.startsWith("data:")) lines.push(line.slice(line[5] === " " ? 6 : 5));
            else if (line.startsWith("id:")) id = line.slice(3).trim();
        }
        rest = rest.slice(from);
    }
}

function parsed(text) {
    try {
        return JSON.parse(text);
    } catch {
        return null;
    }
}

export const server = {
    /** What `/session` said last. */
    session: null,
    /** Set by the frame: shows the sign-in, and is done when somebody has signed in. */
    askToSignIn: null,
    /** Who is told that the server is there, or not. */
    reach: new EventTarget(),
    isReached: true,

    noteReach(isReached) {
        if (isReached === this.isReached) return;
        this.isReached = isReached;
        this.reach.dispatchEvent(new Event("change"));
    },

    async readSession() {
        this.session = await this.plain("GET", "/session", {});
        return this.session;
    },

    /** One exchange, as it is. */
    async send(method, path, { params, body, type, signal, accept } = {}) {
        const headers = { accept: accept ?? "application/json" };
        if (method !== "GET" && this.session?.csrf) headers["x-homeport-csrf"] = this.session.csrf;
        if (body !== undefined) headers["content-type"] = type ?? "application/json";
        let response;
        try {
            response = await fetch(addressOf(path, params), {
                method, headers, signal, credentials: "same-origin", cache: "no-store", redirect: "error",
                body: body === undefined ? undefined : type ? body : JSON.stringify(body),
            });
        } catch (error) {
            if (isAbort(error)) throw error;
            this.noteReach(false);
            throw new ServerError(0);
        }
        this.noteReach(true);
        return response;
    },

    async failure(response) {
        const text = await response.text().catch(() => "");
        return new ServerError(response.status, parsed(text)?.error ?? {});
    },

    /** An exchange of JSON, without signing in in between. */
    async plain(method, path, options) {
        const response = await this.send(method, path, options);
        if (!response.ok) throw await this.failure(response);
        const text = await response.text();
        return text === "" ? {} : parsed(text);
    },

    /** The response of an exchange that the server agreed to. A token that is stale is read anew once, and who has to sign in is asked. */
    async response(method, path, options = {}) {
        for (let turn = 0; ; turn += 1) {
            const response = await this.send(method, path, options);
            if (response.ok) return response;
            const error = await this.failure(response);
            if (turn > 2) throw error;
            if (error.code === "csrf") await this.readSession();
            else if (error.code === "notSignedIn" && this.askToSignIn) await this.askToSignIn();
            else throw error;
        }
    },

    async json(method, path, options) {
        const response = await this.response(method, path, options);
        const text = await response.text();
        return text === "" ? {} : parsed(text);
    },

    get(path, params, options) {
        return this.json("GET", path, { params, ...options });
    },
    post(path, body = {}, options) {
        return this.json("POST", path, { body, ...options });
    },
    put(path, body = {}, options) {
        return this.json("PUT", path, { body, ...options });
    },
    patch(path, body = {}, options) {
        return this.json("PATCH", path, { body, ...options });
    },
    delete(path, params, options) {
        return this.json("DELETE", path, { params, ...options });
    },

    /** Runs an operation of the API as somebody. */
    run({ query, variables = {}, operationName = null, headers = {} }, { as, signal } = {}) {
        return this.post("/run", { as, query, operationName, variables, headers }, { signal });
    },

    /** Follows a subscription until the signal says so. */
    async subscribe({ query, variables = {}, operationName = null, headers = {} }, { as, signal, started, next, refused, complete, lost }) {
        try {
            const response = await this.response("POST", "/run", { body: { as, query, operationName, variables, headers }, signal, accept: "text/event-stream, application/json" });
            if (!(response.headers.get("content-type") ?? "").startsWith("text/event-stream")) {
                refused?.(parsed(await response.text()));
                return;
            }
            started?.();
            let isOver = false;
            await readEvents(response, (name, text) => {
                const data = parsed(text);
                if (name === "next") next?.(data);
                else if (name === "refused") {
                    isOver = true;
                    refused?.(data);
                } else if (name === "complete") {
                    isOver = true;
                    complete?.();
                }
            });
            if (!isOver) lost?.(new ServerError(0));
        } catch (error) {
            if (!isAbort(error)) lost?.(error instanceof ServerError ? error : new ServerError(0));
        }
    },

    /** Follows an event stream, and begins again where it broke off. `on` has a function for each event. */
    async events(path, { params, signal, on, open, lost }) {
        let after = null;
        let wait = 500;
        while (!signal?.aborted) {
            try {
                const response = await this.response("GET", path, { params: { ...params, after: after ?? params?.after }, signal, accept: "text/event-stream" });
                wait = 500;
                open?.();
                await readEvents(response, (name, text, id) => {
                    if (id !== null) after = id;
                    on[name]?.(parsed(text), id);
                });
            } catch (error) {
                if (isAbort(error) || signal?.aborted) return;
                if (error instanceof ServerError && error.status >= 400 && error.status < 500) {
                    lost?.(error);
                    return;
                }
            }
            if (signal?.aborted) return;
            lost?.(new ServerError(0));
            await new Promise((done) => {
                const timer = setTimeout(done, wait);
                signal?.addEventListener("abort", () => { clearTimeout(timer); done(); }, { once: true });
            });
            wait = Math.min(wait * 2, 8000);
        }
    },

    /** Sends a file; by XMLHttpRequest, which alone tells how far it is in every browser. */
    upload(path, blob, { method = "PUT", params, onprogress, signal } = {}) {
        return new Promise((done, fail) => {
            const request = new XMLHttpRequest();
            request.open(method, addressOf(path, params));
            request.setRequestHeader("x-homeport-csrf", this.session?.csrf ?? "");
            request.setRequestHeader("content-type", blob.type || "application/octet-stream");
            request.upload.onprogress = (event) => onprogress?.(event.loaded, event.total);
            request.onload = () => {
                const answer = parsed(request.responseText);
                if (request.status >= 200 && request.status < 300) done(answer ?? {});
                else fail(new ServerError(request.status, answer?.error ?? {}));
            };
            request.onerror = () => fail(new ServerError(0));
            request.onabort = () => fail(new DOMException("The upload was stopped.", "AbortError"));
            signal?.addEventListener("abort", () => request.abort(), { once: true });
            request.send(blob);
        });
    },

    /** An URL of this API, for pictures and downloads. */
    address: addressOf,

    /** Saves the answer to a request as a file. */
    async download(path, body, { name, signal } = {}) {
        const response = await this.response("POST", path, { body, signal, accept: "*/*" });
        const blob = await response.blob();
        const said = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "");
        saveAs(blob, name ?? said?.[1] ?? "download");
        return blob;
    },
};

/** Hands a Blob to the browser's downloads. */
export function saveAs(blob, name) {
    const url = URL.createObjectURL(blob);
    const anchor = document.createElement("a");
    anchor.href = url;
    anchor.download = name;
    document.body.append(anchor);
    anchor.click();
    anchor.remove();
    setTimeout(() => URL.revokeObjectURL(url), 30_000);
}
