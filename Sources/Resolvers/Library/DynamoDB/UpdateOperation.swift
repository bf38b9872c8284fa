import JSON

/// `operations` of the module `dynamodb`: what an update does with an attribute, as values that say so by their `type`.
enum UpdateOperation: String, CaseIterable {
    case add = "OPERATION_ADD"
    case append = "OPERATION_APPEND"
    case decrement = "OPERATION_DECREMENT"
    case increment = "OPERATION_INCREMENT"
    case prepend = "OPERATION_PREPEND"
    case remove = "OPERATION_REMOVE"
    case replace = "OPERATION_REPLACE"
    case updateListItem = "OPERATION_UPDATE_LIST_ITEM"

    /// Where the operand is.
    private var member: String? {
        switch self {
        case .add, .replace, .updateListItem: "value"
        case .append, .prepend: "items"
        case .increment, .decrement: "by"
        case .remove: nil
        }
    }

    static let functions = allCases.map { operation in
        LibraryFunction("dynamodb.operations.\(operation)", in: .javaScript) { call in operation.value(call) }
    }

    /// `(value)`, `(items)`, `(by = 1)`, `()`, `(value, index)`
    private func value(_ call: LibraryCall) -> JSONValue {
        var object = JSONObject([("type", .string(rawValue))])
        switch self {
        case .increment, .decrement: object.set("by", to: call[0].isNull ? 1 : call[0])
        default: if let member { object.set(member, to: call[0]) }
        }
        if self == .updateListItem { object.set("index", to: call[1]) }
        return .object(object)
    }

    /// The operation that a value says, and its operand.
    static func read(_ value: JSONValue) -> (operation: UpdateOperation, operand: JSONValue, index: Int64?)? {
        guard let object = value.object, let operation = object["type"]?.string.flatMap(Self.init(rawValue:)) else {
            return nil
        }
        let operand = operation.member.flatMap { object[$0] } ?? .null
        let index = object["index"].flatMap { $0.integer ?? $0.number.flatMap { Int64(exactly: $0) } }
        return (operation, operand, index)
    }

    /// The clause of `SET`.
    func clause(_ path: String, _ value: String) -> String {
        switch self {
        case .increment: "\(path) = \(path) + \(value)"
        case .decrement: "\(path) = \(path) - \(value)"
        case .append: "\(path) = list_append(\(path), \(value))"
        case .prepend: "\(path) = list_append(\(value), \(path))"
        case .add, .replace, .updateListItem, .remove: "\(path) = \(value)"
        }
    }
}
