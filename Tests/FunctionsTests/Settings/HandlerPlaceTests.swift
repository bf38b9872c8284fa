import Testing

@testable import Functions

@Suite("Handlers as they are set")
struct HandlerPlaceTests {
    private static let files: Set = [
        "a/handler.ts", "src/index.js", "src/index.py", "lib/app.mjs", "index.py", "v1.2/index.mjs", "tool.py",
    ]

    @Test(
        "a handler is a file, or a file and a function",
        arguments: [
            ("a/handler.ts", "a/handler.ts", "handler"), ("index.py:answer", "index.py", "answer"),
            ("src/index.handler", "src/index.js", "handler"), ("lib/app.a.b", "lib/app.mjs", "a.b"),
            ("v1.2/index.handler", "v1.2/index.mjs", "handler"), ("tool.main", "tool.py", "main"),
        ])
    func places(text: String, file: String, export: String) throws {
        let place = try HandlerPlace(text) { Self.files.contains($0) }
        #expect(place.file == file && place.export == export)
        #expect(place.language == (file.hasSuffix(".py") ? .python : .node))
    }

    @Test("what is none says why", arguments: ["", ".", "x", "no/index.handler", "none.ts", "a/.handler", "index."])
    func faults(text: String) {
        #expect(throws: HandlerPlace.Fault.self) { try HandlerPlace(text) { Self.files.contains($0) } }
    }
}
