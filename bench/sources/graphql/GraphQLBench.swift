import GraphQL

/// Times the language phases on three documents and prints a line for each: its name and the nanoseconds of a round.
///
/// `--write FOLDER` writes the documents there instead, for other implementations to read. Other arguments are the names of the only lines to print. `Tests/Benchmarks/graphql-js.js` prints the same lines for graphql-js, on the same documents.
@main
struct GraphQLBench {
    static func main() throws {
        if let place = CommandLine.arguments.firstIndex(of: "--write"), place + 1 < CommandLine.arguments.count {
            return try BenchDocument.write(to: CommandLine.arguments[place + 1])
        }
        let schema = try schema()
        for document in try BenchDocument.all() {
            let source = Source(document.text)
            let limits = DocumentLimits.schema
            let tree = try Document(parsing: source, limits: limits)
            measure("parse-\(document.name)") {
                _ = try? Document(parsing: source, limits: limits)
            }
            measure("print-\(document.name)") {
                _ = tree.printedBytes.count
            }
            // What describes a schema is valid when the schema can be built from it.
            measure("parse-validate-\(document.name)") {
                guard let tree = try? Document(parsing: source, limits: limits) else { return }
                if document.isSchema {
                    _ = SchemaValidation.errors(in: SchemaDocument(tree, prelude: SchemaPrelude.appSync))
                } else {
                    _ = Phases.validate(tree, schema: schema)
                }
            }
        }
        try measureBombs(schema)
    }

    /// What the documents are validated against; next to nothing when no line to print needs it.
    private static func schema() throws -> Schema {
        let isNeeded = CommandLine.arguments.count < 2 || CommandLine.arguments.contains { $0.contains("validate") }
        let text = isNeeded ? BenchDocument.schema(bytes: 200_000) : "type Query { nothing: Int }"
        return try Schema(Document(parsing: Source(text), limits: .schema))
    }

    /// Documents that are made to take long to validate.
    private static func measureBombs(_ schema: Schema) throws {
        for bomb in BenchDocument.bombs where isWanted("validate-\(bomb.name)") {
            let tree = try Document(parsing: Source(bomb.text), limits: .schema)
            measure("validate-\(bomb.name)") {
                _ = Phases.validate(tree, schema: schema)
            }
        }
    }

    private static func isWanted(_ name: String) -> Bool {
        CommandLine.arguments.count < 2 || CommandLine.arguments.dropFirst().contains(name)
    }

    /// The best of seven runs of at least a tenth of a second, after one to warm up.
    private static func measure(_ name: String, _ body: () -> Void) {
        guard isWanted(name) else { return }
        let clock = ContinuousClock()
        var best = Int64.max
        for run in 0...7 {
            let start = clock.now
            var rounds: Int64 = 0
            repeat {
                body()
                rounds += 1
            } while clock.now - start < .milliseconds(100)
            let (seconds, attoseconds) = (clock.now - start).components
            let nanoseconds = (seconds * 1_000_000_000 + attoseconds / 1_000_000_000) / rounds
            if run > 0 { best = min(best, nanoseconds) }
        }
        print(name, best)
    }
}
