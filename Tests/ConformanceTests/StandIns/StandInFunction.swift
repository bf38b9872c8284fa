import JSON

/// What a function that a schema names does in a case.
indirect enum StandInFunction: Sendable {
    /// Answers always the same.
    case constant(JSONValue)
    /// Answers the event that it was called with.
    case echo
    /// Answers what stands at a place in the event.
    case get(String)
    /// Answers what is listed for the value at a place in the event.
    case lookup(String, rows: JSONObject, otherwise: JSONValue)
    case failure(message: String, type: String)
    /// Decides about the events of a publish to a channel, by position: `null` leaves one out, `"same"` hands it on, and an object
    /// comes with its id. Those after the list are handed on.
    case events([JSONValue])
    /// Does something else for each field that it resolves, `Query.articles` say.
    case dispatch([String: StandInFunction])

    init(_ fields: CaseFields) throws(CaseFormError) {
        switch try fields.text("kind") {
        case "const": self = .constant(try fields.value("value"))
        case "echo": self = .echo
        case "get": self = .get(try fields.text("path"))
        case "lookup":
            self = .lookup(
                try fields.text("path"), rows: try fields.object("rows"), otherwise: fields.members["default"] ?? .null)
        case "events": self = .events(try fields.array("each"))
        case "error": self = .failure(message: try fields.text("message"), type: try fields.text("type", or: "Error"))
        case "dispatch":
            self = .dispatch(
                try fields.named("fields") { name, value throws(CaseFormError) in
                    try StandInFunction(CaseFields(value, "the function for \(name)"))
                })
        case let kind: throw CaseFormError("there is no function of the kind \(kind)")
        }
    }

    /// What it answers to an event, and whether that is an error.
    func result(of event: JSONValue) -> (value: JSONValue, isError: Bool) {
        switch self {
        case .constant(let value): return (value, false)
        case .echo: return (event, false)
        case .get(let path): return (Self.value(at: path, in: event) ?? .null, false)
        case .lookup(let path, let rows, let otherwise):
            let key = Self.value(at: path, in: event).map { $0.string ?? JSONWriter.text(of: $0) }
            return (key.flatMap { rows[$0] } ?? otherwise, false)
        case .failure(let message, let type):
            return (["errorMessage": .string(message), "errorType": .string(type)], true)
        case .events(let each):
            let answers = (event["events"]?.array ?? []).enumerated().compactMap { index, event -> JSONValue? in
                guard index < each.count, each[index] != "same" else { return event }
                guard var answer = each[index].object else { return nil }
                answer.set("id", to: event["id"] ?? .null)
                return .object(answer)
            }
            return (["events": .array(answers)], false)
        case .dispatch(let functions):
            let field = [event["typeName"], event["fieldName"]].compactMap(\.?.string).joined(separator: ".")
            let none = StandInFunction.failure(message: "Resolver not found.", type: "Error")
            return (functions[field] ?? none).result(of: event)
        }
    }

    private static func value(at path: String, in event: JSONValue) -> JSONValue? {
        path.split(separator: ".").reduce(event) { value, part in
            value?[String(part)] ?? Int(part).flatMap { value?[$0] }
        }
    }
}
