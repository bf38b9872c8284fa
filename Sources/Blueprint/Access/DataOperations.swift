/// What `allow.resource(fn).to([...])` lets a function do with the API.
package struct DataOperations: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let query = DataOperations(rawValue: 1)
    package static let mutate = DataOperations(rawValue: 2)
    package static let listen = DataOperations(rawValue: 4)
    package static let all: DataOperations = [.query, .mutate, .listen]

    /// Of the names that a rule lists; nil: all.
    package init(_ names: [String]?) {
        guard let names else {
            self = .all
            return
        }
        let known: [(name: String, operation: DataOperations)] = [
            ("query", .query), ("mutate", .mutate), ("listen", .listen),
        ]
        self = known.filter { names.contains($0.name) }.reduce(into: []) { $0.formUnion($1.operation) }
    }
}
