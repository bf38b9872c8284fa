import Crypto
import JSON
import Script

/// `$string`, `$substring`, `$pad` and the like.
enum JSONataTexts {
    static let all: [(ByteText, JSONataFunction)] = [
        (
            "string",
            JSONataFunction("<x-b?:s>", 1) { evaluation, call throws(JSONataError) in
                if call[0].isMissing { return .missing }
                var isPretty = false
                if case .bool(true) = call[1] { isPretty = true }
                return try evaluation.made(try evaluation.text(of: call[0], isPretty: isPretty))
            }
        ),
        (
            "length",
            JSONataFunction("<s-:n>", 1) { evaluation, call throws(JSONataError) in
                guard let text = try call.text(0) else { return .missing }
                try evaluation.spend(1 + text.utf8.count >> 4)
                return .number(Double(text.unicodeScalars.count))
            }
        ),
        (
            "substring",
            JSONataFunction("<s-nn?:s>", 3) { evaluation, call throws(JSONataError) in
                guard let text = try call.text(0) else { return .missing }
                return try evaluation.made(substring(text, try call.number(1) ?? 0, try call.number(2)))
            }
        ),
        (
            "substringBefore",
            JSONataFunction("<s-s:s>", 2) { evaluation, call throws(JSONataError) in
                guard let text = try call.text(0) else { return .missing }
                guard let found = text.range(ofBytesOf: try call.text(1) ?? "undefined") else {
                    return try call.text(1) == "" ? .string("") : .string(text)
                }
                return try evaluation.made(String(text[..<found.lowerBound]))
            }
        ),
        (
            "substringAfter",
            JSONataFunction("<s-s:s>", 2) { evaluation, call throws(JSONataError) in
                guard let text = try call.text(0) else { return .missing }
                guard let found = text.range(ofBytesOf: try call.text(1) ?? "undefined") else { return .string(text) }
                return try evaluation.made(String(text[found.upperBound...]))
            }
        ),
        (
            "lowercase",
            JSONataFunction("<s-:s>", 1) { evaluation, call throws(JSONataError) in
                guard let text = try call.text(0) else { return .missing }
                return try evaluation.made(
                    String(decoding: CaseMapping.lowercase(Array(text.utf16)), as: UTF16.self))
            }
        ),
        (
            "uppercase",
            JSONataFunction("<s-:s>", 1) { evaluation, call throws(JSONataError) in
                guard let text = try call.text(0) else { return .missing }
                return try evaluation.made(
                    String(decoding: CaseMapping.uppercase(Array(text.utf16)), as: UTF16.self))
            }
        ),
        (
            "trim",
            JSONataFunction("<s-:s>", 1) { evaluation, call throws(JSONataError) in
                guard let text = try call.text(0) else { return .missing }
                let words = text.utf8.split { $0 == 32 || (9...10).contains($0) || $0 == 13 }
                return try evaluation.made(words.map { String(Substring($0)) }.joined(separator: " "))
            }
        ),
        (
            "pad",
            JSONataFunction("<s-ns?:s>", 3) { evaluation, call throws(JSONataError) in
                guard let text = try call.text(0) else { return .missing }
                return try padded(evaluation, text, try call.number(1) ?? 0, try call.text(2) ?? " ")
            }
        ),
        (
            "join",
            JSONataFunction("<a<s>s?:s>", 2) { evaluation, call throws(JSONataError) in
                guard let list = call.list(0) else { return .missing }
                let separator = try call.text(1) ?? ""
                var bytes = 0
                for item in list.items {
                    bytes += (item.text?.utf8.count ?? 0) + separator.utf8.count
                    guard bytes <= JSONataLimits.madeTextBytesMax + separator.utf8.count else {
                        throw JSONataEvaluation.tooLong
                    }
                }
                return try evaluation.made(list.items.map { $0.text ?? "" }.joined(separator: separator))
            }
        ),
        (
            "base64encode",
            JSONataFunction("<s-:s>", 1) { evaluation, call throws(JSONataError) in
                guard let text = try call.text(0) else { return .missing }
                return try evaluation.made(Base64.text(of: Array(text.utf8), .standard))
            }
        ),
        (
            "base64decode",
            JSONataFunction("<s-:s>", 1) { evaluation, call throws(JSONataError) in
                guard let text = try call.text(0) else { return .missing }
                let bytes = Base64.lenientBytes(of: text.utf8) ?? []
                return try evaluation.made(String(decoding: bytes, as: UTF8.self))
            }
        ),
        coding("encodeUrlComponent", URICoding.encodeURIComponent),
        coding("encodeUrl", URICoding.encodeURI),
        coding("decodeUrlComponent", URICoding.decodeURIComponent),
        coding("decodeUrl", URICoding.decodeURI),
    ]

    private static func coding(
        _ name: String, _ change: @escaping @Sendable ([UInt16]) -> [UInt16]?
    ) -> (ByteText, JSONataFunction) {
        (
            ByteText(name),
            JSONataFunction("<s-:s>", 1) { evaluation, call throws(JSONataError) in
                guard let text = try call.text(0) else { return .missing }
                guard let made = change(Array(text.utf16)) else {
                    throw JSONataError("D3140", token: name, value: JSONataWriter.summary(of: .string(text)))
                }
                return try evaluation.made(String(decoding: made, as: UTF16.self))
            }
        )
    }

    static func substring(_ text: String, _ start: Double, _ length: Double?) -> String {
        let scalars = Array(text.unicodeScalars)
        let count = Double(scalars.count)
        let start = count + start < 0 ? 0 : start
        func place(_ value: Double) -> Int {
            let whole = NumberConversion.integerOrInfinity(value)
            return Int(min(max(whole < 0 ? count + whole : whole, 0), count))
        }
        var end = scalars.count
        if let length {
            guard length > 0 else { return "" }
            end = place(start >= 0 ? start + length : count + start + length)
        }
        let first = place(start)
        guard first < end else { return "" }
        var made = String.UnicodeScalarView()
        made.append(contentsOf: scalars[first..<end])
        return String(made)
    }

    private static func padded(
        _ evaluation: JSONataEvaluation, _ text: String, _ width: Double, _ filling: String
    ) throws(JSONataError) -> Value {
        let filling = filling.isEmpty ? " " : filling
        let width = NumberConversion.integerOrInfinity(width)
        let count = width.magnitude - Double(text.unicodeScalars.count)
        guard count > 0 else { return .string(text) }
        guard count <= Double(JSONataLimits.madeTextBytesMax / 4) else { throw JSONataEvaluation.tooLong }
        try evaluation.allocate(Int(count))
        let (rounds, rest) = Int(count).quotientAndRemainder(dividingBy: filling.unicodeScalars.count)
        let padding = String(repeating: filling, count: rounds) + String(filling.unicodeScalars.prefix(rest))
        return try evaluation.made(width > 0 ? text + padding : padding + text)
    }
}

extension JSONataEvaluation {
    /// The text that `$string` and `&` make of a value.
    func text(of value: Value, isPretty: Bool = false) throws(JSONataError) -> String {
        switch value {
        case .missing, .function: return ""
        case .string(let text): return text
        case .number(let number) where !number.isFinite: throw JSONataError("D3001")
        case .list(let list) where list.isWrapper: return try text(of: list.items.first ?? .null, isPretty: isPretty)
        default:
            var writer = JSONataWriter(isPretty: isPretty)
            try writer.write(value)
            try spend(writer.bytes.count >> 3)
            return writer.text
        }
    }
}
