import GraphQL
import JSON
import TestSupport
import Testing

@Suite("Under random documents")
struct FuzzTests {
    @Test("printing a document and parsing the text again gives the same document")
    func roundTrip() throws {
        let seed = SeededRandom.seed(test: "FuzzTests.roundTrip")
        var generator = DocumentGenerator(random: SeededRandom(seed: seed))
        for round in 0..<Fuzz.rounds(ordinarily: 400) {
            let document = generator.document()
            let text = document.printed
            let again = try? Document(parsing: Source(text), limits: .schema)
            #expect(again == document, "seed \(seed), round \(round): \(text)")
            if again != document { break }
        }
    }

    @Test("whatever was generated is validated, and built into a schema or refused, without a trap")
    func generated() throws {
        let seed = SeededRandom.seed(test: "FuzzTests.generated")
        var generator = DocumentGenerator(random: SeededRandom(seed: seed))
        for _ in 0..<Fuzz.rounds(ordinarily: 150) {
            let document = generator.document()
            exercise(Source(document.printed))
            exercise(Source(generator.executableDocument().printed))
            // Both kinds of rules are asked at the same time, whatever the others say.
            _ = SchemaValidation.typeErrors(in: SchemaDocument(document, prelude: SchemaPrelude.appSync))
            for type in (try? Schema(document))?.types ?? [] {
                _ = type.fields?.fields.count
                if case .inputObject(let input) = type { _ = input.fields.values.count }
            }
        }
    }

    @Test("bytes that were changed by chance are parsed or refused, and what was parsed is printed and parsed the same")
    func mutated() throws {
        let seed = SeededRandom.seed(test: "FuzzTests.mutated")
        var generator = DocumentGenerator(random: SeededRandom(seed: seed))
        var mutator = ByteMutator(random: SeededRandom(seed: seed ^ 0xFF))
        var text = generator.document().printedBytes
        for round in 0..<Fuzz.rounds(ordinarily: 1_000) {
            if round % 20 == 0 { text = generator.document().printedBytes }
            let bytes = mutator.mutate(text)
            let source = Source(bytes)
            guard let document = try? Document(parsing: source) else { continue }
            let again = try? Document(parsing: Source(document.printed), limits: .schema)
            #expect(again == document, "seed \(seed), round \(round): \(bytes)")
            if again != document { break }
            exercise(source)
        }
    }

    /// Takes a text through every phase there is.
    private func exercise(_ source: Source) {
        guard case .ready(let document) = Phases.prepare(source.bytes, schema: FuzzSchema.schema),
            let query = FuzzSchema.schema.queryType
        else { return }
        for operation in document.operations {
            var sent = JSONObject()
            sent.set("a", to: 1)
            sent.set("name", to: "x")
            sent.set("user", to: .object(JSONObject([("a", .array([1, nil]))])))
            let variables = (try? Phases.coerceVariables(sent, of: operation, in: document)) ?? .none
            guard let groups = try? CollectFields.groups(of: query, operation.selectionSet, in: document) else {
                continue
            }
            for group in groups {
                for field in group.fields {
                    _ = field.inclusion.isMet(variables)
                    guard let definition = FuzzSchema.schema.field(named: field.field.name.text, of: query) else {
                        continue
                    }
                    _ = ArgumentTemplate(field.field.arguments, of: definition.arguments, in: FuzzSchema.schema)
                        .values(variables)
                }
            }
        }
    }
}

/// Changes bytes as chance will have it: single ones, runs of them, and pieces that mean something in the language.
struct ByteMutator {
    var random: SeededRandom

    private static let pieces = [
        "{", "}", "(", ")", "[", "]", "...", "\"", "\"\"\"", "\\", "\\u", "\\u{", "$", "@", "!", ":", "=", "|", "&",
        "#",
        "\n", "\r", "\u{FEFF}", "-", "0", "1.", "e", " on ", "null", "extend ", "type ", "fragment F on A ", "é", "😀",
    ].map { Array($0.utf8) }

    mutating func mutate(_ text: [UInt8]) -> [UInt8] {
        var bytes = text
        for _ in 0...Int.random(in: 0...3, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 0...8, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes.insert(contentsOf: random.pick(Self.pieces), at: place)
            case 1: bytes.removeSubrange(place..<end)
            case 2:
                bytes.insert(contentsOf: Array(bytes[place..<end]), at: Int.random(in: 0...bytes.count, using: &random))
            case 3: bytes.replaceSubrange(place..<end, with: random.pick(Self.pieces))
            default: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
            }
        }
        return bytes
    }
}
