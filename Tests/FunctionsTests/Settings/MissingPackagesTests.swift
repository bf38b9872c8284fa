import JSON
import TestSupport
import Testing

@testable import Functions

/// What a function's sources import, and what of it is not installed.
@Suite("Packages that functions import")
struct MissingPackagesTests {
    @Test(
        "imports are found in all their forms, and nowhere else",
        arguments: [
            ("import a from 'a';\nimport { b } from \"b\"\nimport * as c from 'c'\nimport 'd'", ["a", "b", "c", "d"]),
            ("export { a } from 'a'; export * from './b'", ["a", "./b"]),
            ("const a = require('a'), b = await import(`b`); require.resolve('c'); x.from('d')", ["a", "b"]),
            (
                "import type { A } from 'a'; export type { B } from 'b'; import type from 'c'; import { type D } from 'd'",
                ["c", "d"]
            ),
            ("import {\n  a,\n  b,\n} from\n  'a'", ["a"]),
            ("// import a from 'a'\n/* require('b') */ const c = \"import d from 'd'\"; require('e')", ["e"]),
            ("const p = /['\"]/; const q = x / y; require('a'); s.replace(/[/'\"]/g, ''); require('b')", ["a", "b"]),
            ("const t = `${a} import x from 'b'`; require('c')", ["c"]), ("require('a", ["a"]), ("'", []), ("/*", []),
            ("", []),
            ("from = 'a'; ({ from: 'b', import: 'c' }); require(name)", []),
        ])
    func imports(source: String, expected: [String]) {
        #expect(ImportScanner(Array(source.utf8)).specifiers == expected)
    }

    @Test("files that are named when they run only are all of the folder")
    func siblings() {
        for source in ["require(`./${name}`)", "import('./' + name)"] {
            #expect(ImportScanner(Array(source.utf8)).loadsSiblings)
        }
        #expect(!ImportScanner(Array("require(`${name}`); f(`./${x}`)".utf8)).loadsSiblings)
    }

    @Test(
        "a package is known by what is imported of it",
        arguments: [
            ("dayjs", "dayjs"), ("dayjs/plugin/utc", "dayjs"), ("@a/b", "@a/b"), ("@a/b/c", "@a/b"),
            ("lodash.get", "lodash.get"),
            ("fs", nil), ("fs/promises", nil), ("node:test", nil), ("./a", nil), ("/a", nil), ("@/lib", nil),
            ("@a", nil),
            ("~/x", nil), ("$amplify/env/x", nil), ("#inner", nil), ("", nil), ("https://x.y/z", nil),
        ] as [(String, String?)])
    func names(specifier: String, name: String?) {
        #expect(NodePackage.name(of: specifier) == name)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let files: [String: String]
        let names: [String]
        /// With `ROOT` for the folder of the files.
        let command: String
        var handler = "src/index.js"
        var testDescription: String { name }
    }

    static let rows = [
        Row(
            name: "nothing declares it", files: ["src/index.js": "require('a')"], names: ["a"], command: "npm install a"
        ),
        Row(
            name: "the project declares it, past a package.json that says its type alone",
            files: [
                "package.json": #"{"dependencies": {"a": "1", "react": "1"}}"#,
                "src/package.json": #"{"type": "module"}"#,
                "src/index.js": "import a from 'a'",
            ], names: ["a"], command: "npm install --prefix ROOT"),
        Row(
            name: "several, in other files too, some of the SDK",
            files: [
                "package.json": #"{"devDependencies": {"a": "1"}}"#,
                "src/index.js": "import './lib/b.js'; import { S3 } from '@aws-sdk/client-s3'; import 'a'",
                "src/lib/b.ts": "import b from 'b'; import { there } from 'there'",
                "node_modules/there/index.js": "", "sdk/node_modules/@aws-sdk/client-ssm/index.js": "",
            ], names: ["@aws-sdk/client-s3", "a", "b"],
            command: "npm install --prefix ROOT/sdk @aws-sdk/client-s3 && npm install --prefix ROOT b"),
        Row(
            name: "a trigger that loads its modules by name",
            files: [
                "src/index.js": "const m = process.env.MODULES.split(','); m.map((name) => require(`./${name}`))",
                "src/add-to-group.js": "const { C } = require('@aws-sdk/client-cognito-identity-provider')",
                "src/add-to-group.test.js": "require('jest')",
            ], names: ["@aws-sdk/client-cognito-identity-provider"],
            command: "npm install --prefix ROOT/sdk @aws-sdk/client-cognito-identity-provider"),
    ]

    private static func missing(_ row: Row) throws -> (missing: MissingPackages?, folder: TemporaryFolder) {
        let folder = TemporaryFolder()
        for (name, text) in row.files { try folder.write(text, to: name) }
        let place = HandlerPlace(file: "\(folder.path)/\(row.handler)", export: "handler", language: .node)
        return (MissingPackages(of: place, besides: folder.path + "/sdk", layers: [folder.path + "/layer"]), folder)
    }

    @Test("what is missing is named with one command that installs it where the project declares it", arguments: rows)
    func missing(row: Row) throws {
        let (missing, folder) = try Self.missing(row)
        #expect(missing?.names == row.names)
        #expect(missing?.command == row.command.replacing("ROOT", with: folder.path))
    }

    @Test("what is there in any of the places, is for types or is an alias is not missing")
    func there() throws {
        let (missing, _) = try Self.missing(
            Row(
                name: "",
                files: [
                    "package.json": #"{"devDependencies": {"@types/aws-lambda": "1", "@types/a__b": "1"}}"#,
                    "tsconfig.json": #"{ // paths"# + "\n"
                        + #""compilerOptions": {"paths": {"@lib/*": ["./lib/*"]}} }"#,
                    "src/index.js":
                        "import { Handler } from 'aws-lambda'; import { X } from '@a/b'; import '@lib/x'; import 'l'; import 'm'; import 'sdk'",
                    "layer/l/index.js": "", "node_modules/m/index.js": "", "sdk/node_modules/sdk/index.js": "",
                ], names: [], command: ""))
        #expect(missing == nil)
    }

    @Test("the types of Lambda's events are no package in TypeScript, also where nothing declares them")
    func eventTypes() throws {
        let source =
            "import { S3Handler } from 'aws-lambda'; import { z } from 'zod'; export const handler: S3Handler = z"
        for (file, names) in [("src/index.ts", ["zod"]), ("src/index.js", ["aws-lambda", "zod"])] {
            let row = Row(name: file, files: [file: source], names: names, command: "", handler: file)
            #expect(try Self.missing(row).0?.names == names)
        }
    }

    @Test("JSON that is imported is found wherever it lies")
    func data() throws {
        let folder = TemporaryFolder()
        try folder.write("import out from '../../outputs.json'; import x from './none.json'", to: "a/b/index.ts")
        try folder.write("{}", to: "outputs.json")
        #expect(ImportedFiles(of: folder.path + "/a/b/index.ts").data == [folder.path + "/outputs.json"])
    }

    @Test("no more is read than a bound")
    func bounds() throws {
        let folder = TemporaryFolder()
        for number in 0..<RuntimeLimits.importedFilesMax + 10 {
            try folder.write("import './f\(number + 1).js'; import 'p\(number)'", to: "f\(number).js")
        }
        let files = ImportedFiles(of: folder.path + "/f0.js")
        #expect(files.sources.count == RuntimeLimits.importedFilesMax)
    }
}
