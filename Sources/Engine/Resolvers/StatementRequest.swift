import Access
import JSON
import Resolvers

/// What a handler asks of a relational database: `{statements, variableMap, variableTypeHintMap}`. It is asked as RDS's Data API is.
struct StatementRequest {
    private let statements: [String]
    private let parameters: JSONValue

    private static let statementsMax = 2
    private static let statementBytesMax = 64 << 10

    init(_ value: JSONValue) throws(ResolverError) {
        let request = try RequestMembers(value)
        let given = try request.list("statements")
        guard (1...Self.statementsMax).contains(given.count) else {
            throw ResolverError(
                "A request has 1 or \(Self.statementsMax) statements. See $[statements].", type: "MappingTemplate")
        }
        var statements: [String] = []
        for statement in given {
            guard let text = statement.string, text.utf8.count <= Self.statementBytesMax else {
                throw ResolverError(
                    "Each of the statements must be a text of at most \(Self.statementBytesMax) bytes. See $[statements].",
                    type: "MappingTemplate")
            }
            statements.append(text)
        }
        self.statements = statements
        let hints = try request.object("variableTypeHintMap") ?? JSONObject()
        parameters = .array(
            (try request.object("variableMap") ?? JSONObject()).map { member in
                let name = member.key.hasPrefix(":") ? String(member.key.dropFirst()) : member.key
                var parameter = JSONObject([("name", .string(name)), ("value", Self.field(member.value))])
                if let hint = hints[member.key]?.string { parameter.set("typeHint", to: .string(hint)) }
                return .object(parameter)
            })
    }

    private static func field(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null: ["isNull": true]
        case .bool: ["booleanValue": value]
        case .integer: ["longValue": value]
        case .double(let double):
            Int64(exactly: double).map { ["longValue": .integer($0)] } ?? ["doubleValue": value]
        case .string: ["stringValue": value]
        case .largeInteger, .array, .object: ["stringValue": .string(JSONWriter.text(of: value))]
        }
    }

    /// The statements in their order; of two either both have happened or none.
    func answer(
        _ database: ResolverSource.Database, _ signing: ResolverSource.Signing?, _ call: FieldCall, _ place: CallPlace
    ) async throws(ResolverError) -> TableRequest.Answer {
        func ask(_ operation: String, _ members: JSONObject) async throws(ResolverError) -> JSONObject {
            var body = JSONObject([
                ("resourceArn", .string(database.cluster)), ("secretArn", .string(database.secret)),
            ])
            for member in members { body.set(member.key, to: member.value) }
            let request = HTTPSourceRequest(
                method: "POST", path: operation, fields: [(name: "content-type", value: "application/json")],
                body: JSONWriter.bytes(of: .object(body)))
            let response = try await request.response(database.url, signing, call, place).get()
            let answer = (try? JSONReader.value(of: response.body))?.object ?? JSONObject()
            guard (200..<300).contains(response.status) else {
                let type = (response.field("x-amzn-errortype") ?? answer["__type"]?.string ?? "BadRequestException")
                    .parts(separatedBy: ":").first
                let text = answer["message"]?.string ?? answer["Message"]?.string
                throw ResolverError(
                    text ?? CallFailure.shortened(String(decoding: response.body, as: UTF8.self)),
                    type: "RDSHttp:\(type ?? "BadRequestException")")
            }
            return answer
        }
        var named = JSONObject()
        if let name = database.name { named.set("database", to: .string(name)) }
        do throws(ResolverError) {
            var transaction: JSONValue?
            if statements.count > 1 { transaction = try await ask("/BeginTransaction", named)["transactionId"] }
            var results: [JSONValue] = []
            do throws(ResolverError) {
                for statement in statements {
                    var members = named
                    members.set("sql", to: .string(statement))
                    members.set("parameters", to: parameters)
                    members.set("includeResultMetadata", to: true)
                    if let transaction { members.set("transactionId", to: transaction) }
                    results.append(.object(Self.result(try await ask("/Execute", members))))
                }
                if let transaction {
                    _ = try await ask("/CommitTransaction", JSONObject([("transactionId", transaction)]))
                }
            } catch {
                if let transaction {
                    _ = try? await ask("/RollbackTransaction", JSONObject([("transactionId", transaction)]))
                }
                throw error
            }
            return TableRequest.Answer(.string(JSONWriter.text(of: ["sqlStatementResults": .array(results)])))
        } catch {
            return TableRequest.Answer(.null, error: error)
        }
    }

    private static func result(_ answer: JSONObject) -> JSONObject {
        var result = JSONObject([("numberOfRecordsUpdated", answer["numberOfRecordsUpdated"] ?? .integer(0))])
        for name in ["records", "columnMetadata", "generatedFields"] {
            if let value = answer[name], !value.isNull { result.set(name, to: value) }
        }
        return result
    }
}
