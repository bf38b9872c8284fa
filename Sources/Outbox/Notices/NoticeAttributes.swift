import Crypto
import JSON

/// The attributes of a message by their names: `{"kind": {"DataType": "String", "StringValue": "a"}}`.
struct NoticeAttributes: Sendable {
    /// As functions are told of them.
    private(set) var told = JSONObject()
    /// As a queue takes them.
    private(set) var sent = JSONObject()
    /// As filters see them: texts, numbers and lists. Those of bytes are for nobody to filter by.
    private(set) var values = JSONObject()
    private(set) var bytes = 0

    init(_ attributes: JSONObject?) throws(OutboxError) {
        for (name, value) in (attributes?.members ?? []).map({ ($0.key, $0.value) }) {
            guard (1...OutboxLimits.nameBytesMax).contains(name.utf8.count) else {
                throw Self.invalid("Length of message attribute name must be 1 to \(OutboxLimits.nameBytesMax) bytes.")
            }
            try add(name, type: value["DataType"]?.string ?? "String", value)
        }
    }

    private mutating func add(_ name: String, type: String, _ value: JSONValue) throws(OutboxError) {
        let isBinary = Self.isKind("Binary", type)
        guard isBinary || Self.isKind("String", type) || Self.isKind("Number", type) else {
            throw Self.invalid(
                "The message attribute '\(name)' has an invalid message attribute type, the set of supported type prefixes is "
                    + "Binary, Number, and String.")
        }
        guard let text = value[isBinary ? "BinaryValue" : "StringValue"]?.string, !text.isEmpty else {
            throw Self.invalid(
                "The message attribute '\(name)' must contain non-empty message attribute value for message attribute type "
                    + "'\(type)'.")
        }
        told.set(name, to: ["Type": .string(type), "Value": .string(text)])
        sent.set(name, to: ["DataType": .string(type), (isBinary ? "BinaryValue" : "StringValue"): .string(text)])
        bytes += name.utf8.count + type.utf8.count + text.utf8.count
        if isBinary {
            guard Base64.bytes(of: text.utf8, .standard) != nil else {
                throw Self.invalid("The value of the message attribute '\(name)' is no base64.")
            }
        } else if Self.isKind("Number", type) {
            guard let number = Self.json(text), number.number != nil else {
                throw Self.invalid("Could not cast message attribute '\(name)' value to number.")
            }
            values.set(name, to: number)
        } else if type == "String.Array" {
            // What is no list of plain values matches nothing.
            guard let list = Self.json(text)?.array, list.allSatisfy({ $0.array == nil && $0.object == nil }) else {
                return
            }
            values.set(name, to: .array(list))
        } else {
            values.set(name, to: .string(text))
        }
    }

    /// `Number` and `Number.int`
    private static func isKind(_ kind: String, _ type: String) -> Bool {
        type == kind || type.hasPrefix("\(kind).") && type.utf8.count > kind.utf8.count + 1
    }

    private static func json(_ text: String) -> JSONValue? {
        let limits = JSONLimits(bytesMax: OutboxLimits.noticeBytesMax, nestingMax: OutboxLimits.nestingMax)
        return try? JSONReader.value(of: Array(text.utf8), limits: limits)
    }

    private static func invalid(_ message: String) -> OutboxError { OutboxError("ParameterValueInvalid", message) }
}
