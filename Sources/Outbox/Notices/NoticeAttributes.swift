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
            try Self.check(name)
            try add(name, type: value["DataType"]?.string ?? "String", value)
        }
    }

    private static func check(_ name: String) throws(OutboxError) {
        guard (1...OutboxLimits.nameBytesMax).contains(name.utf8.count) else {
            throw invalid("Length of message attribute name must be less than \(OutboxLimits.nameBytesMax) bytes.")
        }
        if let other = name.unicodeScalars.first(where: { !isOfName($0) }) {
            throw invalid(
                "Invalid non-alphanumeric character '#x\(String(other.value, radix: 16, uppercase: true))' was found in the "
                    + "message attribute name. Can only include alphanumeric characters, hyphens, underscores, or dots."
            )
        }
        guard !name.hasPrefix(".") else {
            throw invalid("Invalid message attribute name starting with character '.' was found.")
        }
        guard !name.hasSuffix(".") else {
            throw invalid("Invalid message attribute name ending with character '.' was found.")
        }
        guard !name.contains(bytesOf: "..") else {
            throw invalid("Message attribute name can not have successive '.' character.")
        }
    }

    /// Letters of any alphabet, as queues take them.
    private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "-" || scalar == "_"
            || scalar == "."
    }

    private mutating func add(_ name: String, type: String, _ value: JSONValue) throws(OutboxError) {
        let isBinary = Self.isKind("Binary", type)
        guard isBinary || Self.isKind("String", type) || Self.isKind("Number", type) else {
            throw Self.invalid(
                "The message attribute '\(name)' has an invalid message attribute type, the set of supported type prefixes is "
                    + "Binary, Number, and String.")
        }
        let fields = isBinary ? ("BinaryValue", "StringValue") : ("StringValue", "BinaryValue")
        if value[fields.0] == nil, value[fields.1] != nil {
            throw Self.invalid(
                "The message attribute '\(name)' with type '\(type)' must use field '\(isBinary ? "Binary" : "String")'."
            )
        }
        guard let text = value[fields.0]?.string, !text.isEmpty else {
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
