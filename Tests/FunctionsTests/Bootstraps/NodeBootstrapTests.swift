import Foundation
import JSON
import TestSupport
import Testing

@testable import Functions

/// A program that tests need and a machine may not have.
struct Interpreter {
    let name: String

    var path: String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
            .first { access($0, X_OK) == 0 }
    }

    static let node = Interpreter(name: "node")
    static let python = Interpreter(name: "python3")
}

/// Handlers in files of a test, run by our own runtimes.
struct HandlerFiles {
    let test: TestFunctions
    let folder: TemporaryFolder

    init(
        _ handler: String, in files: [String: String], concurrency: Int = 1,
        _ change: (inout FunctionSettings) -> Void = { _ in }
    ) throws {
        let folder = TemporaryFolder()
        self.folder = folder
        for (name, text) in files { try folder.write(text, to: name) }
        let place = try HandlerPlace(folder.path + "/" + handler) { FileManager.default.fileExists(atPath: $0) }
        var function = FunctionSettings(
            name: "test", .handler(place), folder: place.folder, handler: place.told)
        function.timeoutSeconds = 60
        function.concurrency = concurrency
        change(&function)
        test = try TestFunctions([function], keeping: folder)
    }

    func value(_ event: JSONValue = [:]) async -> JSONValue { await test.value(event) }
}

@Suite("Our runtime for Node", .enabled(if: Interpreter.node.path != nil, "there is no node on this machine"))
struct NodeBootstrapTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let file: String
        let source: String
        let result: JSONValue
        var testDescription: String { name }

        init(_ name: String, in file: String = "index.js", _ source: String, _ result: JSONValue) {
            self.name = name
            self.file = file
            self.source = source
            self.result = result
        }
    }

    static let rows: [Row] = [
        Row("an async handler", "exports.handler = async (event) => ({ got: event.a })", ["got": 1]),
        Row("a module", in: "index.mjs", "export const handler = async (event) => event.a + 1", 2),
        Row("a module by its syntax", "export const handler = async (event) => event.a + 2", 3),
        Row("a callback", "exports.handler = (event, context, done) => setTimeout(() => done(null, event.a), 1)", 1),
        Row(
            "a callback that does not wait for what is open",
            "exports.handler = (event, context, done) => { context.callbackWaitsForEmptyEventLoop = false; setInterval(() => {}, 1e6); done(null, 'x') }",
            "x"),
        Row("the context's own way", "exports.handler = (event, context) => { context.succeed(event.a) }", 1),
        Row("the context's older way", "exports.handler = (event, context) => { context.done(null, event.a) }", 1),
        Row(
            "an error of the context's older way", "exports.handler = (event, context) => context.done('no')",
            ["errorType": "string", "errorMessage": "no", "trace": []]),
        Row(
            "a web server of its own, as aws-serverless-express has one",
            """
            const http = require('http');
            const place = require('os').tmpdir() + '/server-' + process.pid + '.sock';
            const server = http.createServer((request, response) => response.end('at ' + request.url));
            exports.handler = (event, context) => {
              const ask = () => http.get({ socketPath: place, path: '/a' }, (response) => {
                let body = '';
                response.on('data', (piece) => { body += piece });
                response.on('end', () => context.succeed({ statusCode: response.statusCode, body }));
              });
              server.listening ? ask() : server.listen(place, ask);
              return server;
            };
            """, ["statusCode": 200, "body": "at /a"]),
        Row(
            "variables by the name that Amplify gives them, in CommonJS",
            "const { env } = require('$amplify/env/say-hello'); exports.handler = async () => env.AWS_LAMBDA_FUNCTION_NAME",
            "test"),
        Row("nothing at all", "exports.handler = () => {}", .null),
        Row("undefined", "exports.handler = async () => undefined", .null),
        Row(
            "the context",
            """
            exports.handler = async (event, context) => ({
              name: context.functionName, memory: context.memoryLimitInMB, arn: context.invokedFunctionArn,
              version: context.functionVersion, group: context.logGroupName, id: context.awsRequestId.length,
              time: context.getRemainingTimeInMillis() > 0, waits: context.callbackWaitsForEmptyEventLoop,
              trace: process.env._X_AMZN_TRACE_ID.startsWith('Root=1-') })
            """,
            [
                "name": "test", "memory": "512", "arn": "arn:aws:lambda:us-east-1:123456789012:function:test",
                "version": "$LATEST", "group": "/aws/lambda/test", "id": 36, "time": true, "waits": true, "trace": true,
            ]),
        Row(
            "variables by the name that Amplify gives them", in: "index.mjs",
            "import { env } from '$amplify/env/say-hello'; export const handler = async () => env.AWS_LAMBDA_FUNCTION_NAME",
            "test"),
        Row(
            "an error with its trace",
            "exports.handler = async () => { const e = new RangeError('no'); e.stack = 'S\\n at x'; throw e }",
            ["errorType": "RangeError", "errorMessage": "no", "trace": ["S", " at x"]]),
        Row(
            "an error by callback", "exports.handler = (e, c, done) => done('text')",
            ["errorType": "string", "errorMessage": "text", "trace": []]),
        Row(
            "an error of the context", "exports.handler = (e, c) => c.fail()",
            ["errorType": "string", "errorMessage": "handled", "trace": []]),
        Row(
            "a stream",
            """
            exports.handler = awslambda.streamifyResponse(async (event, stream) => {
              stream.write('"a'); stream.write('b"'); stream.end() })
            """, "ab"),
        Row(
            "a stream that fails halfway",
            """
            exports.handler = awslambda.streamifyResponse(async (event, stream) => {
              stream.write('a'); const e = new Error('half'); e.stack = 'S'; throw e })
            """, ["errorType": "Error", "errorMessage": "half", "trace": ["S"]]),
    ]

    @Test("a handler is called and answers, whatever its way", arguments: rows)
    func answers(row: Row) async throws {
        let files = try HandlerFiles("\(row.file.split(separator: ".")[0]).handler", in: [row.file: row.source])
        // Twice: what the first call leaves behind does not hold up the second.
        for _ in 0..<2 { #expect(await files.value(["a": 1]) == row.result) }
    }

    @Test(
        "what cannot be loaded says why, and is tried again",
        arguments: [
            ("exports.other = 1", "Runtime.HandlerNotFound", "index.handler is undefined or not exported"),
            ("exports.handler = (", "Runtime.UserCodeSyntaxError", "SyntaxError: "),
            (
                "require('no-such-thing')", "Runtime.ImportModuleError",
                "Error: Cannot find module 'no-such-thing' (the server's log says how to install it)"
            ),
            ("require('./lib/none')", "Runtime.ImportModuleError", "Error: Cannot find module './lib/none'"),
            (
                "import './lib/none.js'; export const handler = 1;", "Runtime.ImportModuleError",
                "Error: Cannot find module 'lib/none.js'"
            ),
            ("throw new TypeError('early')", "TypeError", "early"),
        ])
    func fails(source: String, type: String, message: String) async throws {
        let files = try HandlerFiles("index.handler", in: ["index.js": source])
        for _ in 0..<2 {
            let error = await files.value()
            #expect(error["errorType"]?.string == type)
            #expect(error["errorMessage"]?.string?.contains(message) == true, "\(error)")
        }
    }

    struct Lack: Sendable, CustomTestStringConvertible {
        let name: String
        let files: [String: String]
        /// With `ROOT` for the folder of the files and `SDK` for that of the SDK.
        let command: String
        var testDescription: String { name }
    }

    static let lacks = [
        Lack(
            name: "a package that nothing declares", files: ["src/index.js": "require('no-such-thing')"],
            command: "npm install no-such-thing"),
        Lack(
            name: "a part of the SDK, with the rest of it",
            files: ["src/index.js": "require('@aws-sdk/client-ssm'); require('@aws-sdk/lib-dynamodb/dist')"],
            command: "npm install --prefix SDK @aws-sdk/client-ssm @aws-sdk/lib-dynamodb"),
        Lack(
            name: "version 2 of the SDK", files: ["src/index.js": "require('aws-sdk/clients/s3')"],
            command: "npm install --prefix SDK aws-sdk"),
        Lack(
            name: "what the project declares, past a package.json that says its type alone",
            files: [
                "package.json": #"{"dependencies": {"dayjs": "1"}}"#, "src/package.json": #"{"type": "commonjs"}"#,
                "src/index.js": "require('dayjs')",
            ], command: "npm install --prefix ROOT"),
        Lack(
            name: "all that is missing, of other files too",
            files: [
                "package.json": #"{"dependencies": {"dayjs": "1"}, "devDependencies": {"@types/typed": "1"}}"#,
                "src/index.js": "require('./lib/other'); require('node:fs'); require('dayjs')",
                "src/lib/other.js": "require('fs/promises'); require('@a/b/c'); require('typed'); require('x')",
            ], command: "npm install --prefix ROOT @a/b x"),
        Lack(
            name: "of a file whose name is known when it runs only",
            files: [
                "src/package.json": #"{"dependencies": {"there": "1"}}"#,
                "src/index.js": "for (const name of ['custom']) require(`./${name}`)",
                "src/custom.js": "require('none'); require('@aws-sdk/client-ssm')",
                "src/custom.test.js": "require('jest')",
            ], command: "npm install --prefix ROOT/src none && npm install --prefix SDK @aws-sdk/client-ssm"),
        Lack(
            name: "a bundler, of those who use Amplify's packages",
            files: [
                "package.json": #"{"devDependencies": {"@aws-amplify/backend": "1"}}"#,
                "amplify/package.json": #"{"type": "module"}"#, "src/index.ts": "import x from 'none';",
            ], command: "npm install --prefix ROOT"),
    ]

    @Test("the log says what installs all that a function lacks, and the client learns of no folder", arguments: lacks)
    func remedy(row: Lack) async throws {
        let handler = row.files.keys.contains("src/index.ts") ? "src/index.ts" : "src/index.handler"
        guard !handler.hasSuffix(".ts") || !Self.readsTypes else { return }
        let files = try HandlerFiles(handler, in: row.files)
        let error = await files.value()
        #expect(error["errorMessage"]?.string?.contains(files.folder.path) == false, "\(error)")
        #expect(error["errorMessage"]?.string?.contains("runtimes") == false, "\(error)")
        let command = row.command.replacing("ROOT", with: files.folder.path)
            .replacing("SDK", with: files.test.folder.path + "/runtimes/sdk")
        #expect(files.test.lines.contains { $0.contains(#""remedy":"\#(command)""#) }, "\(files.test.lines)")
    }

    @Test("what nobody catches ends the process, and its words are told")
    func uncaught() async throws {
        let files = try HandlerFiles(
            "index.handler",
            in: [
                "index.js":
                    "exports.handler = () => new Promise(() => setTimeout(() => { throw new Error('late') }, 1))"
            ])
        for _ in 0..<2 { #expect(await files.value()["errorMessage"] == "late") }
        let rejected = try HandlerFiles(
            "index.handler",
            in: ["index.js": "exports.handler = () => new Promise(() => { Promise.reject(new Error('unseen')) })"])
        #expect(await rejected.value()["errorType"] == "Runtime.UnhandledPromiseRejection")
        let nothing = try HandlerFiles(
            "index.handler", in: ["index.js": "exports.handler = () => new Promise(() => {})"])
        #expect(await nothing.value()["errorType"] == "Runtime.NodeJsExit")
        let exit = try HandlerFiles("index.handler", in: ["index.js": "exports.handler = async () => process.exit(4)"])
        #expect(await exit.value()["errorType"] == "Runtime.ExitError")
    }

    @Test("what is written has Lambda's form")
    func output() async throws {
        let files = try HandlerFiles(
            "index.handler", in: ["index.js": "exports.handler = async () => { console.warn('one %d', 2); return 1 }"])
        let answer = await files.test.answer([:])
        #expect(files.test.lines.contains { $0.hasSuffix("\t\(answer.id)\tWARN\tone 2") })
    }

    @Test(
        "the SDK is there without being declared, in the function's folder before all and in ours behind all",
        arguments: [
            ("index.js", "const sdk = require('@aws-sdk/x'); exports.handler = async () => sdk.name"),
            ("index.mjs", "import sdk from '@aws-sdk/x'; export const handler = async () => sdk.name"),
        ])
    func firstSDK(file: String, source: String) async throws {
        let files = try HandlerFiles("index.handler", in: [file: source])
        try files.test.folder.write("exports.name = 'ours'", to: "runtimes/sdk/node_modules/@aws-sdk/x/index.js")
        #expect(await files.value() == "ours")
        try files.folder.write("exports.name = 'own'", to: "node_modules/@aws-sdk/x/index.js")
        files.test.functions.renew()
        #expect(await files.value() == "own")
    }

    /// Stand-ins for the packages of a project: small programs of the same interface.
    private static let esbuild = """
        exports.build = async (options) => {
          const fs = require('fs');
          if (!options.bundle || options.format !== 'esm' || !options.external.includes('*.node')) throw new Error('options');
          const source = fs.readFileSync(options.entryPoints[0], 'utf8').replace(/: string/g, '');
          if (source.includes('BROKEN')) {
            throw Object.assign(new Error('x'), { errors: [{ text: 'Unexpected "x"', location: { file: 'handler.ts', line: 3, column: 1 } }] });
          }
          return { outputFiles: [{ text: options.banner.js + source }] };
        }
        """

    @Test("TypeScript is put together by the project's esbuild, and where there is none, what installs it is said")
    func typeScript() async throws {
        let source =
            "const name: string = 'x'; export const handler = async () => [name, __filename.endsWith('handler.ts'), typeof require];"
        let package = ["package.json": "{}", "handler.ts": source]
        let files = try HandlerFiles(
            "handler.ts", in: package.merging(["node_modules/esbuild/index.js": Self.esbuild]) { $1 })
        #expect(await files.value() == ["x", true, "function"])
        let broken = try HandlerFiles(
            "handler.ts", in: ["handler.ts": "BROKEN", "node_modules/esbuild/index.js": Self.esbuild])
        #expect(
            await broken.value()
                == [
                    "errorType": "Runtime.UserCodeSyntaxError", "errorMessage": "handler.ts:3:2: Unexpected \"x\"",
                    "trace": [""],
                ])
    }

    /// A bundler that leaves the first line out, and says by a source map where the others come from.
    private static let mappingBundler = """
        const fs = require('fs');
        const path = require('path');
        exports.build = async (options) => {
          const lines = fs.readFileSync(options.entryPoints[0], 'utf8').split('\\n').slice(1);
          const output = path.resolve(options.absWorkingDir, options.outfile);
          const map = {
            version: 3, names: [], mappings: ';AACA'.repeat(lines.length), sourceRoot: options.sourceRoot,
            sources: [path.relative(path.dirname(output), options.entryPoints[0])],
          };
          const inline = Buffer.from(JSON.stringify(map)).toString('base64');
          return { outputFiles: [{ text: [options.banner.js, ...lines, '//# sourceMappingURL=data:application/json;base64,' + inline].join('\\n') }] };
        };
        """

    @Test("a trace names the file and the line of the project, whatever was put together of it")
    func traces() async throws {
        let source = "// The first line.\nexport const handler = async () => { throw new Error('no'); };\n"
        let files = try HandlerFiles(
            "my app/handler.ts",
            in: ["my app/handler.ts": source, "node_modules/esbuild/index.js": Self.mappingBundler])
        let trace = await files.value()["trace"]?.array?.compactMap(\.string) ?? []
        #expect(trace.contains { $0.contains("\(files.folder.path)/my app/handler.ts:2:") }, "\(trace)")
    }

    @Test("a module imports JSON, and others without their ending, as when it is put together")
    func imports() async throws {
        let files = try HandlerFiles(
            "index.handler",
            in: [
                "index.mjs": """
                import list from './list.json';
                import { twice } from './lib';
                export const handler = async () => twice(list.length);
                """, "list.json": "[1, 2]", "lib/index.js": "export const twice = (x) => 2 * x",
                "package.json": #"{"type": "module"}"#,
            ])
        #expect(await files.value() == 4)
    }

    private static let readsTypes =
        Interpreter.node.path.map { path in
            let check = Process()
            check.executableURL = URL(fileURLWithPath: path)
            check.arguments = ["-e", "process.exit(require('module').stripTypeScriptTypes ? 0 : 1)"]
            guard (try? check.run()) != nil else { return false }
            check.waitUntilExit()
            return check.terminationStatus == 0
        } ?? false

    @Test(
        "TypeScript is read by a node that can, with all that has to be made of it, and the paths of the project",
        .enabled(if: readsTypes, "this node does not read TypeScript"))
    func readTypes() async throws {
        let files = try HandlerFiles(
            "src/handler.ts",
            in: [
                "src/handler.ts": """
                import { Kind, type Other } from '@lib/kinds.js';
                import { Shape } from '@lib/kinds';
                import type { Handler } from 'aws-lambda';
                import { env } from '$amplify/env/x';
                enum Color { Red = 'red' }
                class Point { constructor(private readonly x: number) {} get twice(): number { return this.x * 2; } }
                export const handler: Handler<Shape> = async (event: Other) => [Kind.One, Color.Red, new Point(2).twice, typeof env];
                """,
                "lib/kinds.ts":
                    "export enum Kind { One = 1 }\nexport interface Shape { a: string }\nexport type Other = Shape;",
                "tsconfig.json": """
                { // as the CLI writes it
                  "compilerOptions": { "paths": { "@lib/*": ["./lib/*"], /* one more */ "$amplify/*": ["../.amplify/generated/*"], }, }, }
                """,
            ])
        #expect(await files.value() == [1, "red", 4, "object"])
        let decorated = try HandlerFiles(
            "handler.ts", in: ["handler.ts": "@x class A {}\nexport const handler = async () => 1;"])
        #expect(await decorated.value()["errorMessage"]?.string?.contains("says how to install it") == true)
        #expect(decorated.test.lines.contains { $0.contains("npm install --save-dev esbuild") })
    }

    /// A bundler that follows imports of whole lines, with plugins, as far as those of a handler go.
    private static let pluggedBundler = """
        const fs = require('fs');
        exports.build = async (options) => {
          const resolvers = [], loaders = [];
          for (const plugin of options.plugins) {
            plugin.setup({ onResolve: (filter, run) => resolvers.push([filter, run]), onLoad: (filter, run) => loaders.push([filter, run]) });
          }
          const resolve = (path, namespace, kind) => resolvers.filter(([{ filter }]) => filter.test(path)).map(([, run]) => run({ path, namespace, kind }))[0];
          const text = fs.readFileSync(options.entryPoints[0], 'utf8').replace(/^import (.*) from '(.*)';$/gm, (all, names, path) => {
            const found = resolve(path, 'file', 'import-statement');
            if (!found || found.external) return all;
            const { contents } = loaders.find(([{ namespace }]) => namespace === found.namespace)[1](found);
            const inner = /require\\("(.*)"\\)/.exec(contents)?.[1];
            if (inner && !resolve(inner, found.namespace, 'require-call').external) throw new Error('not outside');
            const value = `(() => { const module = {}; ${contents}; return module.exports })()`;
            return names.startsWith('*') ? `const ${names.slice(5)} = ${value};` : `const ${names.replace(' as ', ': ')} = ${value};`;
          });
          return { outputFiles: [{ text: options.banner.js + text }] };
        };
        """

    @Test(
        "version 2 of the SDK gives TypeScript its names and the whole of it",
        arguments: [
            "import { Lambda as L, DynamoDB } from 'aws-sdk';\nconst AWS = { Lambda: L, DynamoDB };",
            "import * as AWS from 'aws-sdk';", "import AWS from 'aws-sdk';",
        ])
    func namesOfSecondSDK(imports: String) async throws {
        let sdk = """
            const config = { update(values) { Object.assign(config, values) } };
            const AWS = module.exports = {}; AWS.config = config;
            Object.assign(AWS, { Lambda: class { at = config.endpoint }, DynamoDB: { DocumentClient: class { at = config.endpoint } } });
            """
        let source = """
            \(imports)
            export const handler = async () => [new AWS.Lambda().at, new AWS.DynamoDB.DocumentClient().at];
            """
        let parts = ["handler.ts": source, "node_modules/aws-sdk/index.js": sdk]
        let endpoint: (inout FunctionSettings) -> Void = { $0.environment = ["AWS_ENDPOINT_URL": "http://127.0.0.1:1"] }
        let bundled = try HandlerFiles(
            "handler.ts", in: parts.merging(["node_modules/esbuild/index.js": Self.pluggedBundler]) { $1 }, endpoint)
        #expect(await bundled.value() == ["http://127.0.0.1:1", "http://127.0.0.1:1"])
        guard Self.readsTypes else { return }
        let read = try HandlerFiles("handler.ts", in: parts, endpoint)
        #expect(await read.value() == ["http://127.0.0.1:1", "http://127.0.0.1:1"])
    }

    @Test(
        "JavaScript of a project that Amplify bundles may mix modules and CommonJS, and has its variables",
        arguments: ["index.js", "index.mjs"], [nil, "module"])
    func mixed(file: String, type: String?) async throws {
        var parts = [
            "amplify/backend.ts": "",
            "amplify/fn/\(file)": """
            import { env } from '$amplify/env/fn';
            import { twice } from './lib';
            const { basename } = require('path');
            export const handler = async () => [basename(__filename), basename(__dirname), twice(env.N), require('./old.cjs')];
            """, "amplify/fn/lib.js": "export const twice = (x) => 2 * x;",
            "amplify/fn/old.cjs": "module.exports = 'old'",
        ]
        if let type { parts["amplify/package.json"] = #"{"type": "\#(type)"}"# }
        let files = try HandlerFiles("amplify/fn/\(file)", in: parts) { $0.environment = ["N": "3"] }
        #expect(await files.value() == [.string(file), "fn", 6, "old"])
    }

    @Test("version 2 of the SDK is told where services are")
    func secondSDK() async throws {
        let sdk = """
            const config = { update(values) { Object.assign(config, values) } };
            module.exports = { config };
            """
        let source =
            "const AWS = require('aws-sdk'); exports.handler = async () => [AWS.config.endpoint, AWS.config.s3ForcePathStyle]"
        let files = try HandlerFiles(
            "index.handler", in: ["index.js": source, "node_modules/aws-sdk/index.js": sdk]
        ) { $0.environment = ["AWS_ENDPOINT_URL": "http://127.0.0.1:1"] }
        #expect(await files.value() == ["http://127.0.0.1:1", true])
        let module = try HandlerFiles(
            "index.mjs",
            in: [
                "index.mjs": "import AWS from 'aws-sdk'; export const handler = async () => AWS.config.endpoint",
                "node_modules/aws-sdk/index.js": sdk,
            ]
        ) { $0.environment = ["AWS_ENDPOINT_URL": "http://127.0.0.1:1"] }
        #expect(await module.value() == "http://127.0.0.1:1")
        // What the handler imports may be what imports it.
        let inside = try HandlerFiles(
            "index.mjs",
            in: [
                "index.mjs": "import at from './inside.mjs'; export const handler = async () => at()",
                "inside.mjs": "import AWS from 'aws-sdk'; export default () => AWS.config.endpoint",
                "package.json": #"{"dependencies": {"aws-sdk": "2"}}"#, "node_modules/aws-sdk/index.js": sdk,
            ]
        ) { $0.environment = ["AWS_ENDPOINT_URL": "http://127.0.0.1:1"] }
        #expect(await inside.value() == "http://127.0.0.1:1")
    }
}
