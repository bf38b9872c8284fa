// What a user's state means, in words.

const states = {
    CONFIRMED: ["confirmed", "May sign in."],
    UNCONFIRMED: ["unconfirmed", "Signed up, and has not proved an address by the code that was sent."],
    FORCE_CHANGE_PASSWORD: ["temporary password", "Was invited, and chooses a password of their own at the first sign-in."],
    RESET_REQUIRED: ["has to reset", "Cannot sign in before a new password was chosen by a code."],
    EXTERNAL_PROVIDER: ["by a provider", "Signs in at a provider, and has no password here."],
    COMPROMISED: ["compromised", "Cannot sign in."],
    ARCHIVED: ["archived", "Cannot sign in."],
};

export const stateWord = (user) => (user.enabled ? states[user.state]?.[0] ?? user.state : "disabled");

export const stateSentence = (user) => (user.enabled ? states[user.state]?.[1] ?? user.state : "Cannot sign in, and tokens are no longer renewed.");
