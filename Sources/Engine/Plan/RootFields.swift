import GraphQL
import JSON

/// The fields of a schema's root types, numbered. What is logged and counted by operation has its names from here and never
/// from a request, so that there are as many as the schema has and no more.
package struct RootFields: Sendable {
    /// A number's meaning: the kind of operation, and the field.
    package struct Entry: Sendable {
        package let kind: String
        package let name: String

        package init(kind: String, name: String) {
            (self.kind, self.name) = (kind, name)
        }

        /// As a log shows it.
        package var text: String { "\(kind) \(name)" }
    }

    /// Of a schema with more fields the last ones are counted together.
    package static let fieldsMax = 500
    /// The most entries that there are.
    package static let entriesMax = 1 + 2 * OperationType.allCases.count + fieldsMax

    /// What `OperationNote.number` counts in. First those of requests that are no operation, then for each kind those
    /// without a number and those that ask for the schema, then the fields.
    package let entries: [Entry]
    private let starts: [Int]

    /// A request that is no operation of this schema.
    package static let noOperation = 0

    init(_ schema: Schema) {
        var entries = [Entry(kind: "none", name: "none")]
        for kind in OperationType.allCases {
            entries.append(Entry(kind: kind.rawValue, name: "other"))
            entries.append(Entry(kind: kind.rawValue, name: "introspection"))
        }
        var starts: [Int] = []
        let most = entries.count + Self.fieldsMax
        for kind in OperationType.allCases {
            starts.append(entries.count)
            let type =
                switch kind {
                case .query: schema.queryType
                case .mutation: schema.mutationType
                case .subscription: schema.subscriptionType
                }
            // The names alone: a start needs no more of most fields.
            var names: [String] = []
            if let type, case .object(let object) = schema[type] { names = object.fieldNames }
            entries += names.prefix(most - entries.count).map { Entry(kind: kind.rawValue, name: $0) }
        }
        starts.append(entries.count)
        (self.entries, self.starts) = (entries, starts)
    }

    /// The numbers of subscriptions by their names.
    package var subscriptions: [ByteText: Int] {
        guard let place = OperationType.allCases.firstIndex(of: .subscription) else { return [:] }
        let range = starts[place]..<starts[place + 1]
        return Dictionary(texts: range.map { (entries[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The number of an operation by its kind and the first of its fields that the schema names. Looked for once for each
    /// plan.
    package func number(of kind: OperationType, _ fields: some Sequence<String>) -> Int {
        let place = OperationType.allCases.firstIndex(of: kind) ?? 0
        let (other, introspection) = (1 + 2 * place, 2 + 2 * place)
        guard let name = fields.first(where: { !$0.utf8.starts(with: "__".utf8) }) else { return introspection }
        let range = starts[place]..<starts[place + 1]
        return entries[range].firstIndex { $0.name.utf8.elementsEqual(name.utf8) } ?? other
    }
}
