import JSON

/// What a table is: its name, its key, its indexes, and what else was said of it.
package struct TableShape: Sendable {
    package var name: String
    package var key: KeySchema
    /// The attributes of all keys, in the order in which they were told.
    package var definitions: [KeyAttribute]
    package var locals: [IndexShape] = []
    package var globals: [IndexShape] = []
    /// Nil for a table that is paid by request.
    package var throughput: Throughput?
    /// Whether its mode of payment was told, or is what it is without.
    package var tellsBilling = true
    /// The attribute with the time at which an item expires.
    package var expiry: String?
    /// The stream that takes down its changes.
    package var stream: StreamShape?
    /// What the last one was called; it can be read for a day.
    package var latestStream: String?
    package var isProtected = false
    package var tags: [Tag] = []
    package var tableClass: String?
    /// Milliseconds since 1970.
    package var created: Int64 = 0
    package var identifier = ""
    /// The highest number that an index of it has had.
    package var lastIndex: Int64 = 0

    package struct Tag: Sendable {
        package let key: String
        package let value: String

        package init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    package init(_ name: String, _ key: KeySchema, definitions: [KeyAttribute]? = nil) {
        self.name = name
        self.key = key
        self.definitions = definitions ?? key.attributes
    }

    package var indexes: [IndexShape] { locals + globals }

    package func index(_ name: String) -> IndexShape? { indexes.first { $0.name == name } }

    // MARK: What an item must be like

    /// Where an item lies that is to be put, when all that indexes want of it is right as well.
    func place(of item: Item) throws(ItemError) -> ItemPlace {
        let place = try key.place(of: item)
        try checkIndexes(item)
        return place
    }

    /// Refuses an item of which an index has no use: a key may be missing, but not be something else.
    ///
    /// - Parameter isUpdated: whether an update has made the item.
    func checkIndexes(_ item: Item, isUpdated: Bool = false) throws(ItemError) {
        for index in indexes.reversed() {
            var sizes = (partition: 0, sort: 0)
            // Those of the table count too: they may be longer than an index takes.
            for (place, attribute) in index.key.attributes.enumerated() {
                guard let value = item[attribute.name] else { continue }
                guard value.kind == attribute.kind, let bytes = value.keyBytes else {
                    throw .invalidValues(
                        "Type mismatch for Index Key \(attribute.name) Expected: \(attribute.kind.rawValue) Actual: "
                            + "\(value.kind.rawValue) IndexName: \(index.name)")
                }
                guard !bytes.isEmpty else { throw Self.emptyKey(attribute, of: index, isUpdated) }
                let isPartition = place <= index.key.furtherPartitions.count
                if isPartition { sizes.partition += bytes.count } else { sizes.sort += bytes.count }
            }
            guard sizes.partition <= ItemLimits.partitionKeyBytesMax else { throw KeySchema.longPartition }
            guard sizes.sort <= ItemLimits.sortKeyBytesMax else { throw KeySchema.longSort }
        }
    }

    private static func emptyKey(_ attribute: KeyAttribute, of index: IndexShape, _ isUpdated: Bool) -> ItemError {
        let kind = attribute.kind == .binary ? "binary" : "string"
        return .validation(
            isUpdated
                ? "One or more parameter values are not valid. The update expression attempted to update a secondary index "
                    + "key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty "
                    + "\(kind) value."
                : "One or more parameter values are not valid. A value specified for a secondary index key is not supported. "
                    + "The AttributeValue for a key attribute cannot contain an empty \(kind) value. IndexName: \(index.name), "
                    + "IndexKey: \(attribute.name)")
    }

    /// When an item expires, in seconds since 1970; nil: never.
    func expiry(of item: Item) -> Int64? {
        guard let expiry, case .number(let number) = item[expiry] else { return nil }
        return number.wholeSeconds
    }
}

/// What a stream shows of changes.
package enum StreamView: String, Sendable, CaseIterable {
    case newImage = "NEW_IMAGE"
    case oldImage = "OLD_IMAGE"
    case both = "NEW_AND_OLD_IMAGES"
    case keysOnly = "KEYS_ONLY"

    var hasNew: Bool { self == .newImage || self == .both }
    var hasOld: Bool { self == .oldImage || self == .both }
}

/// The stream of a table.
package struct StreamShape: Sendable {
    package let number: Int64
    package let view: StreamView
    /// The moment of its beginning, by which it goes in its name.
    package let label: String

    package init(number: Int64, view: StreamView, label: String) {
        self.number = number
        self.view = view
        self.label = label
    }
}

extension ItemNumber {
    /// The number without what is behind the point; nil: no time of any use.
    fileprivate var wholeSeconds: Int64? {
        Int64(String(decoding: description.utf8.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self))
    }
}
