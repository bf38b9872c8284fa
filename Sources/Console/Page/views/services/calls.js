// A call of one of the app's services, by the service's own name for it.

import { server } from "../../state/server.js";

export const call = (service, name, input, signal) => server.post(`/services/${service}/${name}`, input, { signal });

/** The last part of an ARN or a URL. */
export const lastOf = (text, mark) => text.split(mark).at(-1);
