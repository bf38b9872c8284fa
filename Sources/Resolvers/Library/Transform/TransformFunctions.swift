import JSON

/// `util.transform`.
///
/// An operand that is undefined is null here: without it a condition would be left out, and more would be allowed than was meant.
enum TransformFunctions {
    static let all =
        ["toDynamoDBFilterExpression", "toDynamoDBConditionExpression"].map { name in
            LibraryFunction("util.transform." + name, seesUndefined: true) { call throws(ResolverError) in
                guard let expression = try FilterExpression.of(call[0], &call) else { return .null }
                return .string(JSONWriter.text(of: .object(expression.object(keepsEmpty: true))))
            }
        } + [
            LibraryFunction("util.transform.toSubscriptionFilter", seesUndefined: true) { call throws(ResolverError) in
                try SubscriptionFilterBuilder.filter(call[0], ignoring: call[1], rules: call[2], &call)
            },
            LibraryFunction("util.transform.toElasticsearchQueryDSL", seesUndefined: true) {
                call throws(ResolverError) in
                guard let query = try SearchQueryText.of(call[0], &call) else { return .null }
                return .string(JSONWriter.text(of: query))
            },
        ]
}
