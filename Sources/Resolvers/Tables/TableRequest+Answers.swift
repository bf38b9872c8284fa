import JSON

extension TableRequest {
    /// Whether the items that are read are wanted as handlers see them: nothing of theirs is compared with a request.
    package var readsPlain: Bool {
        switch kind {
        case .getItem, .query, .scan, .sync: true
        default: false
        }
    }

    /// What the answer of DynamoDB's API is for the handler. Items in it are plain where `readsPlain` says so.
    package func answer(_ answer: JSONObject) -> Answer {
        switch kind {
        case .getItem: return Answer(answer["Item"] ?? .null)
        case .putItem: return Answer(.object(TypedValues.plain(wanted ?? JSONObject())))
        case .updateItem, .deleteItem: return Answer(Self.plain(answer["Attributes"]))
        case .query: return Answer(page(answer, "query"))
        case .scan: return Answer(page(answer, "scan"))
        case .sync:
            guard case .object(var page) = page(answer, "sync") else { return Answer(.null) }
            page.set("startedAt", to: .integer(startedAt))
            return Answer(.object(page))
        case .batchGetItem: return Answer(batch(found: answer))
        case .batchPutItem, .batchDeleteItem: return Answer(batch(written: answer))
        case .transactGetItems:
            let items = (answer["Responses"]?.array ?? []).map { Self.plain($0["Item"]) }
            return Answer(["items": .array(items), "cancellationReasons": .null])
        case .transactWriteItems:
            return Answer(["keys": .array(transactKeys), "cancellationReasons": .null])
        }
    }

    private static func plain(_ item: JSONValue?) -> JSONValue {
        guard let item = item?.object else { return .null }
        return .object(TypedValues.plain(item))
    }

    private func page(_ answer: JSONObject, _ operation: String) -> JSONValue {
        let items = answer["Items"]?.array ?? []
        var token = JSONValue.null
        if let end = answer["LastEvaluatedKey"], end.object != nil {
            let scope = source.scope(of: operation, index: body["IndexName"]?.string)
            token = .string(cursors.token(JSONWriter.bytes(of: end), scope))
        }
        return ["items": .array(items), "nextToken": token, "scannedCount": answer["ScannedCount"] ?? .integer(0)]
    }

    /// Items in the order of their keys, null for those that are not there.
    private func batch(found answer: JSONObject) -> JSONValue {
        var data = JSONObject()
        var left = JSONObject()
        for request in body["RequestItems"]?.object ?? JSONObject() {
            let keys = request.value["Keys"]?.array ?? []
            let items = (answer["Responses"]?[request.key]?.array ?? []).compactMap(\.object)
            let unasked = unasked[ByteText(request.key)] ?? []
            data.set(
                request.key,
                to: .array(
                    keys.map { key in
                        guard let key = key.object, let item = items.first(where: { Self.has($0, key) }) else {
                            return .null
                        }
                        var plain = TypedValues.plain(item)
                        for name in unasked { plain.remove(name) }
                        return .object(plain)
                    }))
            left.set(request.key, to: unprocessed(answer["UnprocessedKeys"]?[request.key]?["Keys"]?.array ?? []))
        }
        return ["data": .object(data), "unprocessedKeys": .object(left)]
    }

    private static func has(_ item: JSONObject, _ key: JSONObject) -> Bool {
        key.allSatisfy { part in item[part.key].map { same($0, part.value) } ?? false }
    }

    private static func same(_ value: JSONValue, _ other: JSONValue) -> Bool {
        if value == other { return true }
        // `1` and `1.0` are the same number.
        guard let left = value["N"]?.string, let right = other["N"]?.string else { return false }
        return Double(left) != nil && Double(left) == Double(right)
    }

    private func batch(written answer: JSONObject) -> JSONValue {
        let isPut = kind == .batchPutItem
        var data = JSONObject()
        var left = JSONObject()
        for request in body["RequestItems"]?.object ?? JSONObject() {
            func items(_ list: JSONValue?) -> [JSONValue] {
                (list?.array ?? []).compactMap { $0[isPut ? "PutRequest" : "DeleteRequest"]?[isPut ? "Item" : "Key"] }
            }
            data.set(request.key, to: unprocessed(items(request.value)))
            left.set(request.key, to: unprocessed(items(answer["UnprocessedItems"]?[request.key])))
        }
        return ["data": .object(data), isPut ? "unprocessedItems" : "unprocessedKeys": .object(left)]
    }

    private func unprocessed(_ items: [JSONValue]) -> JSONValue { .array(items.map { Self.plain($0) }) }

    private var transactKeys: [JSONValue] {
        (fields.value("transactItems")?.array ?? []).map { entry in
            Self.plain(entry["key"]?.object.map { .object((try? TypedValues.typed($0)) ?? $0) })
        }
    }

    // MARK: Refusals

    /// The ARN of the function that says what becomes of a change whose condition was not met; nil: it has failed.
    package var conditionFunction: String? {
        guard let handler = (try? fields.expression("condition"))?.value("conditionalCheckFailedHandler"),
            handler["strategy"] == "Custom"
        else { return nil }
        return handler["lambdaArn"]?.string
    }

    fileprivate static let failedCondition = "DynamoDB:ConditionalCheckFailedException"

    /// What a refusal of DynamoDB's API is for the handler.
    ///
    /// - Parameters:
    ///   - type: the name of the error: `ConditionalCheckFailedException`.
    ///   - item: the one that did not fulfil the condition, as the API has it.
    ///   - reasons: of a transaction that was cancelled.
    package func refusal(
        type: String, message: String, item: JSONObject?, reasons: [JSONValue], identifier: String
    ) -> Answer {
        // The service says so of a key that is not the table's; the words are those of its stand-in for one machine.
        let said =
            message == "One of the required keys was not given a value"
            ? "The provided key element does not match the schema" : message
        let text = "\(said) (Service: DynamoDb, Status Code: 400, Request ID: \(identifier))"
        switch type {
        case "ConditionalCheckFailedException":
            let stored = item.map { JSONValue.object(TypedValues.plain($0)) } ?? .null
            if isConflict(item) {
                return Answer(
                    stored,
                    error: ResolverError("Conflict resolver rejects mutation.", type: "ConflictUnhandled", data: stored)
                )
            }
            // What is wanted is there already.
            if kind == .putItem, let item, let wanted, isSame(item, wanted) { return Answer(stored) }
            if kind == .deleteItem, item == nil { return Answer(.null) }
            return Answer(stored, error: ResolverError(text, type: Self.failedCondition))
        case "TransactionCanceledException":
            let told = reasons.map { reason -> JSONValue in
                let code = reason["Code"]?.string ?? "None"
                let isCondition = code == "ConditionalCheckFailed"
                var entry = JSONObject([
                    ("type", .string(isCondition ? "ConditionCheckFailed" : code)),
                    (
                        "message",
                        .string(
                            isCondition
                                ? "The condition check failed." : reason["Message"]?.string ?? "None")
                    ),
                ])
                if isCondition { entry.set("item", to: Self.plain(reason["Item"])) }
                return .object(entry)
            }
            let name = kind == .transactGetItems ? "items" : "keys"
            return Answer(
                [name: .null, "cancellationReasons": .array(told)],
                error: ResolverError(text, type: "DynamoDB:TransactionCanceledException"))
        case "ResourceNotFoundException", "ProvisionedThroughputExceededException", "ThrottlingException",
            "TransactionConflictException", "ItemCollectionSizeLimitExceededException",
            "IdempotentParameterMismatchException":
            return Answer(.null, error: ResolverError(text, type: "DynamoDB:\(type)"))
        default: return Answer(.null, error: ResolverError(text, type: "DynamoDB:DynamoDbException"))
        }
    }

    /// Whether it is the version that did not fit.
    private func isConflict(_ item: JSONObject?) -> Bool {
        guard source.isVersioned, let known = try? fields.integer("_version"), let item,
            let stored = item["_version"]?["N"]?.string
        else { return false }
        return stored != "\(known)"
    }

    /// Whether an item is as a put wants it, apart from what does not matter.
    private func isSame(_ item: JSONObject, _ wanted: JSONObject) -> Bool {
        let condition = try? fields.expression("condition")
        let ignored = (condition?.value("equalsIgnore")?.array ?? []).compactMap(\.string)
        func relevant(_ item: JSONObject) -> [JSONObject.Member] { item.filter { !ignored.contains($0.key) } }
        let (left, right) = (relevant(item), relevant(wanted))
        return left.count == right.count
            && left.allSatisfy { member in wanted[member.key].map { Self.same(member.value, $0) } ?? false }
    }

}

extension TableRequest.Answer {
    /// Whether a change was not made because its condition was not met.
    package var failsCondition: Bool { error?.type == TableRequest.failedCondition }
}
