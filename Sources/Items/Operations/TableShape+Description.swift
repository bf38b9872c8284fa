import JSON

// Tables as DescribeTable and its like tell of them.

extension TableShape {
    func description(
        _ settings: ItemSettings, _ count: ItemService.TableCount = .init(), status: String = "ACTIVE",
        isBeginning: Bool = false
    ) -> JSONValue {
        var object = JSONObject([
            ("AttributeDefinitions", .array(definitions.map(\.description))), ("TableName", .string(name)),
            ("KeySchema", key.description), ("TableStatus", .string(status)),
            ("CreationDateTime", .double(Double(created) / 1_000)),
            ("ProvisionedThroughput", Throughput.description(throughput)),
            ("TableSizeBytes", .integer(count.bytes)), ("ItemCount", .integer(count.items)),
            ("TableArn", .string(settings.arn(of: name))), ("TableId", .string(identifier)),
        ])
        if tellsBilling { object.set("BillingModeSummary", to: billing) }
        if !locals.isEmpty {
            object.set(
                "LocalSecondaryIndexes", to: .array(locals.map { description(of: $0, settings, count, isBeginning) }))
        }
        if !globals.isEmpty {
            object.set(
                "GlobalSecondaryIndexes",
                to: .array(globals.map { description(of: $0, settings, count, isBeginning) }))
        }
        if let stream {
            object.set(
                "StreamSpecification", to: ["StreamEnabled": true, "StreamViewType": .string(stream.view.rawValue)])
        }
        if let latestStream {
            object.set("LatestStreamLabel", to: .string(latestStream))
            object.set("LatestStreamArn", to: .string(settings.streamARN(of: name, latestStream)))
        }
        if let tableClass, tableClass != "STANDARD" {
            object.set("TableClassSummary", to: ["TableClass": .string(tableClass)])
        }
        object.set("DeletionProtectionEnabled", to: .bool(isProtected))
        return .object(object)
    }

    private var billing: JSONValue {
        guard throughput == nil else { return ["BillingMode": "PROVISIONED"] }
        return [
            "BillingMode": "PAY_PER_REQUEST", "LastUpdateToPayPerRequestDateTime": .double(Double(created) / 1_000),
        ]
    }

    /// What DeleteTable says: neither keys nor indexes.
    func lastDescription(_ settings: ItemSettings) -> JSONValue {
        var object = JSONObject([
            ("TableName", .string(name)), ("TableStatus", "DELETING"),
            ("ProvisionedThroughput", Throughput.description(throughput)), ("TableSizeBytes", 0), ("ItemCount", 0),
            ("TableArn", .string(settings.arn(of: name))), ("TableId", .string(identifier)),
        ])
        if tellsBilling { object.set("BillingModeSummary", to: billing) }
        object.set("DeletionProtectionEnabled", to: .bool(isProtected))
        return .object(object)
    }

    private func description(
        of index: IndexShape, _ settings: ItemSettings, _ count: ItemService.TableCount, _ isBeginning: Bool
    ) -> JSONValue {
        var projection = JSONObject([("ProjectionType", .string(index.projection.name))])
        if case .include(let names) = index.projection {
            projection.set("NonKeyAttributes", to: .array(names.map { .string($0) }))
        }
        var object = JSONObject([
            ("IndexName", .string(index.name)), ("KeySchema", index.key.description),
            ("Projection", .object(projection)),
        ])
        if !index.isLocal {
            object.set("IndexStatus", to: index.isFilled ? "ACTIVE" : "CREATING")
            if !index.isFilled { object.set("Backfilling", to: .bool(!isBeginning)) }
            object.set("ProvisionedThroughput", to: Throughput.description(index.throughput))
        }
        object.set("IndexSizeBytes", to: .integer(0))
        object.set("ItemCount", to: .integer(count.entries[index.number] ?? 0))
        object.set("IndexArn", to: .string("\(settings.arn(of: name))/index/\(index.name)"))
        return .object(object)
    }
}

extension KeyAttribute {
    fileprivate var description: JSONValue {
        ["AttributeName": .string(name), "AttributeType": .string(kind.rawValue)]
    }
}

extension KeySchema {
    var description: JSONValue {
        .array(
            attributes.enumerated().map { place, attribute in
                [
                    "AttributeName": .string(attribute.name),
                    "KeyType": place <= furtherPartitions.count ? "HASH" : "RANGE",
                ]
            })
    }
}

extension Throughput {
    fileprivate static func description(_ throughput: Throughput?) -> JSONValue {
        [
            "NumberOfDecreasesToday": 0, "ReadCapacityUnits": .integer(throughput?.reads ?? 0),
            "WriteCapacityUnits": .integer(throughput?.writes ?? 0),
        ]
    }
}

extension ItemSettings {
    func streamARN(of table: String, _ label: String) -> String { "\(arn(of: table))/stream/\(label)" }
}
