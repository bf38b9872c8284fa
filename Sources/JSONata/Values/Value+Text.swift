import JSON
import Script

/// Values as JSON, and as texts.
extension Value {
    /// The value as JSON; nil: there is none.
    ///
    /// - Parameter spend: what it costs: objects that appear often are written often.
    func json(_ spend: (Int) throws(JSONataError) -> Void) throws(JSONataError) -> JSONValue? {
        try spend(1)
        switch self {
        case .missing, .tuples, .function: return nil
        case .null: return .null
        case .bool(let bool): return .bool(bool)
        case .number(let number):
            guard number.isFinite else {
                throw JSONataError("D1001", value: NumberText.decimal(number))
            }
            return Int64(exactly: number).map { .integer($0) } ?? .double(number)
        case .string(let text): return .string(text)
        case .list(let list):
            var elements: [JSONValue] = []
            elements.reserveCapacity(list.count)
            for item in list.items {
                if case .function = item { elements.append("") } else { elements.append(try item.json(spend) ?? .null) }
            }
            return .array(elements)
        case .record(let record):
            var members: [JSONObject.Member] = []
            for (key, value) in zip(record.keys, record.values) {
                if case .function = value {
                    members.append(.init(key: key, value: ""))
                } else if let json = try value.json(spend) {
                    members.append(.init(key: key, value: json))
                }
            }
            return .object(JSONObject(distinct: members))
        }
    }
}

/// Writes values as `JSON.stringify` does, numbers with 15 digits at the most, as `$string` wants them.
struct JSONataWriter {
    private(set) var bytes: [UInt8] = []
    let isPretty: Bool
    let isRounded: Bool

    init(isPretty: Bool = false, isRounded: Bool = true) { (self.isPretty, self.isRounded) = (isPretty, isRounded) }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func write(_ value: Value, indent: Int = 0) throws(JSONataError) {
        guard bytes.count <= JSONataLimits.madeTextBytesMax else { throw JSONataEvaluation.tooLong }
        switch value {
        case .missing, .null, .tuples: append("null")
        case .bool(let bool): append(bool ? "true" : "false")
        case .number(let number):
            guard !number.isInfinite else { throw JSONataError("D1001", value: NumberText.decimal(number)) }
            append(number.isNaN ? "null" : Self.text(of: number, isRounded: isRounded))
        case .string(let text): JSONWriter.writeString(text, to: &bytes)
        case .function: append("\"\"")
        case .list(let list):
            guard !list.items.isEmpty else { return append("[]") }
            append("[")
            for (number, item) in list.items.enumerated() {
                if number > 0 { append(",") }
                line(indent + 1)
                try write(item, indent: indent + 1)
            }
            line(indent)
            append("]")
        case .record(let record):
            var isFirst = true
            append("{")
            for (key, value) in zip(record.keys, record.values) where !value.isMissing {
                if !isFirst { append(",") }
                isFirst = false
                line(indent + 1)
                JSONWriter.writeString(key, to: &bytes)
                append(isPretty ? ": " : ":")
                try write(value, indent: indent + 1)
            }
            if !isFirst { line(indent) }
            append("}")
        }
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func line(_ indent: Int) {
        guard isPretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        for _ in 0..<indent { append("  ") }
    }

    private static let digits = 15

    static func text(of number: Double, isRounded: Bool) -> String {
        guard isRounded, number.isFinite, number.rounded(.towardZero) != number else {
            return NumberText.decimal(number)
        }
        return NumberText.decimal(Double(NumberText.precision(number, digits: digits)) ?? number)
    }

    /// A short text of a value, for messages.
    static func summary(of value: Value) -> String? {
        if case .missing = value { return nil }
        var writer = JSONataWriter(isRounded: false)
        do throws(JSONataError) { try writer.write(value) } catch { return nil }
        let max = 256
        return writer.bytes.count <= max ? writer.text : String(decoding: writer.bytes.prefix(max), as: UTF8.self)
    }
}
