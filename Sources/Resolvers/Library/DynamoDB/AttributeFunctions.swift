import JSON

/// `util.dynamodb`: values with the names of their types, as requests to tables have them.
enum AttributeFunctions {
    static let prefix = "util.dynamodb."

    /// Functions that take one value, and what they make of it.
    private static let conversions: [(name: String, type: AttributeType)] = [
        ("toString", .string), ("toNumber", .number), ("toBinary", .binary), ("toBoolean", .boolean),
        ("toStringSet", .stringSet), ("toNumberSet", .numberSet), ("toBinarySet", .binarySet),
        ("toList", .list), ("toMap", .map), ("toNull", .null),
    ]

    static let all =
        conversions.map { conversion in
            LibraryFunction(prefix + conversion.name) { call throws(ResolverError) in
                try conversion.type.value(call[0], &call)
            }
        } + [
            LibraryFunction(prefix + "toDynamoDB") { call throws(ResolverError) in
                try AttributeType.typed(call[0], &call)
            },
            LibraryFunction(prefix + "toMapValues") { call throws(ResolverError) in
                guard let object = try call.optionalObject(0) else { return .null }
                return .object(try AttributeType.typed(object, &call))
            },
            LibraryFunction(prefix + "toS3Object") { call throws(ResolverError) in try object(&call) },
            LibraryFunction(prefix + "fromS3ObjectJson") { call in place(call[0]) },
        ]

    // MARK: Objects in S3

    /// `(key, bucket, region, version?)`
    private static func object(_ call: inout LibraryCall) throws(ResolverError) -> JSONValue {
        var object = JSONObject()
        for (index, name) in ["key", "bucket", "region", "version"].enumerated() {
            guard let text = try call.optionalText(index) else { continue }
            object.set(name, to: .string(text))
        }
        return ["S": .string(JSONWriter.text(of: ["s3": .object(object)]))]
    }

    /// What `toS3Object` has written; null for anything else.
    private static func place(_ value: JSONValue) -> JSONValue {
        guard let text = value.string ?? value["S"]?.string, let read = try? JSONReader.value(of: text),
            let object = read["s3"]?.object
        else { return .null }
        return .object(object)
    }
}
