import GraphQL
import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

/// Which files the modules are that programs import, and what their default exports are.
@Suite("Modules of resource files")
struct ModuleTests {
    /// What an enum has for its only value, which the program takes from what it imports.
    private static func value(_ imports: String, _ files: [String: String]) -> String {
        let text = """
            import { a, defineData } from '@aws-amplify/backend';
            \(imports)
            export const data = defineData({ schema: a.schema({ E: a.enum([value]) }) });
            """
        let all = files.merging(["/app/amplify/data/resource.ts": text]) { first, _ in first }
        let schema = TypeScriptSchema.read(
            "/app/amplify/data/resource.ts", Array(text.utf8), in: ProgramSurroundings(all))
        guard case .type(.enum(let list))? = schema.document?.definitions.first else {
            return schema.diagnostics.first?.message ?? ""
        }
        return list.values.map(\.name.text).joined(separator: ",")
    }

    private static func file(_ value: String) -> String { "export const value = '\(value)';" }

    @Test(
        "the pattern of tsconfig.json that fits best counts: the name itself, or the longest beginning",
        arguments: [
            (#"{"@/*": ["./src/*"], "@/data/*": ["./shared/*"]}"#, "@/data/flags", "Shared"),
            (#"{"@/data/*": ["./shared/*"], "@/*": ["./src/*"]}"#, "@/data/flags", "Shared"),
            (
                #"{"@/*": ["./src/*"], "@/data/flags": ["./exact.ts"], "@/data/*": ["./shared/*"]}"#, "@/data/flags",
                "Exact"
            ),
            (#"{"@/*": ["./src/*"], "@/other/*": ["./shared/*"]}"#, "@/data/flags", "Source"),
            (#"{"*": ["./src/*"]}"#, "data/flags", "Source"),
            (#"{"@/*": ["./none/*", "./src/*"]}"#, "@/data/flags", "Source"),
        ])
    func patterns(paths: String, name: String, expected: String) {
        let files = [
            "/app/tsconfig.json": "{\"compilerOptions\": {\"paths\": \(paths)}}",
            "/app/src/data/flags.ts": Self.file("Source"), "/app/shared/flags.ts": Self.file("Shared"),
            "/app/exact.ts": Self.file("Exact"),
        ]
        #expect(Self.value("import { value } from '\(name)';", files) == expected)
    }

    @Test("the tsconfig.json of the folder around amplify comes first, and then those from the nearest outwards")
    func nearest() {
        var files = [
            "/app/tsconfig.json": #"{"compilerOptions": {"paths": {"@/*": ["./root/*"]}}}"#,
            "/app/amplify/tsconfig.json": #"{"compilerOptions": {"paths": {"@/*": ["./inner/*"]}}}"#,
            "/app/root/flags.ts": Self.file("Root"), "/app/amplify/inner/flags.ts": Self.file("Inner"),
        ]
        #expect(Self.value("import { value } from '@/flags';", files) == "Root")
        files["/app/root/flags.ts"] = nil
        #expect(Self.value("import { value } from '@/flags';", files) == "Inner")
    }

    @Test("without a pattern that fits, a name is looked for from baseUrl on")
    func base() {
        for paths in ["", #", "paths": {"@/*": ["./none/*"]}"#] {
            let files = [
                "/app/tsconfig.json": #"{"compilerOptions": {"baseUrl": "./src"\#(paths)}}"#,
                "/app/src/flags.ts": Self.file("Base"),
            ]
            #expect(Self.value("import { value } from 'flags';", files) == "Base")
        }
    }

    @Test(
        "the default export of a module that is CommonJS to Node is all that it exports, for modules that are not",
        arguments: [
            (#"{"type": "module"}"#, "{}", "whole.default.name"),
            (#"{"type": "module"}"#, #"{"type": "module"}"#, "whole.name"),
            ("{}", "{}", "whole.name"), (#"{"type": "module"}"#, nil, "whole.default.name"),
        ] as [(String, String?, String)])
    func defaults(inner: String, outer: String?, expression: String) {
        var files = [
            "/app/amplify/package.json": inner,
            "/app/common/groups.ts": "export default { name: 'Staff' }; export const other = 1;",
        ]
        files["/app/package.json"] = outer
        let imports = "import whole, { other } from '../../common/groups'; const value = other && \(expression);"
        #expect(Self.value(imports, files) == "Staff")
    }
}
