/// A type as a document uses it: a name in lists and non-null marks, `[String!]!`. Specification: section 2.11.
package struct TypeReference: Sendable, Hashable {
    package var name: Name
    package var wrapping: TypeWrapping

    package init(_ name: Name, wrapping: TypeWrapping = .none) {
        self.name = name
        self.wrapping = wrapping
    }

    /// This type in a list.
    package var list: TypeReference { TypeReference(name, wrapping: wrapping.list) }
    /// This type, never null.
    package var nonNull: TypeReference { TypeReference(name, wrapping: wrapping.nonNull) }

    package var position: Position { name.position }
}

extension TypeReference: CustomStringConvertible {
    package var description: String { wrapping.text(around: name.text) }
}

/// The lists and non-null marks around a named type, without a box for each.
///
///     [[Int!]]!    listDepth 2    nonNullBits 0b101
///                                               ││└ the named type
///                                               │└─ the inner list
///                                               └── the outer list
package struct TypeWrapping: Sendable, Hashable {
    private(set) var listDepth: UInt8
    private var nonNullBits: UInt64

    /// A named type alone.
    package static let none = TypeWrapping(listDepth: 0, nonNullBits: 0)
    /// How many lists fit: one bit each, and one for the named type.
    package static let listDepthMax = 63

    private init(listDepth: UInt8, nonNullBits: UInt64) {
        self.listDepth = listDepth
        self.nonNullBits = nonNullBits
    }

    private var outerBit: UInt64 { 1 << UInt64(listDepth) }

    package var isNonNull: Bool { nonNullBits & outerBit != 0 }
    package var isList: Bool { listDepth > 0 }
    /// True if there is no list around the named type.
    package var isNamed: Bool { listDepth == 0 }
    /// True if there is nothing at all around the named type.
    package var isNone: Bool { listDepth == 0 && nonNullBits == 0 }

    /// Whether the named type or any list around it must not be null.
    package var hasNonNull: Bool { nonNullBits != 0 }

    /// The same in a list. Beyond `listDepthMax` it stays as it is; the parser refuses such types before.
    package var list: TypeWrapping {
        guard listDepth < Self.listDepthMax else { return self }
        return TypeWrapping(listDepth: listDepth + 1, nonNullBits: nonNullBits)
    }

    package var nonNull: TypeWrapping {
        TypeWrapping(listDepth: listDepth, nonNullBits: nonNullBits | outerBit)
    }

    /// The same without the outermost non-null mark.
    package var nullable: TypeWrapping {
        TypeWrapping(listDepth: listDepth, nonNullBits: nonNullBits & ~outerBit)
    }

    /// What the outermost list holds. Without a list it is the same, nullable.
    package var item: TypeWrapping {
        guard listDepth > 0 else { return nullable }
        return TypeWrapping(listDepth: listDepth - 1, nonNullBits: nonNullBits & (outerBit - 1))
    }

    /// As a document writes it around a name.
    package func text(around name: String) -> String {
        guard !isNone else { return name }
        var text = String(repeating: "[", count: Int(listDepth)) + name
        for level in 0...UInt64(listDepth) {
            if level > 0 { text += "]" }
            if nonNullBits & (1 << level) != 0 { text += "!" }
        }
        return text
    }
}
