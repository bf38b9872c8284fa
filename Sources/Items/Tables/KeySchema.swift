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

/// What finds items in a table or an index: a partition key, and perhaps a sort key. A global index may have several attributes
/// for either, whose values together are the key.
package struct KeySchema: Sendable {
    package let partition: KeyAttribute
    package let sort: KeyAttribute?
    /// The attributes of the partition key behind the first.
    package let furtherPartitions: [KeyAttribute]
    /// The attributes of the sort key behind the first.
    package let furtherSorts: [KeyAttribute]

    package init(
        _ partition: KeyAttribute, _ sort: KeyAttribute? = nil, furtherPartitions: [KeyAttribute] = [],
        furtherSorts: [KeyAttribute] = []
    ) {
        self.partition = partition
        self.sort = sort
        self.furtherPartitions = furtherPartitions
        self.furtherSorts = furtherSorts
    }

    /// Nil: there is no partition key.
    init?(partitions: [KeyAttribute], sorts: [KeyAttribute]) {
        guard let partition = partitions.first else { return nil }
        self.init(
            partition, sorts.first, furtherPartitions: Array(partitions.dropFirst()),
            furtherSorts: Array(sorts.dropFirst()))
    }

    var partitions: [KeyAttribute] { [partition] + furtherPartitions }
    var sorts: [KeyAttribute] { (sort.map { [$0] } ?? []) + furtherSorts }

    package var attributes: [KeyAttribute] { partitions + sorts }

    /// Whether several attributes are its partition key or its sort key.
    var isComposite: Bool { !furtherPartitions.isEmpty || !furtherSorts.isEmpty }

    package func has(_ name: String) -> Bool { attributes.contains { $0.name == name } }

    /// The attributes of the key alone.
    package func key(of item: Item) -> Item {
        Item(attributes.compactMap { attribute in item[attribute.name].map { (attribute.name, $0) } })
    }

    // MARK: What comes with a request

    /// The key that a request names is not that of the table.
    static let mismatch = ItemError.validation("The provided key element does not match the schema")

    /// The place of an item whose key a request names: all of the key, and nothing else.
    package func place(named key: Item) throws(ItemError) -> ItemPlace {
        guard key.count == attributes.count else { throw Self.mismatch }
        return try place(of: key) { _, _ in Self.mismatch }
    }

    /// The place of an item that is to be put.
    package func place(of item: Item) throws(ItemError) -> ItemPlace {
        try place(of: item) { attribute, value in
            guard let value else { return .invalidValues("Missing the key \(attribute.name) in the item") }
            return .invalidValues(
                "Type mismatch for key \(attribute.name) expected: \(attribute.kind.rawValue) actual: \(value.kind.rawValue)"
            )
        }
    }

    /// - Parameter fault: the refusal of a value that an attribute cannot have.
    private func place(
        of item: Item, _ fault: (KeyAttribute, ItemValue?) -> ItemError
    ) throws(ItemError) -> ItemPlace {
        guard !isComposite else {
            // Only indexes have such keys, and what is in them is known to be right.
            guard let place = placeIfAny(of: item) else { throw Self.mismatch }
            return place
        }
        let partition = try Self.bytes(of: self.partition, in: item, fault)
        let sort: [UInt8] = if let sort { try Self.bytes(of: sort, in: item, fault) } else { [] }
        guard partition.count <= ItemLimits.partitionKeyBytesMax else { throw Self.longPartition }
        guard sort.count <= ItemLimits.sortKeyBytesMax else { throw Self.longSort }
        return ItemPlace(partition: partition, sort: sort)
    }

    private static func bytes(
        of attribute: KeyAttribute, in item: Item, _ fault: (KeyAttribute, ItemValue?) -> ItemError
    ) throws(ItemError) -> [UInt8] {
        guard let value = item[attribute.name], value.kind == attribute.kind, let bytes = value.keyBytes else {
            throw fault(attribute, item[attribute.name])
        }
        if bytes.isEmpty { throw emptyKey(attribute) }
        return bytes
    }

    /// The service leaves out the blank.
    static let longPartition = ItemError.invalidValues(
        "Size of hashkey has exceeded the maximum size limit of\(ItemLimits.partitionKeyBytesMax) bytes")
    static let longSort = ItemError.invalidValues(
        "Aggregated size of all range keys has exceeded the size limit of \(ItemLimits.sortKeyBytesMax) bytes")

    /// A value of a key that has no bytes.
    static func emptyKey(_ attribute: KeyAttribute) -> ItemError {
        .validation(
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty "
                + "\(attribute.kind == .binary ? "binary" : "string") value. Key: \(attribute.name)")
    }

    // MARK: What is there

    /// The place of an item in an index; nil: it is not in the index, since it has not all of the key, or no value that a key can have.
    func placeIfAny(of item: Item) -> ItemPlace? {
        guard let partition = Self.bytes(of: partition, furtherPartitions, in: item),
            partition.count <= ItemLimits.partitionKeyBytesMax
        else { return nil }
        guard let first = sort else { return ItemPlace(partition: partition.bytes, sort: []) }
        guard let sort = Self.bytes(of: first, furtherSorts, in: item), sort.count <= ItemLimits.sortKeyBytesMax else {
            return nil
        }
        return ItemPlace(partition: partition.bytes, sort: sort.bytes)
    }

    /// The bytes of one attribute, or of several together, and how many the values have.
    private static func bytes(
        of first: KeyAttribute, _ further: [KeyAttribute], in item: Item
    ) -> (bytes: [UInt8], count: Int)? {
        guard let value = item[first.name]?.bytes(as: first.kind), !value.isEmpty else { return nil }
        guard !further.isEmpty else { return (value, value.count) }
        var (bytes, count) = (JoinedKey.bytes(of: value), value.count)
        for attribute in further {
            guard let value = item[attribute.name]?.bytes(as: attribute.kind), !value.isEmpty else { return nil }
            bytes += JoinedKey.bytes(of: value)
            count += value.count
        }
        return (bytes, count)
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
