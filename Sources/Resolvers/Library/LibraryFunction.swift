import JSON

/// A function of AppSync's `util`, `extensions` or modules, in terms of JSON. Both languages lend the same ones to their programs.
struct LibraryFunction: Sendable {
    typealias Body = @Sendable (inout LibraryCall) throws(ResolverError) -> JSONValue

    /// `util.time.nowISO8601`, `extensions.setSubscriptionFilter`, `dynamodb.get`, `rds.select`.
    let name: String
    let body: Body

    init(_ name: String, _ body: @escaping Body) {
        self.name = name
        self.body = body
    }
}

/// A call of a `LibraryFunction`: what it is given, and the run that it belongs to.
struct LibraryCall {
    let arguments: [JSONValue]
    let context: ResolverContext
    let limits: ResolverLimits
    let surroundings: ResolverSurroundings
    /// Where effects go: appended errors, filters, invalidations, fields of the answer's head.
    var outcome: ResolverOutcome

    /// An argument; one that is missing, or undefined, is null.
    subscript(_ index: Int) -> JSONValue { index < arguments.count ? arguments[index] : .null }
}
