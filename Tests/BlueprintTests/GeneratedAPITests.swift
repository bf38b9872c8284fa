import GraphQL
import Testing

@testable import Blueprint

@Suite("What Homeport adds to an API")
struct GeneratedAPITests {
    @Test(
        "keeps all rules of the language, so a start looks at the rest alone",
        arguments: GoldenCase.outputs + GoldenCase.version1.outputs)
    func keepsRules(golden: GoldenCase) throws {
        let api = try #require(check(golden.input, golden.settings).api)
        #expect(
            messages(of: api.documentWithRoots, checksGenerated: true)
                == messages(of: api.documentWithRoots, checksGenerated: false))
    }

    @Test("is told from what was written by its place", arguments: [true, false])
    func isTold(isWritten: Bool) throws {
        var document = try Document(parsing: Source("type Query { a: Int @unknown(b: 1), c: Unknown }"))
        if !isWritten {
            let type = TypeReference("Unknown")
            let field = FieldDefinition(name: "a", type: type, directives: [Directive(name: "unknown")])
            document = Document(definitions: [.type(.object(ObjectTypeDefinition(name: "Query", fields: [field])))])
        }
        #expect(messages(of: document, checksGenerated: true).count == 2)
        #expect(messages(of: document, checksGenerated: false).count == (isWritten ? 2 : 0))
    }

    private func messages(of document: Document, checksGenerated: Bool) -> [String] {
        var document = SchemaDocument(document, prelude: SchemaPrelude.appSync)
        document.checksGenerated = checksGenerated
        return SchemaValidation.errors(in: document).map(\.message)
    }
}
