import JSON

// What CreateTable and UpdateTable say of tables, read with DynamoDB's texts, the first fault first.

extension TableShape {
    /// The table that a request wants.
    init(_ fields: RequestFields, name: String) throws(ItemError) {
        let definitions = try Self.definitions(fields)
        guard let schema = try fields.objects("KeySchema") else { throw .absent("keySchema") }
        let throughput = try Throughput(fields.fields("ProvisionedThroughput"))
        let isOnDemand = try Self.isOnDemand(fields, throughput)
        self.init(name, try KeySchema(schema, definitions, at: "keySchema"), definitions: definitions)
        self.throughput = isOnDemand ? nil : throughput
        tellsBilling = try fields.text("BillingMode") == "PAY_PER_REQUEST"
        guard isOnDemand || throughput != nil else {
            throw .validation("No provisioned throughput specified for the table")
        }
        if let throughput = self.throughput, throughput.reads < 1 || throughput.writes < 1 {
            throw .validation("Table read and write throughput must be at least 1, and cannot be null")
        }
        for name in ["LocalSecondaryIndexes", "GlobalSecondaryIndexes"] {
            if try fields.objects(name)?.isEmpty ?? false { throw .invalidValues("List of \(name) is empty") }
        }
        try addLocals(fields.objects("LocalSecondaryIndexes") ?? [])
        let globals = try fields.objects("GlobalSecondaryIndexes") ?? []
        try Self.demandGlobals(globals.count)
        for global in globals { try addGlobal(global) }
        try checkProjections()
        let used = Set(texts: (key.attributes + indexes.flatMap(\.key.attributes)).map(\.name))
        guard definitions.count == used.count else {
            let keys = (key.attributes + indexes.flatMap(\.key.attributes)).map(\.name).eachOnce()
            throw .invalidValues(
                "Some AttributeDefinitions are not used. AttributeDefinitions: "
                    + "[\(definitions.map(\.name).joined(separator: ", "))], keys used: [\(keys.joined(separator: ", "))]"
            )
        }
        isProtected = try fields.bool("DeletionProtectionEnabled") ?? false
        tags = try Self.tags(fields)
        tableClass = try Self.tableClass(fields)
    }

    /// The attributes that a request tells of.
    static func definitions(_ fields: RequestFields) throws(ItemError) -> [KeyAttribute] {
        var definitions: [KeyAttribute] = []
        for (place, definition) in (try fields.objects("AttributeDefinitions") ?? []).enumerated() {
            let member = "attributeDefinitions.\(place + 1).member"
            guard let type = try definition.text("AttributeType") else { throw .absent("\(member).attributeType") }
            guard let kind = ItemValue.Kind(rawValue: type), kind.isOrdered else {
                throw .parameter(
                    "Value '\(type)' at '\(member).attributeType' failed to satisfy constraint: Member must satisfy enum value "
                        + "set: [B, N, S]")
            }
            guard let name = try definition.text("AttributeName") else { throw .absent("\(member).attributeName") }
            guard (1...255).contains(name.utf8.count) else { throw KeySchema.wrongNameLength }
            guard !definitions.contains(where: { $0.name == name }) else {
                throw .invalidValues("Duplicate AttributeName in AttributeDefinitions: \(name)")
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
            guard !key.utf8.starts(with: "aws:".utf8) else {
                throw .invalidValues("The Key of a tag must not begin with aws:")
            }
            guard isOfTag(key), isOfTag(value) else {
                throw .invalidValues("The Key and the Value of a tag have letters, digits, blanks and _ . : / = + - @")
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

    /// Whether a text has only what tags may have.
    private static func isOfTag(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || scalar.properties.isWhitespace || scalar.properties.numericType != nil
                || "_.:/=+-@".unicodeScalars.contains { $0.value == scalar.value }
        }
    }

    // MARK: Indexes

    /// Refuses more local indexes than a table has.
    func demandLocals(_ count: Int) throws(ItemError) {
        guard count > 0 else { return }
        guard key.sort != nil else {
            throw .validation("Local Secondary indices are not allowed on hash tables, only hash and range tables")
        }
        guard count <= TableLimits.localIndexesMax else {
            throw .invalidValues(
                "Number of LocalSecondaryIndexes exceeds per-table limit of \(TableLimits.localIndexesMax)")
        }
    }

    static func demandGlobals(_ count: Int) throws(ItemError) {
        guard count <= TableLimits.globalIndexesMax else {
            throw .validation("GlobalSecondaryIndex count exceeds the per-table limit")
        }
    }

    private mutating func addLocals(_ list: [RequestFields]) throws(ItemError) {
        try demandLocals(list.count)
        for fields in list {
            let index = try newIndex(fields, isLocal: true, at: "localSecondaryIndexes.\(locals.count + 1).member")
            try add(local: index)
        }
    }

    mutating func add(local index: IndexShape) throws(ItemError) {
        guard index.key.sort != nil else { throw .validation("Local secondary indices must have a range key") }
        guard index.key.partition.name == key.partition.name else {
            throw .validation("Local Secondary indices must have the same hash key as the main table")
        }
        try demandNew(index)
        locals.append(index)
    }

    private func demandNew(_ index: IndexShape) throws(ItemError) {
        guard self.index(index.name) == nil else { throw .invalidValues("Duplicate index name: \(index.name)") }
    }

    mutating func addGlobal(_ fields: RequestFields) throws(ItemError) {
        var index = try newIndex(
            fields, isLocal: false, at: "globalSecondaryIndexes.\(globals.count + 1).member")
        try demandNew(index)
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

    private mutating func newIndex(
        _ fields: RequestFields, isLocal: Bool, at member: String
    ) throws(ItemError) -> IndexShape {
        guard let name = try fields.text("IndexName") else { throw .absent("\(member).indexName") }
        guard ItemRun.isName(name) else { throw .wrongName(name, at: "\(member).indexName") }
        guard let schema = try fields.objects("KeySchema") else { throw .absent("\(member).keySchema") }
        let key = try KeySchema(
            schema, definitions, at: "\(member).keySchema", most: isLocal ? 1 : TableLimits.keyAttributesMax)
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
    /// - Parameters:
    ///   - member: where the request has it.
    ///   - most: how many attributes a partition key may have, and how many a sort key: more than one in global indexes alone.
    init(
        _ elements: [RequestFields], _ definitions: [KeyAttribute], at member: String, most: Int = 1
    ) throws(ItemError) {
        var (partitions, sorts): ([String], [String]) = ([], [])
        for (place, element) in elements.enumerated() {
            let name = try element.text("AttributeName") ?? ""
            let type = try element.text("KeyType")
            switch type {
            case "HASH"?:
                guard most == 1 || sorts.isEmpty else {
                    throw .invalidValues("Invalid KeySchema: HASH key elements must precede RANGE key elements")
                }
                partitions.append(name)
            case "RANGE"?: sorts.append(name)
            case let other?:
                throw .parameter(
                    "Value '\(other)' at '\(member).\(place + 1).member.keyType' failed to satisfy constraint: Member must "
                        + "satisfy enum value set: [HASH, RANGE]")
            case nil: throw .absent("\(member).\(place + 1).member.keyType")
            }
        }
        guard elements.count <= 2 * most else {
            throw .parameter(
                "Value '[\(Self.shown(elements))]' at '\(member)' failed to satisfy constraint: Member must have length less "
                    + "than or equal to \(2 * most), with at most \(most) of HASH and \(most) of RANGE")
        }
        guard !partitions.isEmpty else {
            throw .invalidValues("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
        }
        guard partitions.count <= most, sorts.count <= most else {
            throw most == 1
                ? .invalidValues("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
                : .invalidValues(
                    "Invalid KeySchema: at most \(most) elements may be of HASH key type, and at most \(most) of RANGE key type"
                )
        }
        guard (partitions + sorts).eachOnce().count == elements.count else {
            throw .validation(
                "Invalid KeySchema: Both the Hash Key and the Range Key element in the KeySchema have the same name")
        }
        for name in partitions + sorts where !(1...255).contains(name.utf8.count) { throw Self.wrongNameLength }
        try Self.demand(partitions + sorts, in: definitions)
        func attributes(_ names: [String]) -> [KeyAttribute] {
            names.compactMap { name in definitions.first { $0.name == name } }
        }
        guard let schema = KeySchema(partitions: attributes(partitions), sorts: attributes(sorts)) else {
            throw .absent(member)
        }
        self = schema
    }

    /// Refuses a key whose attributes are not all defined.
    func demand(in definitions: [KeyAttribute]) throws(ItemError) {
        try Self.demand(attributes.map(\.name), in: definitions)
    }

    private static func demand(_ names: [String], in definitions: [KeyAttribute]) throws(ItemError) {
        let absent = names.filter { name in !definitions.contains { $0.name.compareBytes(to: name) == 0 } }
        guard absent.isEmpty else {
            throw .invalidValues(
                "Some index key attributes are not defined in AttributeDefinitions. Keys: "
                    + "[\(absent.joined(separator: ", "))], AttributeDefinitions: "
                    + "[\(definitions.map(\.name).joined(separator: ", "))]")
        }
    }

    private static func shown(_ elements: [RequestFields]) -> String {
        elements.map { element in
            let (name, type) = ((try? element.text("AttributeName")) ?? nil, (try? element.text("KeyType")) ?? nil)
            return "KeySchemaElement(attributeName=\(name ?? "null"), keyType=\(type ?? "null"))"
        }.joined(separator: ", ")
    }

    static let wrongNameLength = ItemError.validation(
        "Names of key attributes and attributes projected into an index must be between 1 and 255 characters, inclusive"
    )
}

extension IndexProjection {
    init(_ fields: RequestFields?) throws(ItemError) {
        guard let fields else { throw .invalidValues("Indexes must have a projection specified") }
        guard let type = try fields.text("ProjectionType") else {
            throw .invalidValues("Unknown ProjectionType: null")
        }
        let names = try fields.texts("NonKeyAttributes")
        switch type {
        case "INCLUDE":
            guard let names, !names.isEmpty else {
                throw .invalidValues("ProjectionType is INCLUDE, but NonKeyAttributes is not specified")
            }
            guard names.eachOnce().count == names.count else {
                throw .invalidValues("Duplicate value in NonKeyAttributes")
            }
            guard names.allSatisfy({ (1...255).contains($0.utf8.count) }) else { throw KeySchema.wrongNameLength }
            self = .include(names.eachOnce())
        case "ALL", "KEYS_ONLY":
            guard case .none = names else {
                throw .invalidValues("ProjectionType is \(type), but NonKeyAttributes is specified")
            }
            self = type == "ALL" ? .all : .keysOnly
        default:
            throw .parameter(
                "Value '\(type)' at 'projection.projectionType' failed to satisfy constraint: Member must satisfy enum value "
                    + "set: [ALL, INCLUDE, KEYS_ONLY]")
        }
    }
}

extension Throughput {
    init?(_ fields: RequestFields?) throws(ItemError) {
        guard let fields else { return nil }
        func units(_ name: String) throws(ItemError) -> Int64 {
            guard let units = try fields.integer(name) else {
                throw .absent("provisionedThroughput.\(name.prefix(1).lowercased() + name.dropFirst())")
            }
            return units
        }
        self.init(reads: try units("ReadCapacityUnits"), writes: try units("WriteCapacityUnits"))
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
