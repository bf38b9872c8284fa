import Foundation
import JSON
import TestSupport
import Testing

@testable import Functions

/// Functions that call the server by modules other than plain HTTP, and that listen on ports.
@Suite(
    "The network of functions in Node", .enabled(if: Interpreter.node.path != nil, "there is no node on this machine"))
struct NodeNetworkTests {
    /// A server of HTTP/1.1 that says what it was asked.
    private static let server = """
        const http = require('node:http');
        const answer = (request, response) => {
          if (request.url === '/events') {
            response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream', trailer: 'x-end' });
            for (const piece of ['a', 'b', 'c']) response.write(piece);
            response.addTrailers({ 'x-end': 'yes' });
            return response.end();
          }
          if (request.url === '/cut') return response.writeHead(200, { 'content-length': 9 }).write('a', () => response.destroy());
          if (request.url === '/hangs') return;
          if (request.url === '/echo') return request.pipe(response);
          if (request.url === '/early') return response.writeHead(403).end('no');
          let body = '';
          request.on('data', (piece) => { body += piece }).on('end', () => {
            response.setHeader('x-a', ['1', '2']);
            response.end(JSON.stringify([request.method, request.url, request.headers.host, request.headers['content-type'] ?? null, body]));
          });
        };
        """

    /// What the SDK's own handler of HTTP/2 does with a request: a session for many, the body by `end` or by a pipe, the answer by events.
    private static let client = """
        const http2 = require('node:http2');
        const { constants } = http2;
        class Handler {
          sessions = 0;
          lease(address) {
            if (this.session && !this.session.destroyed) return this.session;
            this.sessions += 1;
            const session = http2.connect(address);
            session.unref();
            session.settings({ maxConcurrentStreams: 10 }, (error) => { if (error) throw error; });
            for (const name of ['goaway', 'error', 'frameError', 'close']) session.on(name, () => session.destroy());
            session.setTimeout(60000, () => session.destroy());
            return this.session = session;
          }
          handle(address, method, path, headers = {}, body, milliseconds) {
            return new Promise((resolve, reject) => {
              const session = this.lease(address);
              session.ref();
              let isDone = false;
              const fail = (error) => { isDone = true; reject(error); };
              const stream = session.request({ ...headers, [constants.HTTP2_HEADER_PATH]: path, [constants.HTTP2_HEADER_METHOD]: method });
              if (milliseconds) stream.setTimeout(milliseconds, () => { stream.close(); fail(new Error('timed out')); });
              stream.on('frameError', fail);
              stream.on('error', fail);
              stream.on('aborted', () => fail(new Error('aborted ' + stream.rstCode)));
              stream.on('trailers', (trailers) => { stream.trailers = trailers; });
              stream.on('response', (headers) => { isDone = true; resolve({ headers, stream }); });
              stream.on('close', () => { session.unref(); if (!isDone) fail(new Error('no response')); });
              if (typeof body?.pipe === 'function') body.pipe(stream); else if (body) stream.end(body); else stream.end();
            });
          }
        }
        const handler = new Handler();
        const whole = async (stream) => { let text = ''; for await (const piece of stream) text += piece; return text; };
        const call = async (...request) => { const { headers, stream } = await handler.handle(...request); return [headers[':status'], await whole(stream)]; };
        """

    /// That server in a process of its own.
    private final class Services: Sendable {
        let process: ChildProcess
        let port: Int

        init() throws {
            let script = """
                \(NodeNetworkTests.server)
                const services = http.createServer(answer);
                services.listen(0, '127.0.0.1', () => console.log(services.address().port));
                """
            let output = Pipe()
            process = try ChildProcess([Interpreter.node.path ?? "", "-e", script], output: .pipe(output))
            let line = String(decoding: output.fileHandleForReading.readSome(), as: UTF8.self)
            port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
        }
    }

    /// What a handler of this body answers beside such a server, whose address it has as that of all services.
    private static func value(_ body: String, before start: String = "", in file: String = "index.js") async throws
        -> (value: JSONValue, port: Int)
    {
        let services = try await BlockingThread.run { try Services() }
        let export = file.hasSuffix(".mjs") ? "export const handler" : "exports.handler"
        let source = """
            \(start)
            \(export) = async (event) => {
              const address = process.env.AWS_ENDPOINT_URL;
              const port = Number(new URL(address).port);
              \(body)
            };
            """
        let files = try HandlerFiles("index.handler", in: [file: source]) {
            $0.environment = ["AWS_ENDPOINT_URL": "http://127.0.0.1:\(services.port)"]
        }
        return (await files.value(), services.port)
    }

    @Test("sessions of HTTP/2 with the server carry requests, answers, events and what goes wrong")
    func sessions() async throws {
        let (value, port) = try await Self.value(
            """
            const { PassThrough } = require('node:stream');
            const results = [];
            results.push(await call(address, 'POST', '/model/a%3A0/converse?b=c', { ':authority': new URL(address).host, 'content-type': 'application/json', 'content-length': '2' }, '{}'));
            results.push(await call(address, 'GET', '/plain'));
            const events = await handler.handle(address, 'POST', '/events', {}, 'x');
            results.push([await whole(events.stream), events.stream.trailers['x-end']]);
            const many = await Promise.all(Array.from({ length: 20 }, (_, at) => call(address, 'POST', '/echo', {}, 'x' + at)));
            results.push(many.every(([status, text], at) => status === 200 && text === 'x' + at));
            const source = new PassThrough();
            source.write('one');
            const both = await handler.handle(address, 'POST', '/echo', {}, source);
            const pieces = both.stream[Symbol.asyncIterator]();
            results.push(String((await pieces.next()).value));
            source.end('two');
            results.push(String((await pieces.next()).value));
            const never = new PassThrough();
            never.write('x');
            results.push(await call(address, 'POST', '/early', {}, never));
            results.push(await call(address, 'GET', '/cut').catch((error) => error.code));
            results.push(await call(address, 'GET', '/hangs', {}, undefined, 50).catch((error) => error.message));
            const { headers } = await handler.handle(address, 'GET', '/plain');
            results.push([headers['x-a'], headers.connection ?? null, handler.sessions]);
            const alone = http2.connect(address);
            const last = alone.request({ ':path': '/plain' });
            alone.close();
            const closed = new Promise((resolve) => alone.once('close', resolve));
            await whole(last);
            await closed;
            try { alone.request({ ':path': '/' }); } catch (error) { results.push([alone.closed, alone.destroyed, error.code]); }
            results.push(await new Promise((resolve) => http2.connect('http://127.0.0.1:1').on('error', (error) => resolve(error.code))));
            return results;
            """, before: Self.client)
        let expected: [JSONValue] = [
            [200, .string(#"["POST","/model/a%3A0/converse?b=c","127.0.0.1:\#(port)","application/json","{}"]"#)],
            [200, .string(#"["GET","/plain","127.0.0.1:\#(port)",null,""]"#)], ["abc", "yes"], true, "one", "two",
            [403, "no"], "ECONNRESET", "timed out", ["1, 2", .null, 1], [true, true, "ERR_HTTP2_INVALID_SESSION"],
            "ECONNREFUSED",
        ]
        let results = try #require(value.array, "\(value)")
        #expect(results.count == expected.count)
        for (result, expected) in zip(results, expected) { #expect(result == expected) }
    }

    @Test(
        "modules reach the server by HTTP/2 too, under whatever name they import the call",
        arguments: ["index.mjs", "index.js"])
    func imported(file: String) async throws {
        let start =
            file == "index.mjs"
            ? "import { connect } from 'http2'; import * as all from 'node:http2'; import standard from 'node:http2';"
            : "const { connect } = require('http2'); const all = require('node:http2'), standard = all;"
        let (value, _) = try await Self.value(
            """
            const answers = [];
            for (const open of [connect, all.connect, standard.connect]) {
              const session = open(address);
              await new Promise((resolve) => session.once('connect', resolve));
              const stream = session.request({ ':path': '/events' });
              let text = '';
              for await (const piece of stream) text += piece;
              session.destroy();
              answers.push(text);
            }
            return answers;
            """, before: start, in: file)
        #expect(value == ["abc", "abc", "abc"])
    }

    @Test("calls by HTTPS of the server's address arrive there, with the host that was signed, and no others do")
    func secure() async throws {
        let (value, port) = try await Self.value(
            """
            const https = require('https');
            const ask = (...request) => new Promise((resolve) => {
              const asked = https.request(...request, (response) => {
                let text = '';
                response.on('data', (piece) => { text += piece }).on('end', () => resolve(JSON.parse(text).slice(0, 3)));
              });
              asked.on('error', (error) => resolve(error.code));
              asked.end('x');
            });
            class Request { method = 'POST'; path = '/proto'; headers = { host: '127.0.0.1' } }
            const fetched = async (...request) => (await (await fetch(...request)).json()).slice(0, 2);
            return [
              await ask(address + '/graphql', { method: 'POST' }),
              await ask(new URL(address + '/a?b=c'), { method: 'PUT', agent: new https.Agent() }),
              await ask({ hostname: '127.0.0.1', path: '/b', method: 'POST' }),
              await ask({ host: 'localhost', port: 443, path: '/c', method: 'POST' }),
              await ask({ hostname: '127.0.0.1', port, path: '/d', method: 'POST' }),
              await ask({ ...new Request(), host: '127.0.0.1' }),
              await new Promise((resolve) => https.get('https://127.0.0.1/e', (response) => resolve(response.statusCode))),
              await fetched('https://127.0.0.1/f', { method: 'POST', body: 'x' }),
              await fetched(new Request2(`https://localhost:${port}/g`, { method: 'PUT', body: 'x' })),
              await fetched(address + '/h'),
              await ask({ hostname: '127.0.0.1', port: 1, path: '/' }),
              (() => { try { https.request('http://example.com/'); } catch (error) { return error.code } })(),
            ];
            """, before: "const Request2 = globalThis.Request;")
        let bare = JSONValue("127.0.0.1")
        let full = JSONValue.string("127.0.0.1:\(port)")
        let expected: [JSONValue] = [
            ["POST", "/graphql", full], ["PUT", "/a?b=c", full], ["POST", "/b", bare], ["POST", "/c", "localhost"],
            ["POST", "/d", full], ["POST", "/proto", bare], 200, ["POST", "/f"], ["PUT", "/g"], ["GET", "/h"],
            "ECONNREFUSED", "ERR_INVALID_PROTOCOL",
        ]
        let results = try #require(value.array, "\(value)")
        #expect(results.count == expected.count)
        for (result, expected) in zip(results, expected) { #expect(result == expected) }
    }

    @Test(
        "a function that listens on a port gets a free one of this machine, and reaches itself by the one it asked for")
    func listens() async throws {
        let source = """
            const http = require('http'), net = require('net');
            const server = http.createServer((request, response) => response.end(process.pid + request.url));
            const listened = server.listen(\(Self.wanted)).address();
            const get = (where) => new Promise((resolve, reject) => http.get(where, (response) => {
              let text = '';
              response.on('data', (piece) => { text += piece }).on('end', () => resolve(text.replace(process.pid, 'own ')));
            }).on('error', reject));
            exports.handler = async (event) => {
              const second = http.createServer();
              const taken = await new Promise((resolve) => second.on('error', (error) => resolve(error.code)).listen(\(Self.wanted)));
              const other = net.createServer((socket) => socket.end('hi')).listen({ port: '\(Self.wanted + 1)', host: '0.0.0.0' });
              await new Promise((resolve) => other.once('listening', resolve));
              const said = await new Promise((resolve) => net.connect(\(Self.wanted + 1), 'localhost').on('data', (data) => resolve(String(data))));
              const { address } = other.address();
              await new Promise((resolve) => other.close(resolve));
              const gone = await new Promise((resolve) => net.connect(\(Self.wanted + 1)).on('error', (error) => resolve(error.code)));
              if (event.waits) await new Promise((resolve) => setTimeout(resolve, 200));
              return {
                answers: [
                  await get('http://localhost:\(Self.wanted)/a'), await get({ port: \(Self.wanted), path: '/b' }),
                  await get({ host: '127.0.0.1', port: server.address().port, path: '/c' }), await (await fetch('http://127.0.0.1:\(Self.wanted)/d')).text().then((text) => text.slice(-2)),
                ],
                address: listened.address, isOther: listened.port !== \(Self.wanted), taken, said, at: address, gone,
              };
            };
            """
        let files = try HandlerFiles("index.handler", in: ["index.js": source], concurrency: 2)
        let expected: JSONValue = [
            "answers": ["own /a", "own /b", "own /c", "/d"], "address": "127.0.0.1", "isOther": true,
            "taken": "EADDRINUSE", "said": "hi", "at": "127.0.0.1", "gone": "ECONNREFUSED",
        ]
        async let first = files.value(["waits": true])
        async let second = files.value(["waits": true])
        #expect(await first == expected)
        #expect(await second == expected)
        #expect(await files.value() == expected)
    }

    /// A port that nobody is asked for but by name: none of those that systems choose, which other tests' servers have.
    private static let wanted = 19_124

    @Test("a web server of the usual bridges answers, on a socket or on a port")
    func bridges() async throws {
        let files = try HandlerFiles(
            "index.handler",
            in: [
                "index.js": """
                const http = require('http');
                const app = http.createServer((request, response) => response.end('at ' + request.url));
                const ask = (options) => new Promise((resolve) => http.get({ ...options, path: '/x' }, (response) => {
                  let text = '';
                  response.on('data', (piece) => { text += piece }).on('end', () => resolve(text));
                }));
                const listening = (...how) => new Promise((resolve) => { const server = http.createServer((request, response) => response.end('at ' + request.url)); server.listen(...how, () => resolve(server)); });
                exports.handler = async () => {
                  const socket = await listening(require('os').tmpdir() + '/homeport-' + process.pid + '.sock');
                  const free = await listening();
                  const named = await listening('\(Self.wanted)', '127.0.0.1');
                  const answers = [await ask({ socketPath: socket.address() }), await ask({ port: free.address().port }), await ask({ port: \(Self.wanted) })];
                  for (const server of [socket, free, named]) await new Promise((resolve) => { server.closeAllConnections(); server.close(resolve); });
                  return answers;
                };
                """
            ])
        for _ in 0..<2 { #expect(await files.value() == ["at /x", "at /x", "at /x"]) }
    }
}
