import JSON

// What CreateTable and UpdateTable say of tables, read with DynamoDB's texts, the first fault first.

extension TableShape {
    /// The table that a request wants.
    init(_ fields: RequestFields, name: String) throws(ItemError) {
        let definitions = try Self.definitions(fields)
        guard let schema = try fields.objects("KeySchema") else { throw KeySchema.missing }
        let throughput = try Throughput(fields.fields("ProvisionedThroughput"))
        let isOnDemand = try Self.isOnDemand(fields, throughput)
        self.init(name, try KeySchema(schema, definitions), definitions: definitions)
        self.throughput = isOnDemand ? nil : throughput
        tellsBilling = try fields.text("BillingMode") != nil
        guard isOnDemand || throughput != nil else {
            throw .validation("No provisioned throughput specified for the table")
        }
        if let throughput = self.throughput, throughput.reads < 1 || throughput.writes < 1 {
            throw .validation("Table read and write throughput must be at least 1, and cannot be null")
        }
        try addLocals(fields.objects("LocalSecondaryIndexes") ?? [])
        let globals = try fields.objects("GlobalSecondaryIndexes") ?? []
        guard globals.count <= TableLimits.globalIndexesMax else {
            throw .validation("GlobalSecondaryIndex count exceeds the per-table limit")
        }
        for global in globals { try addGlobal(global) }
        try checkProjections()
        let used = Set(texts: (key.attributes + indexes.flatMap(\.key.attributes)).map(\.name))
        guard definitions.count == used.count else {
            throw .validation(
                "The number of attributes in key schema must match the number of attributes defined in attribute definitions."
            )
        }
        isProtected = try fields.bool("DeletionProtectionEnabled") ?? false
        tags = try Self.tags(fields)
        tableClass = try Self.tableClass(fields)
    }

    /// The attributes that a request tells of.
    static func definitions(_ fields: RequestFields) throws(ItemError) -> [KeyAttribute] {
        var definitions: [KeyAttribute] = []
        for definition in try fields.objects("AttributeDefinitions") ?? [] {
            guard let kind = ItemValue.Kind(rawValue: try definition.text("AttributeType") ?? ""), kind.isOrdered else {
                throw .validation("Member must satisfy enum value set: [B, N, S]")
            }
            let name = try definition.text("AttributeName") ?? ""
            guard !definitions.contains(where: { $0.name == name }) else {
                throw .validation("Cannot have two attributes with the same name")
            }
            definitions.append(KeyAttribute(name, kind))
        }
        return definitions
    }

    static func isOnDemand(_ fields: RequestFields, _ throughput: Throughput?) throws(ItemError) -> Bool {
        switch try fields.text("BillingMode") {
        case nil, "PROVISIONED"?: return false
        case "PAY_PER_REQUEST"?:
            guard throughput == nil else {
                throw .invalidValues(
                    "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"
                )
            }
            return true
        case let other?:
            throw .validation(
                "1 validation error detected: Value '\(other)' at 'billingMode' failed to satisfy constraint: Member must "
                    + "satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]")
        }
    }

    static func tableClass(_ fields: RequestFields) throws(ItemError) -> String? {
        guard let text = try fields.text("TableClass") else { return nil }
        guard ["STANDARD", "STANDARD_INFREQUENT_ACCESS"].contains(text) else {
            throw .validation(
                "1 validation error detected: Value '\(text)' at 'tableClass' failed to satisfy constraint: Member must "
                    + "satisfy enum value set: [STANDARD, STANDARD_INFREQUENT_ACCESS]")
        }
        return text
    }

    static func tags(_ fields: RequestFields) throws(ItemError) -> [Tag] {
        var tags: [Tag] = []
        for tag in try fields.objects("Tags") ?? [] {
            guard let key = try tag.text("Key"), let value = try tag.text("Value") else {
                throw .invalidValues("A tag has a Key and a Value")
            }
            guard (1...128).contains(key.count), value.count <= 256 else {
                throw .invalidValues("The Key of a tag has 1 to 128 characters, its Value at most 256")
            }
            tags.removeAll { $0.key == key }
            tags.append(Tag(key: key, value: value))
        }
        guard tags.count <= TableLimits.tagsMax else {
            throw .validation(
                "One or more parameter values were invalid: Too many tags: at most \(TableLimits.tagsMax)")
        }
        return tags
    }

    // MARK: Indexes

    private mutating func addLocals(_ list: [RequestFields]) throws(ItemError) {
        guard !list.isEmpty else { return }
        guard key.sort != nil else {
            throw .validation("Local Secondary indices are not allowed on hash tables, only hash and range tables")
        }
        guard list.count <= TableLimits.localIndexesMax else {
            throw .invalidValues(
                "Number of LocalSecondaryIndexes exceeds per-table limit of \(TableLimits.localIndexesMax)")
        }
        for fields in list {
            let index = try newIndex(fields, isLocal: true)
            guard index.key.sort != nil else { throw .validation("Local secondary indices must have a range key") }
            guard index.key.partition.name == key.partition.name else {
                throw .validation("Local Secondary indices must have the same hash key as the main table")
            }
            guard !locals.contains(where: { $0.name == index.name }) else {
                throw .validation("Two local secondary indices have the same name")
            }
            locals.append(index)
        }
    }

    mutating func addGlobal(_ fields: RequestFields) throws(ItemError) {
        var index = try newIndex(fields, isLocal: false)
        guard !globals.contains(where: { $0.name == index.name }) else {
            throw .validation("Two global secondary indices have the same name")
        }
        guard !locals.contains(where: { $0.name == index.name }) else {
            throw .invalidValues("Duplicate index name: \(index.name)")
        }
        let told = try Throughput(fields.fields("ProvisionedThroughput"))
        if throughput != nil {
            guard let told else {
                throw .validation("No provisioned throughput specified for the global secondary index: \(index.name)")
            }
            guard told.reads >= 1, told.writes >= 1 else {
                throw .validation("Table read and write throughput must be at least 1, and cannot be null")
            }
            index.throughput = told
        } else if told != nil {
            throw .invalidValues(
                "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: \(index.name) when "
                    + "BillingMode is PAY_PER_REQUEST")
        }
        globals.append(index)
    }

    private mutating func newIndex(_ fields: RequestFields, isLocal: Bool) throws(ItemError) -> IndexShape {
        guard let name = try fields.text("IndexName"), ItemRun.isName(name) else { throw .wrongName }
        guard let schema = try fields.objects("KeySchema") else { throw KeySchema.missing }
        let key = try KeySchema(schema, definitions)
        let projection = try IndexProjection(fields.fields("Projection"))
        lastIndex += 1
        return IndexShape(name, number: lastIndex, key, projection, isLocal: isLocal)
    }

    func checkProjections() throws(ItemError) {
        var count = 0
        for index in indexes {
            if case .include(let names) = index.projection { count += names.count }
        }
        guard count <= TableLimits.projectedAttributesMax else {
            throw .invalidValues(
                "Number of projected attributes exceeds per-table limit of \(TableLimits.projectedAttributesMax)")
        }
    }
}

extension KeySchema {
    static let missing = ItemError.validation(
        "No defined key schema.  A key schema containing at least a hash key must be defined for all tables")

    init(_ elements: [RequestFields], _ definitions: [KeyAttribute]) throws(ItemError) {
        var (partitions, sorts): ([String], [String]) = ([], [])
        for element in elements {
            let name = try element.text("AttributeName") ?? ""
            switch try element.text("KeyType") {
            case "HASH"?: partitions.append(name)
            case "RANGE"?: sorts.append(name)
            default: break
            }
        }
        guard elements.count <= 2 else {
            throw .validation(
                "Key Schema too big.  Key Schema must at most consist of the hash and range key of a table")
        }
        guard let partition = partitions.first else {
            throw .validation("No Hash Key specified in schema.  All Dynamo DB tables must have exactly one hash key")
        }
        guard partitions.count == 1 else {
            throw .validation("Too many hash keys specified.  All Dynamo DB tables must have exactly one hash key")
        }
        guard sorts.first != partition else { throw .validation("Two keys can not have the same name") }
        self.init(
            try Self.attribute(partition, definitions, "Hash"),
            try sorts.first.map { name throws(ItemError) in try Self.attribute(name, definitions, "Range") })
    }

    private static func attribute(
        _ name: String, _ definitions: [KeyAttribute], _ what: String
    ) throws(ItemError) -> KeyAttribute {
        guard let attribute = definitions.first(where: { $0.name == name }) else {
            throw .validation("\(what) Key not specified in Attribute Definitions.  Type unknown.")
        }
        guard (1...255).contains(name.utf8.count) else { throw Self.wrongNameLength }
        return attribute
    }

    static let wrongNameLength = ItemError.validation(
        "Names of key attributes and attributes projected into an index must be between 1 and 255 characters, inclusive"
    )
}

extension IndexProjection {
    init(_ fields: RequestFields?) throws(ItemError) {
        guard let fields, let type = try fields.text("ProjectionType") else {
            throw .validation("Indexes must have a projection specified")
        }
        let names = try fields.texts("NonKeyAttributes")
        switch type {
        case "INCLUDE":
            guard let names, !names.isEmpty else {
                throw .validation(
                    "If Projection type INCLUDE is specified, some non-key attributes to include in the projection must be "
                        + "specified as well")
            }
            guard names.allSatisfy({ (1...255).contains($0.utf8.count) }) else { throw KeySchema.wrongNameLength }
            self = .include(names.eachOnce())
        case "ALL", "KEYS_ONLY":
            guard case .none = names else {
                throw .validation(
                    "No attributes should be specified to be projected unless projection type is INCLUDE")
            }
            self = type == "ALL" ? .all : .keysOnly
        default: throw .validation("Member must satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]")
        }
    }
}

extension Throughput {
    init?(_ fields: RequestFields?) throws(ItemError) {
        guard let fields else { return nil }
        self.init(
            reads: try fields.integer("ReadCapacityUnits") ?? 0, writes: try fields.integer("WriteCapacityUnits") ?? 0)
    }
}

extension StreamView {
    /// What a request wants of a stream: nil for one that is to be off.
    static func wanted(_ fields: RequestFields) throws(ItemError) -> StreamView? {
        let told = try fields.text("StreamViewType")
        guard try fields.bool("StreamEnabled") ?? false else {
            guard told == nil else {
                throw .validation("Invalid StreamViewType: Stream ViewType must be null when disabling streams.")
            }
            return nil
        }
        guard let told, !told.isEmpty else {
            throw .validation(
                "Invalid StreamViewType: Stream ViewType must not be null or empty when enabling streams.")
        }
        guard let view = StreamView(rawValue: told) else { throw .validation("Invalid StreamViewType: \(told)") }
        return view
    }
}
