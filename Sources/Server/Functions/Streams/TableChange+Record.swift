import JSON
import Store

extension TableChange {
    /// Its name among the changes of its table: texts of the same length, in their order.
    var sequenceNumber: String {
        let digits = String(number)
        return "1" + String(repeating: "0", count: max(0, Self.sequenceDigits - digits.utf8.count)) + digits
    }

    private static let sequenceDigits = 20

    /// `INSERT`, `MODIFY` or `REMOVE`.
    var name: String { old == nil ? "INSERT" : new == nil ? "REMOVE" : "MODIFY" }

    /// The record for functions, in the form of DynamoDB's streams.
    func record(of table: TableLayout, typeName: String, region: String) -> JSONValue {
        let (before, after) = (old.flatMap { TableImage($0, of: table) }, new.flatMap { TableImage($0, of: table) })
        var size = 0
        func attributes(_ image: TableImage, _ fields: [String]? = nil) -> JSONValue {
            var members = JSONObject()
            func add(_ name: String, _ value: JSONValue) {
                guard fields?.contains(name) ?? true else { return }
                size += name.utf8.count + AttributeValue.size(of: value)
                members.set(name, to: AttributeValue.of(value))
            }
            for value in image.values { add(value.name, value.value) }
            for name in image.nulls { add(name, .null) }
            add("__typename", .string(typeName))
            return .object(members)
        }
        var change = JSONObject([("ApproximateCreationDateTime", .integer(time / 1_000))])
        if let image = after ?? before { change.set("Keys", to: attributes(image, table.keyAttributes)) }
        if let after { change.set("NewImage", to: attributes(after)) }
        if let before { change.set("OldImage", to: attributes(before)) }
        change.set("SequenceNumber", to: .string(sequenceNumber))
        change.set("SizeBytes", to: .integer(Int64(size)))
        change.set("StreamViewType", to: "NEW_AND_OLD_IMAGES")
        var record = JSONObject([
            ("eventID", .string("\(table.model)-\(sequenceNumber)")), ("eventName", .string(name)),
            ("eventVersion", "1.1"),
            ("eventSource", "aws:dynamodb"), ("awsRegion", .string(region)), ("dynamodb", .object(change)),
            ("eventSourceARN", .string(TableName.streamARN(of: table.model, region: region))),
        ])
        // A tombstone whose time is over is nobody's deletion.
        if new == nil,
            before?.values.contains(where: { $0.name == SyncField.deleted.rawValue && $0.value == true }) == true
        {
            record.set("userIdentity", to: ["type": "Service", "principalId": "dynamodb.amazonaws.com"])
        }
        return .object(record)
    }
}

extension TableLayout {
    /// The attributes of its key.
    fileprivate var keyAttributes: [String] {
        primaryKey.map { [$0.partition] + [$0.sortAttribute?.name].compactMap(\.self) } ?? []
    }
}
