import JSON

/// What a database answers, as `toJsonObject` reads it: for each statement a list of rows, of which each is an object.
enum RelationalResult {
    static func rows(_ call: inout LibraryCall) throws(ResolverError) -> JSONValue {
        var answer = call[0]
        if let text = answer.string {
            try call.count(bytes: text.utf8.count)
            guard let read = try? JSONReader.value(of: text) else { return .null }
            answer = read
        }
        guard !answer.isNull else { return .null }
        var statements: [JSONValue] = []
        for result in answer["sqlStatementResults"]?.array ?? [] {
            statements.append(try rows(of: result, &call))
        }
        return .array(statements)
    }

    private static func rows(of result: JSONValue, _ call: inout LibraryCall) throws(ResolverError) -> JSONValue {
        guard let records = result["records"]?.array else { return [[:]] }
        let names = (result["columnMetadata"]?.array ?? []).map { $0["label"]?.string ?? $0["name"]?.string ?? "" }
        var rows: [JSONValue] = []
        rows.reserveCapacity(records.count)
        for record in records {
            let fields = record.array ?? []
            try call.count(1 + fields.count)
            var row = JSONObject()
            for (name, field) in zip(names, fields) {
                let value = try value(of: field, &call, depth: 1)
                // Columns that are null are left out.
                if !value.isNull { row.set(name, to: value) }
            }
            rows.append(.object(row))
        }
        return .array(rows)
    }

    /// `{stringValue: …}`, `{isNull: true}`, `{arrayValue: {longValues: […]}}`
    private static func value(
        of field: JSONValue, _ call: inout LibraryCall, depth: Int
    ) throws(ResolverError) -> JSONValue {
        try call.check(depth: depth)
        guard let object = field.object, object["isNull"]?.bool != true else { return .null }
        let list = object["arrayValue"]?.object ?? (object["arrayValues"] == nil ? nil : object)
        guard let list else { return object.members.first?.value ?? .null }
        guard let inner = list["arrayValues"]?.array else { return list.members.first?.value ?? [] }
        try call.count(inner.count)
        var values: [JSONValue] = []
        for element in inner {
            let isList = element["arrayValues"] != nil
            values.append(
                isList
                    ? try value(of: element, &call, depth: depth + 1) : element.object?.members.first?.value ?? .null)
        }
        return .array(values)
    }
}
