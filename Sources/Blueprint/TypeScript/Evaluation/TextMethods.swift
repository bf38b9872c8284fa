import GraphQL

/// The methods of texts, which count in UTF-16.
enum TextMethods {
    static func call(
        _ method: NativeMethod, of text: String, _ arguments: [PlacedValue], evaluator: ScriptEvaluator
    ) throws(TypeScriptError) -> ScriptValue {
        let position = method.position
        try evaluator.spend(1 + text.utf8.count / 16, at: position)
        func argument(_ index: Int) throws(TypeScriptError) -> String {
            index < arguments.count ? try evaluator.text(of: arguments[index]) : "undefined"
        }
        if ["replace", "split", "includes", "indexOf"].contains(method.name) {
            // Looking for one text in another can cost as much as the product of their lengths.
            let length = try argument(0).utf8.count
            try evaluator.spend(text.utf8.count / 16 * (length / 16 + 1), at: position)
        }
        switch method.name {
        case "toUpperCase": return .string(text.uppercased())
        case "toLowerCase": return .string(text.lowercased())
        case "trim": return .string(Texts.trimmed(text))
        case "toString": return .string(text)
        case "slice":
            let units = Array(text.utf16)
            let range = try Texts.range(arguments, count: units.count, evaluator: evaluator)
            return .string(String(decoding: units[range], as: UTF16.self))
        case "charAt":
            let units = Array(text.utf16)
            let index = try arguments.first.map { placed throws(TypeScriptError) in try evaluator.number(placed) } ?? 0
            guard let place = Int(exactly: index), units.indices.contains(place) else { return .string("") }
            return .string(String(decoding: [units[place]], as: UTF16.self))
        case "replace":
            let (pattern, replacement) = (try argument(0), try argument(1))
            guard let range = text.firstRange(of: pattern) else { return .string(text) }
            return try evaluator.checkedText(
                text[..<range.lowerBound] + replacement + text[range.upperBound...], at: position)
        case "split":
            let separator = try argument(0)
            let parts =
                separator.isEmpty
                ? text.utf16.map { String(decoding: [$0], as: UTF16.self) }
                : text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
            try evaluator.checkCount(parts.count, at: position)
            return .list(ScriptList(parts.map { PlacedValue(value: .string($0), position: position) }))
        case "startsWith": return .boolean(text.hasPrefix(try argument(0)))
        case "endsWith": return .boolean(text.hasSuffix(try argument(0)))
        case "includes": return .boolean(text.contains(try argument(0)))
        case "indexOf":
            let range = text.firstRange(of: try argument(0))
            return .number(Double(range.map { text.utf16.distance(from: text.startIndex, to: $0.lowerBound) } ?? -1))
        case "concat":
            var whole = text
            for index in arguments.indices {
                whole += try argument(index)
                _ = try evaluator.checkedText(whole, at: position)
            }
            return .string(whole)
        case "repeat":
            let count = try arguments.first.map { placed throws(TypeScriptError) in try evaluator.number(placed) } ?? 0
            guard let count = Int(exactly: count.rounded(.down)), count >= 0,
                count <= evaluator.limits.textBytesMax / max(1, text.utf8.count)
            else { throw TypeScriptError("a text has more than \(evaluator.limits.textBytesMax) bytes", at: position) }
            return try evaluator.checkedText(String(repeating: text, count: count), at: position)
        default:
            let length = try arguments.first.map { placed throws(TypeScriptError) in try evaluator.number(placed) } ?? 0
            let filler = arguments.count > 1 ? try argument(1) : " "
            let missing = min(length, 1_000) - Double(text.utf16.count)
            guard missing > 0, !filler.isEmpty else { return .string(text) }
            let units = Array(filler.utf16)
            let padding = (0..<Int(missing)).map { units[$0 % units.count] }
            return .string(String(decoding: padding, as: UTF16.self) + text)
        }
    }
}

/// What texts and lists have in common.
enum Texts {
    static func trimmed(_ text: String) -> String {
        func isBlank(_ character: Character) -> Bool { character.isWhitespace || character == "\u{FEFF}" }
        let start = text.drop(while: isBlank)
        let blanksBehind = start.reversed().prefix(while: isBlank).count
        return String(start.dropLast(blanksBehind))
    }

    /// The range that the arguments of `slice` stand for.
    static func range(
        _ arguments: [PlacedValue], count: Int, evaluator: ScriptEvaluator
    ) throws(TypeScriptError) -> Range<Int> {
        func place(_ index: Int, standard: Int) throws(TypeScriptError) -> Int {
            guard index < arguments.count else { return standard }
            if case .undefined = arguments[index].value { return standard }
            let number = try evaluator.number(arguments[index])
            if number.isNaN { return 0 }
            let whole = number.rounded(.towardZero)
            return Int(min(max(whole < 0 ? Double(count) + whole : whole, 0), Double(count)))
        }
        let start = try place(0, standard: 0)
        return start..<max(start, try place(1, standard: count))
    }
}
