import JSON

/// An attribute that a key is made of.
package struct KeyAttribute: Sendable {
    package let name: String
    /// `S`, `N` or `B`.
    package let kind: ItemValue.Kind

    package init(_ name: String, _ kind: ItemValue.Kind) {
        self.name = name
        self.kind = kind
    }
}

/// What finds items in a table or an index: a partition key, and perhaps a sort key.
package struct KeySchema: Sendable {
    package let partition: KeyAttribute
    package let sort: KeyAttribute?

    package init(_ partition: KeyAttribute, _ sort: KeyAttribute? = nil) {
        self.partition = partition
        self.sort = sort
    }

    package var attributes: [KeyAttribute] { [partition] + (sort.map { [$0] } ?? []) }

    package func has(_ name: String) -> Bool { attributes.contains { $0.name == name } }

    /// The attributes of the key alone.
    package func key(of item: Item) -> Item {
        Item(attributes.compactMap { attribute in item[attribute.name].map { (attribute.name, $0) } })
    }

    // MARK: What comes with a request

    /// The place of an item whose key a request names: all of the key, and nothing else.
    package func place(named key: Item) throws(ItemError) -> ItemPlace {
        guard key.count == attributes.count else {
            throw .validation("The number of conditions on the keys is invalid")
        }
        return try place(of: key)
    }

    /// The place of an item that is to be put.
    package func place(of item: Item) throws(ItemError) -> ItemPlace {
        let partition = try Self.bytes(of: self.partition, in: item)
        let sort: [UInt8] = if let sort { try Self.bytes(of: sort, in: item) } else { [] }
        guard partition.count <= ItemLimits.partitionKeyBytesMax, sort.count <= ItemLimits.sortKeyBytesMax else {
            throw .validation(
                "Hash primary key values must be under \(ItemLimits.partitionKeyBytesMax) bytes, and range primary key "
                    + "values must be under \(ItemLimits.sortKeyBytesMax) bytes")
        }
        return ItemPlace(partition: partition, sort: sort)
    }

    private static func bytes(of attribute: KeyAttribute, in item: Item) throws(ItemError) -> [UInt8] {
        guard let value = item[attribute.name] else {
            throw .validation("One of the required keys was not given a value")
        }
        guard value.kind.isOrdered else { throw .validation("Invalid attribute value type") }
        guard value.kind == attribute.kind, let bytes = value.keyBytes else {
            throw .invalidValues("Type mismatch for key")
        }
        if bytes.isEmpty { throw emptyKey(attribute) }
        return bytes
    }

    /// A value of a key that has no bytes.
    static func emptyKey(_ attribute: KeyAttribute) -> ItemError {
        .validation(
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty "
                + "\(attribute.kind == .binary ? "binary" : "string") value. Key: \(attribute.name)")
    }

    // MARK: What is there

    /// The place of an item that is known to be right in an index; nil: it has not all of the key, and is not in the index.
    func placeIfAny(of item: Item) -> ItemPlace? {
        guard let partition = item[partition.name]?.bytes(as: partition.kind) else { return nil }
        guard let sort else { return ItemPlace(partition: partition, sort: []) }
        return item[sort.name]?.bytes(as: sort.kind).map { ItemPlace(partition: partition, sort: $0) }
    }
}

extension ItemValue {
    /// The bytes of a key, which are in the order of the values of its type; nil for a value that can be none.
    package var keyBytes: [UInt8]? {
        switch self {
        case .string(let text): Array(text.utf8)
        case .number(let number): number.orderedBytes
        case .binary(let bytes): bytes
        default: nil
        }
    }

    fileprivate func bytes(as kind: Kind) -> [UInt8]? { self.kind == kind ? keyBytes : nil }
}
