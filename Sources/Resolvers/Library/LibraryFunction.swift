import JSON

/// A function of AppSync's `util`, `extensions` or modules, in terms of JSON. Both languages lend the same ones to their programs.
struct LibraryFunction: Sendable {
    typealias Body = @Sendable (inout LibraryCall) throws(ResolverError) -> JSONValue

    /// Who has it.
    enum Languages: Sendable {
        case both, javaScript, velocity
    }

    /// `util.time.nowISO8601`, `extensions.setSubscriptionFilter`, `dynamodb.get`, `rds.select`.
    let name: String
    let languages: Languages
    /// Members that are undefined in JavaScript are null here. To the others they are missing, as `JSON.stringify` has it.
    let seesUndefined: Bool
    private let body: Body

    init(_ name: String, in languages: Languages = .both, seesUndefined: Bool = false, _ body: @escaping Body) {
        self.name = name
        self.languages = languages
        self.seesUndefined = seesUndefined
        self.body = body
    }

    /// Runs it on the arguments of a call, and takes what that costs from the steps that are left.
    ///
    /// - Throws: what `util.error` makes, or a fault. A fault has no type and no place: these the language knows.
    func run(_ call: inout LibraryCall) throws(ResolverError) -> JSONValue {
        call.function = name
        try call.count(1)
        return try body(&call)
    }
}
