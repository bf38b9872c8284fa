/// The sessions of HTTP/2 that functions have with the server, as requests of HTTP/1.1.
enum NodeHTTP2 {
    static let text = #"""
        // Sessions of HTTP/2 with the server, which does not speak it: several clients of the SDK speak nothing else. Each stream of such a session is
        // a request of HTTP/1.1. Made by Homeport.
        import { EventEmitter } from 'node:events';
        import http from 'node:http';
        import http2 from 'node:http2';
        import { Duplex } from 'node:stream';

        const { constants } = http2;
        const agent = new http.Agent({ keepAlive: true });
        const ofConnections = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'http2-settings']);

        const isFunction = (value) => typeof value === 'function';

        function failure(code, message) {
          return Object.assign(new Error(message), { code });
        }

        // What follows `setTimeout` of a session or a stream: told once where nothing has happened for that time.
        class IdleTimer {
          #owner; #milliseconds = 0; #timer;
          constructor(owner) { this.#owner = owner; }
          set(milliseconds, done) {
            this.#milliseconds = Number(milliseconds) || 0;
            if (isFunction(done)) {
              if (this.#milliseconds > 0) this.#owner.once('timeout', done); else this.#owner.removeListener('timeout', done);
            }
            this.touch();
          }
          touch() {
            clearTimeout(this.#timer);
            if (this.#milliseconds > 0) this.#timer = setTimeout(() => this.#owner.emit('timeout'), this.#milliseconds).unref();
          }
          stop() { clearTimeout(this.#timer); }
        }

        class PlainStream extends Duplex {
          #request; #response; #session; #timer = new IdleTimer(this); #waitsForTrailers; #rstCode = 0; #aborted = false; #isClosed = false; #sendsTrailers; #isWanted = false;
          sentHeaders; id; headersSent = true; pending = false; scheme = 'http';

          constructor(session, id, headers, options, server, origin) {
            super({ allowHalfOpen: true, autoDestroy: true, emitClose: true });
            this.#session = session;
            this.#waitsForTrailers = options.waitForTrailers === true;
            this.id = id;
            const sent = {};
            const pseudo = { method: 'GET', path: '/', authority: origin };
            if (Array.isArray(headers)) headers = Object.fromEntries(headers.flatMap((name, place) => place % 2 ? [] : [[name, headers[place + 1]]]));
            for (const [name, value] of Object.entries(headers)) {
              if (value === undefined || value === null) continue;
              const lower = name.toLowerCase();
              if (lower.startsWith(':')) pseudo[lower.slice(1)] = String(value);
              else if (!ofConnections.has(lower)) sent[lower] = value;
            }
            sent.host ??= pseudo.authority;
            this.sentHeaders = { ':method': pseudo.method, ':path': pseudo.path, ':authority': sent.host, ':scheme': 'http', ...headers };
            const endStream = options.endStream ?? ['GET', 'HEAD', 'DELETE'].includes(pseudo.method);
            if (!endStream && sent['content-length'] === undefined) sent['transfer-encoding'] = 'chunked';
            this.#request = http.request({ host: server.host, port: server.port, agent, method: pseudo.method, path: pseudo.path, headers: sent });
            this.#request.on('continue', () => this.emit('continue'));
            this.#request.on('response', (response) => this.#answer(response));
            // Behind the whole answer the server may close what it has not read to the end.
            this.#request.on('error', (error) => { if (!this.#response?.complete) this.destroy(error); });
            this.#request.on('drain', () => this.#touch());
            this.endAfterHeaders = endStream;
            this.#touch();
            if (endStream) this.end(); else setImmediate(() => { if (!this.destroyed) this.#request.flushHeaders(); });
            options.signal?.addEventListener('abort', () => this.destroy(options.signal.reason), { once: true });
          }

          #touch() {
            this.#timer.touch();
            this.#session.touch();
          }

          #answer(response) {
            this.#response = response;
            const headers = { __proto__: null, ':status': response.statusCode };
            for (const [name, value] of Object.entries(response.headers)) if (!ofConnections.has(name)) headers[name] = value;
            this.#touch();
            response.on('data', (piece) => {
              this.#touch();
              if (this.push(piece)) return;
              this.#isWanted = false;
              response.pause();
            });
            response.on('end', () => {
              if (Object.keys(response.trailers).length > 0) this.emit('trailers', { __proto__: null, ...response.trailers }, constants.NGHTTP2_FLAG_END_STREAM);
              this.push(null);
            });
            response.on('error', (error) => this.destroy(error));
            if (!this.#isWanted) response.pause();
            this.emit('response', headers, 0, response.rawHeaders);
          }

          _read() {
            this.#isWanted = true;
            this.#response?.resume();
          }
          _write(piece, encoding, done) {
            this.#touch();
            // Where the server has answered, nobody reads the rest.
            if (this.#response?.complete) return done();
            this.#request.write(piece, encoding, (error) => done(this.#response?.complete ? undefined : error));
          }
          _final(done) {
            if (!this.#waitsForTrailers) {
              this.#request.end();
              return done();
            }
            this.#sendsTrailers = (headers) => {
              this.#request.addTrailers(headers);
              this.#request.end();
              done();
            };
            this.emit('wantTrailers');
          }
          _destroy(error, done) {
            this.#timer.stop();
            this.#isClosed = true;
            if (error && this.#rstCode === 0) this.#rstCode = constants.NGHTTP2_INTERNAL_ERROR;
            if (!this.#response?.complete) this.#request.destroy();
            this.#session.isDone(this);
            done(error);
          }

          sendTrailers(headers) {
            if (!this.#sendsTrailers) throw failure('ERR_HTTP2_TRAILERS_NOT_READY', 'Trailing headers cannot be sent until after the wantTrailers event is emitted');
            this.#sendsTrailers(headers);
            this.#sendsTrailers = undefined;
          }
          close(code = constants.NGHTTP2_NO_ERROR, done) {
            if (isFunction(done)) this.once('close', done);
            if (this.#isClosed) return;
            this.#isClosed = true;
            this.#rstCode = code;
            if (!this.writableEnded) {
              this.#aborted = true;
              this.emit('aborted');
            }
            const isError = code !== constants.NGHTTP2_NO_ERROR && code !== constants.NGHTTP2_CANCEL;
            this.destroy(isError ? failure('ERR_HTTP2_STREAM_ERROR', `Stream closed with error code ${code}`) : undefined);
          }
          setTimeout(milliseconds, done) { this.#timer.set(milliseconds, done); return this; }
          priority() {}
          get session() { return this.destroyed ? undefined : this.#session; }
          get rstCode() { return this.#rstCode; }
          get aborted() { return this.#aborted; }
          get closed() { return this.#isClosed; }
          get bufferSize() { return this.writableLength; }
          get sentInfoHeaders() { return []; }
          get sentTrailers() { return undefined; }
          get state() { return { state: 0, weight: 16, sumDependencyWeight: 0, localClose: Number(this.writableEnded), remoteClose: Number(this.readableEnded), localWindowSize: 65535 }; }
        }

        export class PlainSession extends EventEmitter {
          #origin; #server; #streams = new Set(); #timer = new IdleTimer(this); #nextID = 1;
          closed = false; destroyed = false; connecting = true; encrypted = false; alpnProtocol = 'h2c'; pendingSettingsAck = false;
          type = constants.NGHTTP2_SESSION_CLIENT; originSet = undefined; socket = undefined; state = {};
          localSettings = http2.getDefaultSettings(); remoteSettings = http2.getDefaultSettings();

          constructor(server, origin, listener) {
            super();
            this.#server = server;
            this.#origin = origin;
            if (isFunction(listener)) this.once('connect', listener);
            process.nextTick(() => {
              if (this.destroyed) return;
              this.connecting = false;
              this.emit('connect', this, undefined);
              this.emit('remoteSettings', this.remoteSettings);
            });
          }

          request(headers = {}, options = {}) {
            if (this.destroyed) throw failure('ERR_HTTP2_INVALID_SESSION', 'The session has been destroyed');
            if (this.closed) throw failure('ERR_HTTP2_GOAWAY_SESSION', 'New streams cannot be created after receiving a GOAWAY');
            const stream = new PlainStream(this, this.#nextID, headers, options, this.#server, this.#origin);
            this.#nextID += 2;
            this.#streams.add(stream);
            return stream;
          }

          // What the streams of this session tell it.
          touch() { this.#timer.touch(); }
          isDone(stream) {
            this.#streams.delete(stream);
            if (this.closed && this.#streams.size === 0) this.destroy();
          }

          settings(settings, done) {
            this.localSettings = { ...this.localSettings, ...settings };
            process.nextTick(() => {
              if (isFunction(done)) done(null, this.localSettings, 0);
              this.emit('localSettings', this.localSettings);
            });
          }
          ping(payload, done) {
            if (isFunction(payload)) [payload, done] = [Buffer.alloc(8), payload];
            process.nextTick(() => done?.(null, 0, payload));
            return true;
          }
          goaway() {}
          setLocalWindowSize() {}
          setTimeout(milliseconds, done) { this.#timer.set(milliseconds, done); return this; }
          // A session without a stream has no socket that would hold the process, and one with a stream is not to lose it.
          ref() {}
          unref() {}
          close(done) {
            if (isFunction(done)) this.once('close', done);
            this.closed = true;
            if (this.#streams.size === 0) this.destroy();
          }
          destroy(error, code) {
            if (this.destroyed) return;
            if (typeof error === 'number') [error, code] = [error === 0 ? undefined : failure('ERR_HTTP2_SESSION_ERROR', `Session closed with error code ${error}`), error];
            this.destroyed = this.closed = true;
            this.connecting = false;
            this.#timer.stop();
            for (const stream of [...this.#streams]) {
              if (error) stream.destroy(error); else stream.close(code ?? constants.NGHTTP2_CANCEL);
            }
            process.nextTick(() => {
              if (error) this.emit('error', error);
              this.emit('close');
            });
          }
        }

        """#
}
