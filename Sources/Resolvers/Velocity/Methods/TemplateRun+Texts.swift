import JSON

/// Methods of `java.lang.String`. Places in a text count UTF-16's units, as Java's do.
extension TemplateRun {
    func callText(
        _ method: MethodName, _ arguments: [TemplateValue], _ text: String
    ) throws(TemplateExit) -> TemplateValue? {
        try count(text.utf8.count / VelocityLimits.bytesPerStep)
        let found =
            switch arguments.count {
            case 0: try callText(method, text)
            case 1: try callText(method, arguments[0], text)
            case 2: try callText(method, arguments[0], arguments[1], text)
            default: nil as TemplateValue?
            }
        if let found { return found }
        return try callStatic(method, arguments)
    }

    private func callText(_ method: MethodName, _ text: String) throws(TemplateExit) -> TemplateValue? {
        switch method {
        case .length: return .integer(Int32(clamping: text.utf16.count))
        case .isEmpty: return .bool(text.isEmpty)
        case .isBlank: return .bool(Self.isBlank(text))
        case .trim: return try made(Self.stripped(text) { $0.value <= 0x20 })
        case .strip: return try made(Self.stripped(text) { $0.properties.isWhitespace })
        case .stripLeading: return try made(Self.stripped(text, atEnd: false) { $0.properties.isWhitespace })
        case .stripTrailing: return try made(Self.stripped(text, atStart: false) { $0.properties.isWhitespace })
        case .toLowerCase: return try made(text.lowercased())
        case .toUpperCase: return try made(text.uppercased())
        case .intern: return .text(text)
        case .toCharArray: return try list(text.utf16.map { .character($0) }, form: .array)
        default: return nil
        }
    }

    private func callText(
        _ method: MethodName, _ argument: TemplateValue, _ text: String
    ) throws(TemplateExit) -> TemplateValue? {
        switch (method, argument) {
        case (.charAt, .integer(let index)):
            let units = text.utf16
            guard (0..<units.count).contains(Int(index)) else { throw beyond(method, "index \(index)", text) }
            return .character(units[units.index(units.startIndex, offsetBy: Int(index))])
        case (.codePointAt, .integer(let index)):
            let units = text.utf16
            guard (0..<units.count).contains(Int(index)) else { throw beyond(method, "index \(index)", text) }
            let start = units.index(units.startIndex, offsetBy: Int(index))
            guard let place = start.samePosition(in: text.unicodeScalars) else { return .integer(Int32(units[start])) }
            return .integer(Int32(text.unicodeScalars[place].value))
        case (.substring, .integer(let start)):
            return try part(text, from: start, to: nil, method)
        case (.contains, .text(let part)): return .bool(Self.place(of: part, in: text) != nil)
        case (.contains, .null), (.startsWith, .null), (.endsWith, .null), (.concat, .null), (.compareTo, .null),
            (.matches, .null), (.split, .null), (.indexOf, .null), (.lastIndexOf, .null):
            throw thrown("java.lang.NullPointerException", by: method.rawValue, of: .text(text))
        case (.startsWith, .text(let part)): return .bool(text.hasPrefix(part))
        case (.endsWith, .text(let part)): return .bool(text.hasSuffix(part))
        case (.equalsIgnoreCase, .text(let other)):
            return .bool(text.uppercased().lowercased() == other.uppercased().lowercased())
        case (.equalsIgnoreCase, .null): return .bool(false)
        case (.contentEquals, .text(let other)): return .bool(text == other)
        case (.compareTo, .text(let other)): return .integer(Self.order(text, other))
        case (.compareToIgnoreCase, .text(let other)):
            return .integer(Self.order(text.lowercased(), other.lowercased()))
        case (.indexOf, _):
            guard let part = Self.searched(argument) else { return nil }
            return .integer(Int32(Self.index(of: part, in: text, from: 0)))
        case (.lastIndexOf, _):
            guard let part = Self.searched(argument) else { return nil }
            return .integer(Int32(Self.lastIndex(of: part, in: text, from: .max)))
        case (.concat, .text(let other)): return try made(text + other)
        case (.matches, .text(let pattern)): return .bool(try matches(pattern, text))
        case (.split, .text(let pattern)): return try split(text, pattern, limit: 0)
        case (.repeat, .integer(let count)):
            guard count >= 0 else {
                throw thrown(
                    "java.lang.IllegalArgumentException: count is negative: \(count)", by: "repeat", of: .text(text))
            }
            try hold(bytes: text.utf8.count.multipliedReportingOverflow(by: Int(count)).partialValue)
            return .text(String(repeating: text, count: Int(count)))
        default: return nil
        }
    }

    private func callText(
        _ method: MethodName, _ first: TemplateValue, _ second: TemplateValue, _ text: String
    ) throws(TemplateExit) -> TemplateValue? {
        switch (method, first, second) {
        case (.substring, .integer(let start), .integer(let end)),
            (.subSequence, .integer(let start), .integer(let end)):
            return try part(text, from: start, to: end, method)
        case (.startsWith, .text(let part), .integer(let start)):
            let units = Array(text.utf16)
            guard (0...units.count).contains(Int(start)) else { return .bool(false) }
            return .bool(units[Int(start)...].starts(with: part.utf16))
        case (.indexOf, _, .integer(let start)):
            guard let part = Self.searched(first) else { return nil }
            return .integer(Int32(Self.index(of: part, in: text, from: Int(start))))
        case (.lastIndexOf, _, .integer(let start)):
            guard let part = Self.searched(first) else { return nil }
            return .integer(Int32(Self.lastIndex(of: part, in: text, from: Int(start))))
        case (.replace, .text(let old), .text(let new)): return try replaced(text, old, new)
        case (.replace, .character(let old), .character(let new)):
            return try made(String(decoding: text.utf16.map { $0 == old ? new : $0 }, as: UTF16.self))
        case (.replaceAll, .text(let pattern), .text(let new)):
            return try replaced(text, pattern: pattern, new, isAll: true)
        case (.replaceFirst, .text(let pattern), .text(let new)):
            return try replaced(text, pattern: pattern, new, isAll: false)
        case (.split, .text(let pattern), .integer(let limit)): return try split(text, pattern, limit: Int(limit))
        case (.replace, .null, .text), (.replace, .text, .null), (.replaceAll, .null, _), (.replaceAll, .text, .null),
            (.replaceFirst, .null, _), (.replaceFirst, .text, .null):
            throw thrown("java.lang.NullPointerException", by: method.rawValue, of: .text(text))
        default: return nil
        }
    }

    /// What `java.lang.String` itself has, which any text leads to.
    private func callStatic(_ method: MethodName, _ arguments: [TemplateValue]) throws(TemplateExit) -> TemplateValue? {
        switch (method, arguments.first) {
        case (.valueOf, let value?) where arguments.count == 1, (.copyValueOf, let value?) where arguments.count == 1:
            return try made(try text(of: value))
        case (.format, .text(let pattern)?):
            return try made(try formatted(pattern, Array(arguments.dropFirst())))
        case (.join, .text(let separator)?):
            var parts = Array(arguments.dropFirst())
            if parts.count == 1, let elements = try elements(of: parts[0]) { parts = elements }
            var texts: [String] = []
            for part in parts { texts.append(try text(of: part)) }
            return try made(texts.joined(separator: separator))
        default: return nil
        }
    }

    // MARK: - Parts

    private func part(
        _ text: String, from start: Int32, to end: Int32?, _ method: MethodName
    ) throws(TemplateExit) -> TemplateValue {
        let units = text.utf16
        let length = units.count
        let (start, end) = (Int(start), end.map { Int($0) } ?? length)
        guard 0 <= start, start <= end, end <= length else {
            throw beyond(method, "begin \(start), end \(end)", text)
        }
        let lower = units.index(units.startIndex, offsetBy: start)
        let part = units[lower..<units.index(lower, offsetBy: end - start)]
        return try made(String(part) ?? String(decoding: part, as: UTF16.self))
    }

    private func beyond(_ method: MethodName, _ what: String, _ text: String) -> TemplateExit {
        thrown(
            "java.lang.StringIndexOutOfBoundsException: \(what), length \(text.utf16.count)", by: method.rawValue,
            of: .text(text))
    }

    private static func stripped(
        _ text: String, atStart: Bool = true, atEnd: Bool = true, _ isBlank: (Unicode.Scalar) -> Bool
    ) -> String {
        var rest = text.unicodeScalars[...]
        while atStart, let first = rest.first, isBlank(first) { rest.removeFirst() }
        while atEnd, let last = rest.last, isBlank(last) { rest.removeLast() }
        return String(rest)
    }

    /// By UTF-16's units, and then by length.
    static func order(_ left: String, _ right: String) -> Int32 {
        var others = right.utf16.makeIterator()
        for unit in left.utf16 {
            guard let other = others.next() else { break }
            if unit != other { return Int32(unit) - Int32(other) }
        }
        return Int32(clamping: left.utf16.count - right.utf16.count)
    }

    /// `indexOf` takes a text, or a character by its number.
    private static func searched(_ value: TemplateValue) -> [UInt16]? {
        switch value {
        case .text(let text): Array(text.utf16)
        case .integer(let number): Unicode.Scalar(UInt32(bitPattern: number)).map { Array(String(Character($0)).utf16) }
        default: nil
        }
    }

    /// The byte at which a part stands.
    private static func place(of part: String, in text: String, from start: Int = 0) -> Int? {
        let (text, part) = (Array(text.utf8), Array(part.utf8))
        return TextPlace.first(of: part, in: text, from: start)
    }

    private static func index(of part: [UInt16], in text: String, from start: Int) -> Int {
        TextPlace.first(of: part, in: Array(text.utf16), from: max(0, start)) ?? -1
    }

    private static func lastIndex(of part: [UInt16], in text: String, from start: Int) -> Int {
        let units = Array(text.utf16)
        guard start >= 0, part.count <= units.count else { return -1 }
        let end = min(start, units.count - part.count) + part.count
        // The last place is the first one from behind.
        guard let place = TextPlace.first(of: part.reversed(), in: Array(units[..<end].reversed()), from: 0) else {
            return -1
        }
        return end - part.count - place
    }

    /// Each place of a text, taken literally.
    private func replaced(_ text: String, _ old: String, _ new: String) throws(TemplateExit) -> TemplateValue {
        let (bytes, old, new) = (Array(text.utf8), Array(old.utf8), Array(new.utf8))
        var result: [UInt8] = []
        if old.isEmpty {
            try hold(bytes: (text.utf8.count + 1).multipliedReportingOverflow(by: new.count + 1).partialValue)
            for scalar in text.unicodeScalars { result += new + Array(String(Character(scalar)).utf8) }
            return try made(String(decoding: result + new, as: UTF8.self))
        }
        var rest = 0
        while let next = TextPlace.first(of: old, in: bytes, from: rest) {
            try count(1 + (next - rest) / VelocityLimits.bytesPerStep)
            result += bytes[rest..<next] + new
            rest = next + old.count
            guard result.count <= limits.memoryBytesMax else { try hold(bytes: result.count); break }
        }
        return try made(String(decoding: result + bytes[rest...], as: UTF8.self))
    }
}
