import JSON
import Network

/// What the console's API answers.
package enum ConsoleAnswer: Sendable {
    case json(JSONValue)
    /// A file to keep.
    case file(name: String, type: String, HTTPResponseBody)
    /// An answer with fields of its own.
    case raw(HTTPResponse)

    package static let nothing = ConsoleAnswer.json(.object(JSONObject()))

    var response: HTTPResponse {
        var fields = PageFields.ofAPI
        switch self {
        case .json(let value):
            fields.append("content-type", "application/json")
            return HTTPResponse(fields: fields, body: .bytes(JSONWriter.bytes(of: value)))
        case .file(let name, let type, let body):
            fields.append("content-type", type)
            fields.append("content-disposition", Self.attachment(name))
            return HTTPResponse(fields: fields, body: body)
        case .raw(let response): return response
        }
    }

    /// A name in both forms: the second is what browsers take, with all letters.
    package static func attachment(_ name: String) -> String {
        let plain = String(
            decoding: name.utf8.map { byte in
                (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
                    && byte != UInt8(ascii: "%") ? byte : UInt8(ascii: "_")
            }, as: UTF8.self)
        var encoded = ""
        for byte in name.utf8 {
            if isPlain(byte) {
                encoded.append(Character(UnicodeScalar(byte)))
            } else {
                encoded += "%" + String(UInt16(byte) + 0x100, radix: 16, uppercase: true).dropFirst()
            }
        }
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension JSONValue {
    /// An object of members; those that are nil are left out.
    package static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        var object = JSONObject()
        for (name, value) in members { if let value { object.set(name, to: value) } }
        return .object(object)
    }

    package static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    package static func texts(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map(JSONValue.string)) }

    package static func count(_ count: Int?) -> JSONValue { count.map { .integer(Int64(clamping: $0)) } ?? .null }

    /// A moment in milliseconds since 1970.
    package static func moment(_ milliseconds: Int64?) -> JSONValue {
        milliseconds.map { milliseconds in
            let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
            return .string(Timestamp(seconds: seconds, milliseconds: Int(max(0, rest))).text)
        } ?? .null
    }

    /// A number of milliseconds with three digits behind the point.
    package static func milliseconds(nanoseconds: UInt64) -> JSONValue {
        .double(Double(nanoseconds / 1_000) / 1_000)
    }
}
