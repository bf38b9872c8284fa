import JSON

/// Which records of a key are asked for: one partition, and what its sort attribute must be.
package struct KeyQuery: Sendable {
    package let key: KeyLayout
    package let partition: StoredValue
    package let sort: SortCondition?

    package enum SortCondition: Sendable, Equatable {
        case compare(Predicate.Comparison, StoredValue)
        case between(StoredValue, StoredValue)
        case beginsWith(String)
    }

    /// A condition on a composite attribute takes the texts joined by `CompositeKey`.
    package init(_ key: KeyLayout, partition: StoredValue, sort: SortCondition? = nil) {
        self.key = key
        self.partition = partition
        self.sort = sort
    }

    /// The records whose key starts with these values, the partition first: what a relation looks up.
    ///
    /// Nil when a value is null: then there is nothing to find.
    package init?(_ key: KeyLayout, startingWith values: [StoredValue]) {
        guard let partition = values.first, !values.contains(.null), values.count <= 1 + key.sort.count else {
            return nil
        }
        let rest = values.dropFirst()
        let sort: SortCondition? =
            if rest.isEmpty {
                nil
            } else if key.sort.count == 1, let value = rest.first {
                .compare(.equal, value)
            } else if rest.count == key.sort.count {
                .compare(.equal, .text(CompositeKey.text(of: rest)))
            } else {
                .beginsWith(CompositeKey.text(of: rest) + CompositeKey.separator)
            }
        self.init(key, partition: partition, sort: sort)
    }
}

/// Several fields of a key as the one text that orders them, as AppSync writes it.
package enum CompositeKey {
    package static let separator = "#"

    package static func text(of values: some Collection<StoredValue>) -> String {
        values.map { value in
            switch value {
            case .null, .blob: ""
            case .integer(let integer): "\(integer)"
            case .real(let real): "\(real)"
            case .text(let text): text
            case .utf8(let bytes): String(decoding: bytes, as: UTF8.self)
            }
        }.joined(separator: separator)
    }
}
