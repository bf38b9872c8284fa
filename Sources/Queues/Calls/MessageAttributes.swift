import Crypto
import JSON
import Store

/// The attributes that a sender gives a message: each with its type, a text or bytes.
///
///     {"city": {"DataType": "String", "StringValue": "Rome"}, "icon": {"DataType": "Binary", "BinaryValue": "aGk="}}
struct MessageAttributes: Sendable {
    private var members: [(name: String, type: String, value: Value)] = []

    enum Value: Sendable {
        case text(String)
        case bytes([UInt8])
    }

    init() {}

    /// - Parameter name: what the call has them under.
    init(_ value: JSONValue?, named name: String = "MessageAttributes") throws(QueueError) {
        guard let value, !value.isNull else { return }
        guard let object = value.object else { throw .invalid("\(name) must be an object.") }
        guard object.count <= QueueLimits.attributesMax else {
            throw .invalid(
                "Number of message attributes [\(object.count)] exceeds the allowed maximum [\(QueueLimits.attributesMax)]."
            )
        }
        for member in object.members { try add(member.key, member.value) }
    }

    private mutating func add(_ name: String, _ value: JSONValue) throws(QueueError) {
        try Self.check(name)
        guard let type = value["DataType"]?.string, !type.isEmpty else {
            throw .invalid("The message attribute '\(name)' must contain non-empty message attribute type.")
        }
        let kind = String(Substring(type.utf8.prefix { $0 != UInt8(ascii: ".") }))
        guard type.utf8.count <= QueueLimits.attributeTypeBytesMax, ["String", "Number", "Binary"].contains(kind) else {
            throw .invalid(
                "The message attribute '\(name)' has an invalid message attribute type, the set of supported type prefixes is "
                    + "Binary, Number, and String.")
        }
        if kind == "Binary" {
            let text = try Self.content(of: value["BinaryValue"], name, type)
            guard let bytes = Base64.bytes(of: text.utf8, .standard) else {
                throw .invalid("The message attribute '\(name)' has a value that is no base64.")
            }
            members.append((name, type, .bytes(bytes)))
            return
        }
        let text = try Self.content(of: value["StringValue"], name, type)
        guard kind != "Number" || Double(text) != nil else {
            throw .invalid("Can't cast the value of message (user) attribute '\(name)' to a number.")
        }
        guard XMLCharacters.canHold(text) else {
            throw .invalid("Invalid characters found in message (user) attribute '\(name)'. \(Self.characters)")
        }
        members.append((name, type, .text(text)))
    }

    /// The characters that XML can hold.
    static let characters =
        "Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF"

    private static func content(of value: JSONValue?, _ name: String, _ type: String) throws(QueueError) -> String {
        guard let text = value?.string else {
            throw .invalid(
                "The message attribute '\(name)' must contain a non-empty message attribute value for message attribute type '\(type)'."
            )
        }
        guard !text.isEmpty else {
            throw .invalid("Message (user) attribute '\(name)' must contain a non-empty value of type '\(type)'.")
        }
        return text
    }

    /// The part of a message's length that attributes have, as a call says them.
    static func byteCount(of value: JSONValue?) -> Int {
        (value?.object ?? JSONObject()).members.reduce(0) { sum, member in
            let coded = member.value["BinaryValue"]?.string?.utf8 ?? "".utf8
            let bytes = coded.count / 4 * 3 - coded.suffix(2).count { $0 == UInt8(ascii: "=") }
            return sum + member.key.utf8.count + (member.value["DataType"]?.string?.utf8.count ?? 0) + bytes
                + (member.value["StringValue"]?.string?.utf8.count ?? 0)
        }
    }

    private static func check(_ name: String) throws(QueueError) {
        let bytes = Array(name.utf8)
        let dot = UInt8(ascii: ".")
        let isDotted = zip(bytes, bytes.dropFirst()).contains { $0 == dot && $1 == dot }
        let lowered = bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let isTaken = ["aws.", "amazon."].contains { lowered.starts(with: $0.utf8) }
        guard (1...QueueLimits.attributeNameBytesMax).contains(bytes.count),
            name.unicodeScalars.allSatisfy(isAllowed), bytes.first != dot, bytes.last != dot,
            !isDotted, !isTaken
        else {
            throw .invalid(
                "The message attribute name '\(name)' is invalid. Attribute name can contain A-Z, a-z, 0-9, underscore (_), hyphen "
                    + "(-), and period (.) characters, and begins with no reserved prefix.")
        }
    }

    /// Letters and digits of any alphabet.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return QueueSettings.isOfName(UInt8(ascii: scalar)) || scalar == "." }
        return scalar.properties.isAlphabetic || scalar.properties.generalCategory == .decimalNumber
    }

    var isEmpty: Bool { members.isEmpty }

    /// Their part of the message's length.
    var byteCount: Int {
        members.reduce(0) { sum, member in
            let count =
                switch member.value {
                case .text(let text): text.utf8.count
                case .bytes(let bytes): bytes.count
                }
            return sum + member.name.utf8.count + member.type.utf8.count + count
        }
    }

    var json: JSONObject {
        JSONObject(
            members.map { member in
                let value: (String, JSONValue) =
                    switch member.value {
                    case .text(let text): ("StringValue", .string(text))
                    case .bytes(let bytes): ("BinaryValue", .string(Base64.text(of: bytes, .standard)))
                    }
                return (member.name, .object(JSONObject([value, ("DataType", .string(member.type))])))
            })
    }

    var stored: StoredValue { isEmpty ? .null : .text(JSONWriter.text(of: .object(json))) }

    /// The digest that clients compare: names, types and values in the order of the names, each behind its length.
    var digest: String? {
        guard !isEmpty else { return nil }
        var bytes: [UInt8] = []
        func add(_ part: some Collection<UInt8>) {
            let count = UInt32(clamping: part.count)
            bytes += [UInt8(truncatingIfNeeded: count >> 24), UInt8(truncatingIfNeeded: count >> 16)]
            bytes += [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
            bytes += part
        }
        for member in members.sorted(by: { ByteText($0.name) < ByteText($1.name) }) {
            add(member.name.utf8)
            add(member.type.utf8)
            switch member.value {
            case .text(let text):
                bytes.append(1)
                add(text.utf8)
            case .bytes(let value):
                bytes.append(2)
                add(value)
            }
        }
        return Hexadecimal.text(of: SpreadingDigest.of(bytes))
    }

    /// Those that a receiver asks for: names, beginnings (`city*`, `city.*`), or all (`All`, `*`, `.*`). A point before the star is none of
    /// the beginning.
    func filtered(by names: [String]) -> MessageAttributes {
        var chosen = MessageAttributes()
        chosen.members = members.filter { member in
            names.contains { name in
                if name == "All" { return true }
                guard name.hasSuffix("*") else { return name == member.name }
                return member.name.hasPrefix(String(Substring(name.utf8.dropLast(name.hasSuffix(".*") ? 2 : 1))))
            }
        }
        return chosen
    }
}
