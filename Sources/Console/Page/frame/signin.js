// Sign-in: the administrator's password, or the first one, made from the link that the server printed.

import { fill, h } from "../parts/dom.js";
import { field, form, input } from "../parts/form.js";
import { server } from "../state/server.js";

/** At the beginning of the address of a first use; taken out of it at once. */
const marker = "#setup=";
let setupToken = null;
if (location.hash.startsWith(marker)) {
    setupToken = decodeURIComponent(location.hash.slice(marker.length));
    history.replaceState(null, "", location.pathname);
}

const passwordMin = 12;

/** What a password manager files the password under. */
const manager = () => ({ node: h("input", { type: "text", autocomplete: "username", value: "administrator", hidden: true, "aria-hidden": "true", tabIndex: -1, readOnly: true }) });

function signInForm(done) {
    const password = field({ label: "Administrator's password", name: "password", control: input({ type: "password", autocomplete: "current-password", autofocus: true }) });
    return form({
        fields: [{ node: h("h1", server.session?.name ? `Sign in to ${server.session.name}` : "Sign in") }, manager(), password], submit: "Sign in",
        onsubmit: async () => {
            try {
                server.session = await server.plain("POST", "/sign-in", { body: { password: password.control.value } });
                done();
            } catch (error) {
                password.error(error.retrySeconds ? `${error.message} Try again in ${error.retrySeconds} s.` : error.message);
                password.control.select();
                password.control.focus();
            }
        },
    });
}

function setupForm(done) {
    if (!setupToken) {
        return h("div.stack", h("h1", "No password has been made yet"), h("p", "The server printed a link when it started. Open it, and make the administrator's password there. It holds once."));
    }
    const first = field({ label: "New password", hint: `${passwordMin} characters or more`, control: input({ type: "password", autocomplete: "new-password", autofocus: true }) });
    const second = field({ label: "Once more", control: input({ type: "password", autocomplete: "new-password" }) });
    return form({
        fields: [{ node: h("h1", "Make the administrator's password") }, manager(), first, second], submit: "Make it and sign in",
        onsubmit: async () => {
            if (first.control.value.length < passwordMin) return first.error(`It has ${first.control.value.length} characters; ${passwordMin} are needed.`);
            if (first.control.value !== second.control.value) return second.error("The two are not the same.");
            server.session = await server.plain("POST", "/setup", { body: { token: setupToken, password: first.control.value } });
            setupToken = null;
            done();
        },
    });
}

let waiting = null;

/** Shows the sign-in over the page; done when somebody is signed in. */
export function signIn() {
    waiting ??= (async () => {
        const session = await server.readSession();
        if (session.signIn !== "needed" && session.signIn !== "setup") return;
        await new Promise((done) => {
            const node = h("dialog.sign-in", { "aria-label": "Sign in" });
            fill(node, session.signIn === "setup" ? setupForm(finish) : signInForm(finish));
            node.addEventListener("cancel", (event) => event.preventDefault());
            function finish() {
                node.close();
                node.remove();
                done();
            }
            document.body.append(node);
            node.showModal();
            node.querySelector("input")?.focus();
        });
    })().finally(() => {
        waiting = null;
    });
    return waiting;
}
