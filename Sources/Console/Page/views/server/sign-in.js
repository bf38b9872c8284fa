// Sign-in to the console: another password, and an end to all sessions.

import { h } from "../../parts/dom.js";
import { moment } from "../../parts/format.js";
import { confirm } from "../../parts/dialog.js";
import { toast } from "../../parts/notice.js";
import { field, form, input } from "../../parts/form.js";
import { server, ServerError } from "../../state/server.js";

/** The fewest characters that the server takes. */
const passwordMin = 12;

export function signInPart({ signal }) {
    if (server.session?.signIn !== "done") {
        return { node: h("div.sign-in-part", h("p", "Nobody signs in here: the server is for development, and answers this machine alone."), h("p.quiet", "Where others can reach it, an administrator signs in with a password, made by the link that the server prints at its first start.")) };
    }
    const old = field({ label: "Password now", name: "password", control: input({ type: "password", autocomplete: "current-password" }) });
    const next = field({ label: "New password", name: "newPassword", hint: `${passwordMin} characters or more. All other sessions end.`, control: input({ type: "password", autocomplete: "new-password" }) });
    const node = form({
        fields: [old, next], submit: "Change password",
        onsubmit: async () => {
            if ([...next.control.value].length < passwordMin) {
                next.control.focus();
                throw new ServerError(400, { message: `A password has ${passwordMin} characters or more.`, place: "newPassword" });
            }
            try {
                await server.post("/password", { password: old.control.value, newPassword: next.control.value }, { signal });
            } catch (error) {
                if (error.code === "wrongPassword") error.place = "password";
                throw error;
            }
            old.control.value = "";
            next.control.value = "";
            toast("The password was changed, and all other sessions have ended");
        },
    });
    const everywhere = h("button", { onclick: async () => {
        if (!await confirm({ title: "Sign out everywhere?", text: "All sessions of the console end, this one too.", action: "Sign out everywhere" })) return;
        await server.post("/sign-out", { everywhere: true }, { signal });
        location.reload();
    } }, "Sign out everywhere");
    return { node: h("div.sign-in-part",
        h("section", h("h2", "Password"), node),
        h("section", h("h2", "Sessions"), h("p.quiet", `This one is good until ${moment(server.session.expiresAt)}.`), h("div.row", everywhere))) };
}
