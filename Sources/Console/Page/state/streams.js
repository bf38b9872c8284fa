// Places for streams. A browser has six connections to a server, for all its tabs together: streams may have four, so that whatever
// else a page asks finds one.

/** Streams of all tabs together. */
export const streamsMax = 4;

const names = Array.from({ length: streamsMax }, (_, index) => `homeport-stream-${index}`);
let own = 0;

/** A lock of this origin that is free now; null where another tab, or this one, has it. */
const taken = (name) => new Promise((done) => {
    navigator.locks.request(name, { ifAvailable: true }, (lock) => {
        if (!lock) {
            done(null);
            return undefined;
        }
        return new Promise((release) => { done({ release }); });
    }).catch(() => done(null));
});

/** A place, to be given back by `release()`; null where there is none. */
export async function streamPlace() {
    // Browsers have locks where nobody reads along: on this machine, and over TLS. Elsewhere a tab counts its own.
    if (!navigator.locks) {
        if (own >= streamsMax) return null;
        own += 1;
        return { release: () => { own -= 1; } };
    }
    for (const name of names) {
        const place = await taken(name);
        if (place) return place;
    }
    return null;
}
