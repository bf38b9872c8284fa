import JSON

/// The description of a table that an import into DynamoDB needs: `TableCreationParameters` of `ImportTable`.
package struct TableDescription: Sendable {
    /// The file that it goes into, beside the items.
    package static let fileName = "table.json"

    package enum AttributeKind: String, Sendable {
        case text = "S"
        case number = "N"
    }

    package struct Attribute: Sendable {
        package let name: String
        package let kind: AttributeKind

        package init(_ name: String, _ kind: AttributeKind) {
            self.name = name
            self.kind = kind
        }
    }

    package struct Key: Sendable {
        /// Empty for the primary key.
        package let name: String
        package let partition: Attribute
        package let sort: Attribute?

        package init(name: String, partition: Attribute, sort: Attribute?) {
            self.name = name
            self.partition = partition
            self.sort = sort
        }

        fileprivate var schema: JSONValue {
            var parts: [JSONValue] = [["AttributeName": .string(partition.name), "KeyType": "HASH"]]
            if let sort { parts.append(["AttributeName": .string(sort.name), "KeyType": "RANGE"]) }
            return .array(parts)
        }
    }

    package let name: String
    /// The primary key first.
    package let keys: [Key]

    package init(name: String, keys: [Key]) {
        self.name = name
        self.keys = keys
    }

    package var json: JSONValue {
        var seen: Set<ByteText> = []
        let attributes = keys.flatMap { [$0.partition] + ($0.sort.map { [$0] } ?? []) }.filter { seen.add($0.name) }
        var object = JSONObject([
            ("TableName", .string(name)),
            (
                "AttributeDefinitions",
                .array(
                    attributes.map {
                        ["AttributeName": .string($0.name), "AttributeType": .string($0.kind.rawValue)]
                    })
            ), ("KeySchema", keys.first?.schema ?? .array([])), ("BillingMode", "PAY_PER_REQUEST"),
        ])
        let indexes = keys.dropFirst()
        if !indexes.isEmpty {
            object.set(
                "GlobalSecondaryIndexes",
                to: .array(
                    indexes.map {
                        [
                            "IndexName": .string($0.name), "KeySchema": $0.schema,
                            "Projection": ["ProjectionType": "ALL"],
                        ]
                    }))
        }
        return .object(object)
    }
}
