import GraphQL

/// Collects what is to be said about a schema, and puts it into the order in which Amplify's transformer would have
/// come to it. The transformer stops at its first error, so that one must come first.
struct DiagnosticLog {
    /// The steps of the transformer, in their order.
    enum Step: Hashable {
        case syntax
        case sandbox
        /// Extensions are folded into the types that they extend.
        case extensions
        /// The rules of the language for schemas.
        case language
        /// The values of directive arguments.
        case values
        /// A directive is read where it stands.
        case visit(Transformer)
        case validate(Transformer)
        case prepare(Transformer)
        /// The schema is extended for a directive.
        case schema(Transformer)
        /// Resolvers and tables are made for a directive.
        case resolvers(Transformer)

        var order: Int {
            switch self {
            case .syntax: 0
            case .sandbox: 1
            case .extensions: 2
            case .language: 3
            case .values: 4
            case .visit(let transformer): 100 + transformer.rawValue
            case .validate(let transformer): 200 + transformer.rawValue
            case .prepare(let transformer): 300 + transformer.rawValue
            case .schema(let transformer): 400 + transformer.rawValue
            case .resolvers(let transformer): 500 + transformer.rawValue
            }
        }
    }

    /// The parts of the transformer, in the order in which each step runs through them.
    enum Transformer: Int {
        case model, function, http, predictions, primaryKey, index, hasMany, hasOne, manyToMany, belongsTo
        case defaultValue, mapsTo, sql, refersTo, searchable, conversation, generation, validate, auth
    }

    private struct Entry {
        let severity: Diagnostic.Severity
        let message: String
        let hint: String?
        let position: Position
        let order: Int

        /// True if it says that the schema is not one in the language at all.
        var isOfLanguage: Bool { severity == .error && order <= Step.values.order }
    }

    private struct LineNumber: Hashable {
        let source: Int
        let line: Int
    }

    private var entries: [Entry] = []

    var hasErrors: Bool { errorCount > 0 }
    private(set) var errorCount = 0

    mutating func error(_ message: String, at position: Position, step: Step, hint: String? = nil) {
        add(.error, message, at: position, step: step, hint: hint)
    }

    mutating func warning(_ message: String, at position: Position, step: Step, hint: String? = nil) {
        add(.warning, message, at: position, step: step, hint: hint)
    }

    mutating func note(_ message: String, at position: Position, step: Step) {
        add(.note, message, at: position, step: step, hint: nil)
    }

    private mutating func add(
        _ severity: Diagnostic.Severity, _ message: String, at position: Position, step: Step, hint: String?
    ) {
        if severity == .error { errorCount += 1 }
        guard entries.count < BlueprintLimits.diagnosticsMax else { return }
        entries.append(
            Entry(
                severity: severity, message: message, hint: hint ?? Hints.hint(for: message), position: position,
                order: step.order))
    }

    /// Returns whether there is an error at that place.
    func hasError(at position: Position) -> Bool {
        entries.contains {
            $0.severity == .error && $0.position.source == position.source && $0.position.offset == position.offset
        }
    }

    /// Adds what another log has, behind what is in this one.
    mutating func append(_ other: DiagnosticLog) {
        errorCount += other.errorCount
        entries += other.entries.prefix(max(0, BlueprintLimits.diagnosticsMax - entries.count))
    }

    /// All of it with places, errors in the transformer's order, each thing said once.
    func diagnostics(in sources: [Source]) -> [Diagnostic] {
        guard !entries.isEmpty else { return [] }
        let lines = sources.map(LineMap.init)
        var seen: Set<Diagnostic> = []
        var faultyLines: Set<LineNumber> = []
        return entries.enumerated()
            .sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }
            .compactMap { _, entry in
                let number = entry.position.source
                let isPlaced = entry.position.isKnown && sources.indices.contains(number)
                let location = isPlaced ? lines[number].location(of: entry.position) : nil
                let line = LineNumber(source: number, line: location?.line ?? 0)
                if entry.isOfLanguage {
                    faultyLines.insert(line)
                } else if faultyLines.contains(line) {
                    // A directive on a line that is no GraphQL: what is wrong with it may follow from that.
                    return nil
                }
                let diagnostic =
                    isPlaced
                    ? Diagnostic(
                        severity: entry.severity, message: entry.message, hint: entry.hint,
                        file: sources[number].name, at: entry.position, in: lines[number])
                    : Diagnostic(severity: entry.severity, message: entry.message, hint: entry.hint)
                return seen.insert(diagnostic).inserted ? diagnostic : nil
            }
    }
}
