import JSON

/// What a request template says of itself by `version`: when the response template runs, and what becomes of an error.
package enum RequestVersion: String, Sendable {
    /// Unit resolvers only.
    case first = "2017-02-28"
    case second = "2018-05-29"

    /// The version in what a request template gave; nil: it says none, or one that there is not.
    package init?(of request: JSONValue) {
        guard let version = request["version"]?.string else { return nil }
        self.init(rawValue: version)
    }

    /// Whether the response template runs when the data source has nothing. Otherwise the field is null.
    package var runsOnNull: Bool { self == .second }

    /// Whether an error of the data source is `ctx.error`, and the response template's to judge. Otherwise it is the field's error, and
    /// what the response template gives goes to its `data`.
    package var judgesErrors: Bool { self == .second }

    /// Whether the version has an operation of tables. Batches and transactions came with the second.
    package func has(operation: String) -> Bool {
        guard self == .first else { return true }
        return !operation.hasPrefix("Batch") && !operation.hasPrefix("Transact")
    }
}
