/// A module for Node, by which libraries that verify Cognito's tokens ask this server for the pool's keys.
///
///     NODE_OPTIONS="--import=$PWD/.homeport/node.mjs" npm run dev
///
/// `aws-jwt-verify`, and with it Amplify's adapter for Next.js, ask `cognito-idp.REGION.amazonaws.com` and can be told no other address.
struct NodeModule {
    let address: ClientAddress

    static let name = "node.mjs"

    var text: String {
        """
        // Written by Homeport at each start. It leads requests for cognito-idp.REGION.amazonaws.com to this server:
        //     NODE_OPTIONS="--import=$PWD/.homeport/\(Self.name)" npm run dev
        import http from 'node:http';
        import https from 'node:https';
        import { syncBuiltinESMExports } from 'node:module';

        const home = new URL('\(address.base)/');
        const isPool = (host) => /^cognito-idp\\.[a-z0-9-]+\\.amazonaws\\.com$/.test(String(host ?? '').toLowerCase());

        const request = https.request;
        const led = (...words) => {
          const [first, second] = words;
          const isAddress = typeof first === 'string' || first instanceof URL;
          const url = isAddress ? new URL(first) : undefined;
          const options = { ...(isAddress ? (typeof second === 'object' ? second : undefined) : first) };
          if (!isPool(url?.hostname ?? options.hostname ?? String(options.host ?? '').split(':')[0])) return request(...words);
          const callback = words.find((word) => typeof word === 'function');
          const headers = { ...options.headers };
          for (const name of Object.keys(headers)) if (name.toLowerCase() === 'host') delete headers[name];
          for (const name of ['agent', 'createConnection', 'servername', 'auth']) delete options[name];
          return (home.protocol === 'https:' ? request : http.request)({
            ...options, headers, protocol: home.protocol, host: home.hostname, hostname: home.hostname, port: home.port,
            path: url ? url.pathname + url.search : options.path,
          }, callback);
        };
        https.request = led;
        https.get = (...words) => {
          const made = led(...words);
          made.end();
          return made;
        };
        syncBuiltinESMExports();

        const fetchThere = globalThis.fetch;
        globalThis.fetch = (input, init) => {
          const text = input instanceof Request ? input.url : String(input);
          if (!URL.canParse(text) || !isPool(new URL(text).hostname)) return fetchThere(input, init);
          const { pathname, search } = new URL(text);
          const there = new URL(pathname + search, home);
          return fetchThere(input instanceof Request ? new Request(there, input) : there, init);
        };

        """
    }
}
