import JSON

/// A function that only templates have.
struct OwnFunction: Sendable {
    typealias Body = @Sendable ([TemplateValue], TemplateRun) throws(TemplateExit) -> TemplateValue

    static let toJson = "util.toJson"

    let name: String
    /// How many arguments it takes.
    let arity: ClosedRange<Int>
    let body: Body

    init(_ name: String, _ arity: ClosedRange<Int>, _ body: @escaping Body) {
        self.name = name
        self.arity = arity
        self.body = body
    }

    init(_ name: String, _ count: Int, _ body: @escaping Body) {
        self.init(name, count...count, body)
    }

    static let all = Dictionary(
        texts: [ValueFunctions.all, CollectionFunctions.all, LogFunctions.all].joined().map { ($0.name, $0) },
        uniquingKeysWith: { first, _ in first })
}
