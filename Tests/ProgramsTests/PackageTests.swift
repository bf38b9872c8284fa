import GraphQL
import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

/// Packages are not run. A program whose schema could depend on what one does is refused, or told.
@Suite("Packages and Node's modules in resource files")
struct PackageTests {
    private static func schema(
        _ statements: String, files: [String: String] = [:], environment: [String: String] = [:]
    ) -> TypeScriptSchema {
        let text = """
            import { a, defineData } from '@aws-amplify/backend';
            const groups = ['Admins', 'Everyone'];
            let group = 'Everyone';
            const models = { T: a.model({ x: a.id() }) };
            \(statements)
            export const data = defineData({
              schema: a.schema(models).authorization((allow) => [allow.groups(groups), allow.group(group)]),
            });
            """
        var project = Dictionary(files.map { ("amplify/\($0)", $1) }) { first, _ in first }
        project["amplify/data/resource.ts"] = text
        _ = try? readInProject(project, environment: environment)
        return read(text, files: files, environment: environment)
    }

    private static func groups(of schema: TypeScriptSchema) -> String {
        schema.document?.printed ?? schema.diagnostics.first?.description ?? ""
    }

    @Test(
        "a package that is given something of the program to call or change ends it, with its name",
        arguments: [
            (
                "import { each } from 'acme'; each(models, (model) => model.authorization((allow) => [allow.owner()]));",
                "each"
            ),
            ("import { pull } from 'acme'; pull(groups, 'Everyone');", "pull"),
            ("import { merge } from 'acme'; merge(models, { U: 1 });", "merge"),
            ("import { merge } from 'acme'; merge({ inner: models });", "merge"),
            ("import acme from 'acme'; acme.tap(models.T);", "import(\"acme\").tap"),
            ("import { GROUPS } from 'acme'; GROUPS.forEach((name) => groups.push(name));", "GROUPS.forEach"),
            ("import { Box } from 'acme'; new Box(groups);", "Box"),
            (
                "import { AsyncLocalStorage } from 'node:async_hooks'; new AsyncLocalStorage().run(1, () => groups.pop());",
                "run"
            ),
            ("import { load } from 'acme'; try { load(() => groups.pop()); } catch {}", "load"),
            ("import { load } from 'acme'; try { await load().then(() => groups.pop()); } catch {}", "load().then"),
        ])
    func given(statements: String, name: String) {
        let schema = Self.schema(statements)
        #expect(schema.document == nil)
        let message = schema.diagnostics.first?.message ?? ""
        #expect(message.contains(name) && message.contains("the package is not run here"), "\(schema.diagnostics)")
        #expect(schema.diagnostics.first?.location?.line == 5)
    }

    @Test(
        "what is written for a package alone, and what the CDK is given, ends nothing",
        arguments: [
            "import { log } from 'acme'; log('x', 1, { level: 'info', tags: ['a', { b: 1 }] });",
            "import { sql } from 'acme'; sql`select ${1}`;",
            "import { Logger } from 'acme'; new Logger({ level: 'info' });",
            "import acme from 'acme'; const shape = acme.object({ name: acme.string(), tags: acme.array(acme.string()) });",
            "import * as iam from 'aws-cdk-lib/aws-iam'; const list = ['a']; new iam.PolicyStatement({ actions: list });",
            "import { Lazy } from 'aws-cdk-lib'; Lazy.string({ produce: () => 'x' });",
            "import { x } from 'acme'; const y = x.z(/a/, new Date(0));",
            "import { z } from 'zod'; const fields = { a: z.string().refine((text) => text.length > 1) }; z.object(fields);",
        ])
    func harmless(statements: String) {
        let schema = Self.schema(statements)
        #expect(schema.document != nil, "\(schema.diagnostics)")
        #expect(schema.warnings.isEmpty)
    }

    @Test(
        "a value of a package that decides ends the program, whatever asks for it",
        arguments: [
            "if (mode === undefined) groups.pop();", "if (mode == null) groups.pop();",
            "if (null !== mode) groups.pop();",
            "if (['private'].includes(mode)) groups.pop();", "if ([mode].includes('private')) groups.pop();",
            "if (new Set(['private']).has(mode)) groups.pop();", "if (new Set([mode]).has('private')) groups.pop();",
            "group = new Map([['private', 'Admins']]).get(mode) ?? group;",
            "if (Object.is(mode, 'private')) groups.pop();",
            "if (Array.isArray(mode)) groups.pop();", "if ([mode].flat().length > 1) groups.pop();",
            "if (groups.concat(mode).length > 3) groups.pop();",
            "if ([1].flatMap(() => mode).length > 1) groups.pop();",
            "if (mode.a === mode.b) groups.pop();", "if (Number.isInteger(mode)) groups.pop();",
            "const map = Map.groupBy([1], () => mode); if (map.has('x')) groups.pop();",
            "switch (mode) { case undefined: groups.pop(); }",
        ])
    func decides(statement: String) {
        let schema = Self.schema("import { mode } from 'acme'; \(statement)")
        #expect(schema.document == nil)
        #expect(schema.diagnostics.first?.message.contains("of \"acme\"") == true, "\(schema.diagnostics)")
    }

    @Test("functions that the project defines are known to be there")
    func functions() {
        let schema = Self.schema(
            "import { defineFunction } from '@aws-amplify/backend'; const f = defineFunction(); "
                + "if (f === undefined || f == null || ![f].includes(f) || !new Set([f]).has(f)) groups.push('x');")
        #expect(Self.groups(of: schema).contains("[\"Admins\", \"Everyone\"]"), "\(schema.diagnostics)")
    }

    @Test("a package that is imported for what it does is told")
    func effects() {
        let schema = Self.schema("import 'acme/setup'; import 'aws-cdk-lib';")
        #expect(schema.document != nil)
        #expect(
            schema.warnings.map(\.message) == [
                "the package \"acme/setup\" is not run here, so what importing it does is missing"
            ])
        #expect(schema.warnings.first?.location?.line == 5)
    }

    @Test(
        "dotenv sets the variables of the project's .env that are not set",
        arguments: [
            ("import 'dotenv/config'; group = process.env.GROUP;", "Admins"),
            ("import dotenv from 'dotenv'; dotenv.config(); group = process.env.GROUP;", "Admins"),
            (
                "import { config } from 'dotenv'; const r = config({ path: 'other.env' }); group = r.parsed.GROUP;",
                "Other"
            ),
            (
                "import * as dotenv from 'dotenv'; dotenv.config({ path: ['other.env', '.env'] }); group = process.env.GROUP;",
                "Other"
            ),
            ("import 'dotenv/config'; group = process.env.STAGE;", "dev"),
            ("import { config } from 'dotenv'; config({ override: true }); group = process.env.STAGE;", "prod"),
            ("import 'dotenv/config'; group = process.env.QUOTED;", "a # b"),
            ("import 'dotenv/config'; group = process.env.LONG;", "one-two"),
            ("import 'dotenv/config'; group = process.env.BARE;", "x y"),
            ("import { config } from 'dotenv'; group = config({ path: 'none.env' }).error ? 'none' : 'some';", "none"),
            (
                "import { parse } from 'dotenv'; group = Object.entries(parse('A=1\\nexport B = 2\\n# C=3\\nD:  4')).join();",
                "A,1,B,2,D,4"
            ),
        ])
    func dotenv(statements: String, expected: String) {
        let schema = Self.schema(
            statements,
            files: [
                "/project/.env":
                    "# a line\nGROUP=Admins\nSTAGE=prod\nQUOTED=\"a # b\" # c\nLONG='one-two'\nBARE = x y  # z\n",
                "/project/other.env": "GROUP=Other\n",
            ], environment: ["STAGE": "dev"])
        #expect(Self.groups(of: schema).contains("[\"\(expected)\"]"), "\(Self.groups(of: schema))")
        #expect(schema.warnings.isEmpty)
    }

    @Test(
        "small modules of Node are run",
        arguments: [
            (
                "import assert from 'node:assert'; try { assert(false); } catch (error) { group = error.code; }",
                "ERR_ASSERTION"
            ),
            ("import assert from 'assert'; assert.doesNotThrow(() => { group = 'ran'; });", "ran"),
            (
                "import { strict as assert } from 'assert'; try { assert.equal(1, '1'); } catch { group = 'strict'; }",
                "strict"
            ),
            (
                "import assert from 'assert'; assert.deepStrictEqual({ a: [1] }, { a: [1] }); assert.throws(() => null.x, TypeError); group = 'same';",
                "same"
            ),
            (
                "import { EventEmitter } from 'node:events'; const e = new EventEmitter(); e.once('x', (v) => { group = v; }); e.emit('x', 'first'); e.emit('x', 'second');",
                "first"
            ),
            (
                "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); group = require('./groups.json').name;",
                "FromJSON"
            ),
        ])
    func modules(statements: String, expected: String) {
        let schema = Self.schema(statements, files: ["/project/data/groups.json": "{ \"name\": \"FromJSON\" }"])
        #expect(Self.groups(of: schema).contains("[\"\(expected)\"]"), "\(Self.groups(of: schema))")
    }

    @Test("an assertion that fails ends the program at the line of the call")
    func failing() {
        let schema = Self.schema(
            "import assert from 'node:assert';\nassert(process.env.MISSING, 'MISSING is not set');")
        #expect(schema.diagnostics.first?.message.contains("MISSING is not set") == true, "\(schema.diagnostics)")
        #expect(schema.diagnostics.first?.location?.line == 6)
        #expect(
            Self.schema("import { createRequire } from 'module'; createRequire(import.meta.url)('./x.cjs');")
                .diagnostics
                .first?.message.contains("only .json files") == true)
    }

    @Test(
        "a name that Node has and that is not here ends the program, and no catch sees it",
        arguments: [
            ("try { group = `${Buffer.allocUnsafe(1)}`; } catch {}", "Buffer.allocUnsafe"),
            ("try { Buffer.from('a').fill(1); } catch {}", "Buffer.prototype.fill"),
            ("import { scryptSync } from 'crypto'; try { group = scryptSync('a', 'b', 8); } catch {}", "scryptSync()"),
            ("group = typeof Intl === 'undefined' ? 'a' : 'b';", "Intl"),
            ("group = globalThis.WeakMap?.name ?? 'a';", "WeakMap"), ("group = typeof setTimeout;", "setTimeout"),
            ("if (process.version > 'v18') group = 'a';", "process.version"),
            ("try { process.exit(0); } catch {}", "process.exit()"),
            ("import fs from 'node:fs'; try { group = fs.realpathSync('.'); } catch {}", "realpathSync()"),
            ("import * as fs from 'node:fs'; try { group = fs.writeFileSync('x', 'y'); } catch {}", "writeFileSync()"),
        ])
    func missing(statements: String, name: String) {
        let schema = Self.schema(statements)
        #expect(schema.document == nil)
        #expect(schema.diagnostics.first?.message.contains("\(name)") == true, "\(schema.diagnostics)")
        #expect(schema.diagnostics.first?.message.contains("Node.js has it") == true)
        #expect(schema.diagnostics.first?.location?.line == 5)
    }

    @Test(
        "bytes, digests and random names are made as in Node",
        arguments: [
            ("group = Buffer.from('QWRtaW5z', 'base64').toString();", "Admins"),
            ("group = Buffer.from('é').toString('hex');", "c3a9"),
            ("group = `${Buffer.concat([Buffer.from('a'), Buffer.alloc(2, 66)])}`;", "aBB"),
            ("group = typeof Buffer + Array.isArray(Buffer.from('a'));", "functionfalse"),
            ("import { Buffer as B } from 'node:buffer'; group = B.from([0xff, 0xfe]).toString('base64url');", "__4"),
            (
                "import { createHash } from 'node:crypto'; group = createHash('sha256').update('abc').digest('hex').slice(0, 8);",
                "ba7816bf"
            ),
            (
                "import crypto from 'crypto'; group = crypto.createHash('md5').update('a').update('bc').digest('base64');",
                "kAFQmDzST7DWlj99KOF/cg=="
            ),
            (
                "import { createHmac } from 'crypto'; group = createHmac('sha1', 'key').update('The quick brown fox jumps over the lazy dog').digest('hex');",
                "de7c9b85b8b78aa6bc8a7a36f70a90701c9db4d9"
            ),
            ("import { randomBytes } from 'crypto'; group = `n${randomBytes(16).toString('hex').length}`;", "n32"),
            ("import { randomUUID } from 'node:crypto'; group = `n${randomUUID().length}`;", "n36"),
        ])
    func bytes(statements: String, group: String) {
        let schema = Self.schema(statements)
        #expect(Self.groups(of: schema).contains("\"\(group)\""), "\(schema.diagnostics)")
    }

    @Test("names that a module has or has not in Node are as they are there")
    func absent() {
        let schema = Self.schema(
            "group = [typeof require, typeof __dirname, typeof window, 'Proxy' in globalThis, 'window' in globalThis].join('-');"
        )
        #expect(
            Self.groups(of: schema).contains("function-string-undefined-true-false"), "\(Self.groups(of: schema))")
    }

    @Test(
        "what is put into process.env becomes a text",
        arguments: [
            ("process.env.LIMIT = 0; group = process.env.LIMIT ? 'set' : 'unset';", "set"),
            ("Object.assign(process.env, { LIMIT: false }); group = process.env.LIMIT ? 'set' : 'unset';", "set"),
            ("process.env.LIMIT = undefined; group = process.env.LIMIT ?? 'none';", "undefined"),
            (
                "Object.defineProperty(process.env, 'LIMIT', { value: 5, writable: true, enumerable: true, configurable: true }); group = typeof process.env.LIMIT;",
                "string"
            ),
            ("process.env.LIMIT ??= ['a', 'b']; group = process.env.LIMIT;", "a,b"),
            ("process.env.LIMIT = 'x'; delete process.env.LIMIT; group = String('LIMIT' in process.env);", "false"),
        ])
    func environment(statements: String, expected: String) {
        let schema = Self.schema(statements)
        #expect(Self.groups(of: schema).contains("[\"\(expected)\"]"), "\(Self.groups(of: schema))")
    }

    @Test(
        "what Amplify keeps inside of builders is not there, and asking for it ends the program",
        arguments: [
            "if (models.T.data.fields) groups.pop();", "if ('fields' in models.T.data) groups.pop();",
            "for (const key in models.T.data) groups.pop();", "if (JSON.stringify(a.string()) !== '{}') groups.pop();",
            "try { Object.assign({}, models.T.data); } catch {}",
            "if (Object.hasOwn(a.schema(models), 'data')) groups.pop();",
            "if (Object.keys(a.enum(['A'])).length) groups.pop();", "const copy = { ...a.schema(models) };",
            "models.T.authorization((allow) => [{ ...allow.owner() }]);",
        ])
    func builders(statement: String) {
        let schema = Self.schema(statement)
        #expect(schema.document == nil)
        #expect(schema.diagnostics.first?.message.contains("is looked into") == true, "\(schema.diagnostics)")
    }

    @Test(
        "fields, models, references and operations can be listed, and copies share what they are made of",
        arguments: [
            ("group = Object.keys(a.string()).join('-');", "required-array-default-authorization-validate-data"),
            ("group = String('data' in models.T && 'fields' in models.T);", "true"),
            ("const keys = []; for (const key in a.customType({})) keys.push(key); group = keys.join();", "data"),
            ("const { required } = models.T.fields.x = a.string(); group = String(required());", "undefined"),
        ])
    func listed(statements: String, expected: String) {
        let schema = Self.schema(statements)
        #expect(Self.groups(of: schema).contains("[\"\(expected)\"]"), "\(Self.groups(of: schema))")
    }

    @Test("a modifier changes the builder that it was taken from, and a copy of a builder is one with the same data")
    func copies() {
        let printed = Self.groups(
            of: Self.schema(
                """
                const x = a.string(), copy = { ...x }, assigned = Object.assign({}, a.integer());
                copy.required();
                models.T = { ...a.model({ x, copy, assigned }) };
                const other = a.model({ x: a.id() });
                const given = models.T.authorization.call(other, (allow) => [allow.owner()]);
                models.Other = given;
                """))
        #expect(printed.contains("x: String!") && printed.contains("copy: String!"), "\(printed)")
        #expect(printed.contains("assigned: Int"))
        #expect(printed.contains("type T @model @auth(rules: [{allow: owner"), "\(printed)")
        #expect(printed.contains("type Other @model @auth(rules: [{allow: groups"), "\(printed)")
    }

    @Test(
        "small parts of Node's global object are there",
        arguments: [
            ("group = atob('QWRtaW5z');", "Admins"), ("group = btoa('Staff!');", "U3RhZmYh"),
            ("group = Reflect.ownKeys({ a: 1, b: 2 }).join();", "a,b"),
            ("group = Reflect.has({ x: 1 }, 'x') && Reflect.get({ x: 'got' }, 'x');", "got"),
            ("group = Reflect.construct(Array, [1, 2]).length + Reflect.apply(Math.max, null, [3, 4]) + '';", "6"),
            ("queueMicrotask(() => { group = 'later'; }); await null;", "later"),
            ("group = String(global === globalThis);", "true"),
        ])
    func globals(statements: String, expected: String) {
        let schema = Self.schema(statements)
        #expect(Self.groups(of: schema).contains("[\"\(expected)\"]"), "\(Self.groups(of: schema))")
    }

    @Test("what programs put on builders of their own stays there, and their methods are found")
    func members() {
        let schema = Self.schema(
            "models.T.note = 'Noted'; if ('authorization' in models.T && await models.T === models.T) group = models.T.note; console.log(models.T);"
        )
        #expect(Self.groups(of: schema).contains("[\"Noted\"]"), "\(Self.groups(of: schema))")
    }

    @Test("importing a file that is not there fails, as in Node")
    func files() {
        let schema = Self.schema(
            "group = await import('./not-there').then(() => 'there', (error) => error.code);")
        #expect(Self.groups(of: schema).contains("ERR_MODULE_NOT_FOUND"), "\(Self.groups(of: schema))")
        let outside = Self.schema("import fs from 'fs'; if (!fs.existsSync('/proc')) groups.pop();")
        #expect(outside.diagnostics.first?.message.contains("/proc lies outside of the project") == true)
    }
}
