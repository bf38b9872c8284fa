/// Our changes to Node's network in a function: its calls of the server, and the ports that it listens on.
enum NodeNetwork {
    static let text = #"""
        // The network of a function: its calls arrive at the server by whatever module it makes them, and it listens on ports of its own.
        // Made by Homeport.
        import dns from 'node:dns';
        import http from 'node:http';
        import http2 from 'node:http2';
        import https from 'node:https';
        import { syncBuiltinESMExports } from 'node:module';
        import net from 'node:net';
        import { PlainSession } from './node-http2.mjs';

        const bare = (name) => String(name).replace(/^\[(.*)\]$/, '$1').toLowerCase();
        const isFunction = (value) => typeof value === 'function';
        const isObject = (value) => typeof value === 'object' && value !== null;

        // The server speaks HTTP/1.1 without TLS at this address.
        const server = (() => {
          try {
            const url = new URL(process.env.AWS_ENDPOINT_URL);
            return url.protocol === 'http:' ? { host: bare(url.hostname), port: Number(url.port || 80) } : undefined;
          } catch { return undefined; }
        })();

        // --- Ports that the function listens on

        // In Lambda a function shares its ports with nobody. Here each process gets a free port of this machine instead of the port it asks
        // for, and its own connections to that port go to the free one.
        const listening = new Map();
        const others = new Set([process.env.AWS_LAMBDA_RUNTIME_API?.split(':')[1], server?.port].map(Number));

        // How a server wants to listen; undefined: not on a port.
        function wishes([first, second, third]) {
          if (first === undefined || first === null || isFunction(first)) return { port: 0 };
          if (isObject(first)) return 'port' in first && !first.path && first.fd === undefined ? { ...first, port: first.port ?? 0 } : undefined;
          if (!(Number(first) >= 0)) return undefined;
          return { port: first, host: typeof second === 'string' ? second : undefined, backlog: [second, third].find((value) => typeof value === 'number') };
        }

        // What a look-up finds for an address, in the form that is asked for.
        function found(address, options, done) {
          const family = net.isIP(address);
          if (options?.all) done(null, [{ address, family }]); else done(null, address, family);
        }

        const listen = net.Server.prototype.listen;
        net.Server.prototype.listen = function (...args) {
          const options = wishes(args);
          const asked = Number(options?.port);
          if (!options || !Number.isInteger(asked) || asked < 0 || asked > 65535) return listen.apply(this, args);
          // A port that another server of this process has is in use, as it is in Lambda.
          const taken = asked === 0 ? undefined : listening.get(asked);
          const host = options.host && bare(options.host) === '::1' ? '::1' : '127.0.0.1';
          // An address needs no look-up: without one the server has its port when this returns, as it has without a host.
          const { lookup } = dns;
          dns.lookup = (name, ...rest) => found(host, rest[0], rest.at(-1));
          try {
            listen.call(this, { ...options, port: taken?.port ?? 0, host, ipv6Only: false, reusePort: false }, args.findLast(isFunction));
          } finally {
            dns.lookup = lookup;
          }
          if (asked === 0 || taken) return this;
          const remember = () => {
            const address = this.address();
            if (address) listening.set(asked, { server: this, host, port: address.port });
          };
          if (this.address()) remember(); else this.once('listening', remember);
          this.once('close', () => { if (listening.get(asked)?.server === this) listening.delete(asked); });
          return this;
        };

        const here = new Set(['localhost', '127.0.0.1', '::1', '0.0.0.0', '::']);
        const connect = net.Socket.prototype.connect;
        net.Socket.prototype.connect = function (...args) {
          // Node's own modules hand over a list of the options and the callback.
          const isList = Array.isArray(args[0]);
          const [first, second] = isList ? args[0] : args;
          const options = isObject(first) ? first : { port: first, host: typeof second === 'string' ? second : undefined };
          const port = Number(options.port);
          const place = options.path || others.has(port) ? undefined : listening.get(port);
          if (!place || !here.has(bare(options.host ?? 'localhost'))) return connect.apply(this, args);
          const changed = { ...options, host: place.host, port: place.port };
          if (!isList) return connect.call(this, changed, args.findLast(isFunction));
          args[0][0] = changed;
          return connect.apply(this, args);
        };

        // --- Calls of the server by HTTPS

        // The addresses that functions get begin with http:. Programs that were written for AWS call them by HTTPS all the same, and some leave
        // out the port.
        const isNamed = (name) => name === server?.host || (server?.host === '127.0.0.1' && name === 'localhost');
        function isServer(name, port) {
          if (!server || !isNamed(bare(name))) return false;
          return Number(port || 443) === server.port || (Number(port || 443) === 443 && !listening.has(443));
        }

        const requests = { request: https.request, get: https.get };

        // What a call of `https.request` asks for, as options of `http.request`; undefined: it is not for the server.
        function plain(args) {
          const rest = [...args];
          const options = {};
          const isURL = (value) => value instanceof URL || (isObject(value) && typeof value.href === 'string' && isObject(value.searchParams));
          const url = typeof rest[0] === 'string' ? new URL(rest.shift()) : isURL(rest[0]) ? rest.shift() : undefined;
          if (url) {
            const { username, password } = url;
            Object.assign(options, { protocol: url.protocol, hostname: bare(url.hostname), path: url.pathname + url.search });
            if (url.port !== '') options.port = Number(url.port);
            if (username || password) options.auth = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
          }
          const given = isObject(rest[0]) ? rest.shift() : {};
          // A request of version 2 of the SDK has its members by its prototype too.
          for (const name in given) options[name] = given[name];
          if (options.socketPath || options.createConnection || !isServer(options.hostname || options.host || 'localhost', options.port)) return undefined;
          const isWithoutPort = Number(options.port || 443) !== server.port;
          Object.assign(options, {
            protocol: 'http:', port: server.port, hostname: options.hostname || options.host || 'localhost',
            // The header `Host` is what it would be by HTTPS: signatures are over it.
            defaultPort: isWithoutPort ? server.port : undefined,
            lookup: (name, how, done) => found(server.host, how, done),
          });
          if (options.agent?.protocol === 'https:') delete options.agent;
          delete options._defaultAgent;
          return [options, rest.find(isFunction)];
        }

        for (const name of ['request', 'get']) {
          https[name] = function (...args) {
            const changed = plain(args);
            return changed ? http[name](...changed) : requests[name].apply(this, args);
          };
        }

        const fetched = globalThis.fetch;
        if (isFunction(fetched)) {
          globalThis.fetch = function fetch(input, init) {
            let url;
            try { url = new URL(isObject(input) && !(input instanceof URL) ? input.url : input); } catch {}
            if (url?.protocol !== 'https:' || !isServer(url.hostname, url.port)) return fetched.call(this, input, init);
            url.protocol = 'http:';
            url.port = server.port;
            return fetched.call(this, input instanceof Request ? new Request(url, input) : url, init);
          };
        }

        // --- HTTP/2 with the server

        const connected = http2.connect;
        http2.connect = function (authority, options, listener) {
          let url;
          try { url = typeof authority === 'string' ? new URL(authority) : authority; } catch {}
          const isOwn = isObject(url) && options?.createConnection === undefined && isServer(url.hostname || url.host || 'localhost', url.port);
          if (!isOwn) return connected.apply(this, arguments);
          return new PlainSession(server, url.host ?? `${url.hostname}:${url.port}`, isFunction(options) ? options : listener);
        };

        syncBuiltinESMExports();

        """#
}
