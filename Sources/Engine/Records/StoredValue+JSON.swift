import JSON
import Store

extension StoredValue {
    /// The value of an argument or an input, as a column of that kind keeps it; null when it is none of its values.
    init(_ value: JSONValue, as kind: ColumnKind) {
        switch (kind, value) {
        case (_, .null): self = .null
        case (.text, .string(let text)): self = .text(text)
        case (.text, .integer(let integer)): self = .text(String(integer))
        case (.text, .largeInteger(let digits)): self = .text(digits)
        case (.integer, .integer(let integer)): self = .integer(integer)
        case (.integer, .string(let text)): self = Int64(text).map { .integer($0) } ?? .null
        case (.integer, .double(let double)): self = Int64(exactly: double).map { .integer($0) } ?? .null
        case (.real, _): self = value.number.map { .real($0) } ?? .null
        case (.boolean, .bool(let bool)): self = .boolean(bool)
        case (.list, _), (.json, _), (.object, _): self = .utf8(JSONWriter.bytes(of: value))
        default: self = .null
        }
    }

    /// The value as JSON, of a column of that kind.
    func json(as kind: ColumnKind) -> JSONValue {
        switch (self, kind) {
        case (.null, _), (.blob, _): .null
        case (.integer(let integer), .boolean): .bool(integer != 0)
        case (.integer(let integer), _): .integer(integer)
        case (.real(let real), _): .double(real)
        case (.text(let text), .list), (.text(let text), .json), (.text(let text), .object):
            (try? JSONReader.value(of: text)) ?? .null
        case (.text(let text), _): .string(text)
        case (.utf8(let bytes), .list), (.utf8(let bytes), .json), (.utf8(let bytes), .object):
            (try? JSONReader.value(of: bytes)) ?? .null
        case (.utf8(let bytes), _): .string(String(decoding: bytes, as: UTF8.self))
        }
    }
}
