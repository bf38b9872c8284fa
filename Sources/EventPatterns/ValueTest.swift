import JSON

/// A test of one value of an event.
indirect enum ValueTest: Sendable {
    case equals(JSONValue)
    case prefix(String)
    case suffix(String)
    case sameLetters(String)
    case samePrefix(String)
    case sameSuffix(String)
    case wildcard(Wildcard)
    case exists(Bool)
    case numeric([(NumberRelation, Double)])
    case address(AddressBlock)
    /// Anything but what one of these is.
    case none([ValueTest])

    enum NumberRelation: String, Sendable {
        case less = "<"
        case atMost = "<="
        case equal = "="
        case atLeast = ">="
        case more = ">"
    }

    init(_ value: JSONValue, _ rules: PatternRules = .eventBridge) throws(EventPatternError) {
        switch value {
        case .array: throw EventPatternError("match value must be String, number, true, false, or null")
        case .object(let object):
            guard let member = object.members.first, object.count == 1 else {
                throw EventPatternError("Only one key allowed in match expression")
            }
            self = try Self.test(member.key, member.value, rules)
        default: self = .equals(value)
        }
    }

    /// The names that tests have in patterns.
    enum Name: String, CaseIterable {
        case prefix, suffix, wildcard, exists, cidr, numeric
        case sameLetters = "equals-ignore-case"
        case anythingBut = "anything-but"
    }

    private static func test(
        _ name: String, _ value: JSONValue, _ rules: PatternRules
    ) throws(EventPatternError) -> ValueTest {
        guard let known = Name(rawValue: name) else { throw EventPatternError("Unrecognized match type \(name)") }
        guard rules.tests.contains(known) else { throw unserved(name, rules) }
        switch known {
        case .prefix:
            if let inner = try sameLetters(in: value, of: name, rules) { return .samePrefix(inner) }
            return .prefix(try text(value, name))
        case .suffix:
            if let inner = try sameLetters(in: value, of: name, rules) { return .sameSuffix(inner) }
            return .suffix(try text(value, name))
        case .sameLetters: return .sameLetters(try text(value, name))
        case .wildcard: return .wildcard(try Wildcard(try text(value, name)))
        case .exists:
            guard let flag = value.bool else {
                throw EventPatternError("exists match pattern must be either true or false.")
            }
            return .exists(flag)
        // The service calls it a prefix here.
        case .cidr: return .address(try AddressBlock(try text(value, Name.prefix.rawValue)))
        case .numeric: return .numeric(try relations(value))
        case .anythingBut: return .none(try others(value, rules))
        }
    }

    private static func unserved(_ test: String, _ rules: PatternRules) -> EventPatternError {
        EventPatternError("The test \(test) is not accepted by \(rules.service)")
    }

    /// The text of `{"equals-ignore-case": TEXT}` within another test; nil: there is none.
    private static func sameLetters(
        in value: JSONValue, of name: String, _ rules: PatternRules
    ) throws(EventPatternError) -> String? {
        guard let inner = value[Name.sameLetters.rawValue] else { return nil }
        guard rules.ignoresCaseWithin else { throw unserved("\(name) with \(Name.sameLetters.rawValue)", rules) }
        return try text(inner, name)
    }

    private static func text(_ value: JSONValue, _ name: String) throws(EventPatternError) -> String {
        guard let text = value.string else { throw EventPatternError("\(name) match pattern must be a string") }
        return text
    }

    private static func relations(_ value: JSONValue) throws(EventPatternError) -> [(NumberRelation, Double)] {
        guard let list = value.array else { throw EventPatternError("Value of numeric must be an array.") }
        let first = try relation(list, at: 0)
        guard list.count > 2 else { return [first] }
        // Two of them are the ends of a range, the lower one first.
        guard first.0 == .more || first.0 == .atLeast else {
            throw EventPatternError("Too many elements in numeric expression")
        }
        let second = try relation(list, at: 2)
        guard second.0 == .less || second.0 == .atMost else {
            throw EventPatternError("Bad numeric range operator: \(second.0.rawValue)")
        }
        guard list.count == 4 else { throw EventPatternError("Too many terms in numeric range expression") }
        guard first.1 < second.1 else { throw EventPatternError("Bottom must be less than top") }
        return [first, second]
    }

    /// The operator at a place, and its number.
    private static func relation(
        _ list: [JSONValue], at place: Int
    ) throws(EventPatternError) -> (NumberRelation, Double) {
        guard list.indices.contains(place), let name = list[place].string else {
            // As the service reads the text: the end of the list is a bracket.
            let found = list.indices.contains(place) ? shown(list[place]) : "]"
            throw EventPatternError(
                "\(place == 0 ? "Invalid member in numeric match" : "Bad value in numeric range"): \(found)")
        }
        guard let relation = NumberRelation(rawValue: name) else {
            throw EventPatternError("\(place == 0 ? "Unrecognized" : "Bad") numeric range operator: \(name)")
        }
        guard list.indices.contains(place + 1), let number = list[place + 1].number else {
            throw EventPatternError("Value of \(relation == .equal ? "equals" : name) must be numeric")
        }
        guard EventPatternLimits.numbers.contains(number) else {
            throw EventPatternError("Value must be between -5.0E9 and 5.0E9, inclusive")
        }
        return (relation, number)
    }

    /// The first token of a value.
    private static func shown(_ value: JSONValue) -> String {
        switch value {
        case .array: "["
        case .object: "{"
        default: JSONWriter.text(of: value)
        }
    }

    /// Literals, or one kind of other tests over one text or several.
    private static func others(_ value: JSONValue, _ rules: PatternRules) throws(EventPatternError) -> [ValueTest] {
        if let object = value.object { return try negated(object, rules) }
        var kinds: Set<Bool> = []
        for literal in value.array ?? [value] {
            switch literal {
            case .string: kinds.insert(false)
            case _ where literal.number != nil: kinds.insert(true)
            default:
                throw EventPatternError(
                    value.array == nil
                        ? noLiteral : "Inside anything but list, start|null|boolean is not supported.")
            }
        }
        guard kinds.count == 1 else {
            throw EventPatternError(
                "Inside anything but list, either all values are number or string, mixed type is not supported")
        }
        return (value.array ?? [value]).map { .equals($0) }
    }

    private static let noLiteral = "Value of anything-but must be an array or single string/number value."

    /// `{"prefix": ["a", "b"]}` within `anything-but`.
    private static func negated(_ object: JSONObject, _ rules: PatternRules) throws(EventPatternError) -> [ValueTest] {
        guard let member = object.members.first, object.count == 1 else {
            throw EventPatternError("Only one key allowed in match expression")
        }
        guard let inner = Name(rawValue: member.key), rules.negated.contains(inner) else {
            throw EventPatternError("Unsupported anything-but pattern: \(member.key)")
        }
        var tests: [ValueTest] = []
        for literal in member.value.array ?? [member.value] {
            if literal.object != nil { throw EventPatternError(noLiteral) }
            guard let text = literal.string else {
                throw noText(within: inner, rules)
            }
            if text.isEmpty, inner == .prefix || inner == .suffix {
                throw EventPatternError("Null prefix/suffix not allowed")
            }
            tests.append(try test(member.key, literal, rules))
        }
        guard !tests.isEmpty else { throw EventPatternError("Empty arrays are not allowed") }
        return tests
    }

    private static func noText(within test: Name, _ rules: PatternRules) -> EventPatternError {
        switch test {
        case .sameLetters:
            EventPatternError(
                "Inside anything-but/equals-ignore-case list, number|start|null|boolean is not supported.")
        case .wildcard: EventPatternError("wildcard match pattern must be a string")
        default:
            EventPatternError(
                "\(rules.negated.contains(.suffix) ? "prefix/suffix" : "prefix") match pattern must be a string")
        }
    }

    /// True if it is for a value that is not there.
    var matchesNothing: Bool { if case .exists(false) = self { true } else { false } }

    func matches(_ value: JSONValue, _ steps: MatchingSteps) throws(EventPatternError) -> Bool {
        try steps.spend(cost(for: value))
        switch self {
        case .equals(let other):
            if let left = value.number, let right = other.number { return left == right }
            return value == other
        case .prefix(let text): return value.string?.hasPrefix(text) ?? false
        case .suffix(let text): return value.string?.hasSuffix(text) ?? false
        case .sameLetters(let text): return value.string.map { $0.lowercased() == text.lowercased() } ?? false
        case .samePrefix(let text): return value.string?.lowercased().hasPrefix(text.lowercased()) ?? false
        case .sameSuffix(let text): return value.string?.lowercased().hasSuffix(text.lowercased()) ?? false
        case .wildcard(let wildcard):
            return try value.string.map { text throws(EventPatternError) in try wildcard.matches(text, steps) } ?? false
        case .exists(let isThere): return isThere
        case .address(let block): return value.string.map(block.contains) ?? false
        case .none(let tests):
            for test in tests where try test.matches(value, steps) { return false }
            return true
        case .numeric(let relations):
            guard let number = value.number else { return false }
            return relations.allSatisfy { relation, bound in
                switch relation {
                case .less: number < bound
                case .atMost: number <= bound
                case .equal: number == bound
                case .atLeast: number >= bound
                case .more: number > bound
                }
            }
        }
    }
}

extension ValueTest {
    /// The steps of one test; letters are lowered one by one.
    private func cost(for value: JSONValue) -> Int {
        let bytes = value.string?.utf8.count ?? 0
        return switch self {
        case .equals: 4 + bytes / 16
        case .prefix(let text), .suffix(let text): 8 + min(bytes, text.utf8.count)
        case .sameLetters(let text), .samePrefix(let text), .sameSuffix(let text): 20 + 4 * (bytes + text.utf8.count)
        case .address: 100 + min(bytes, EventPatternLimits.addressBytesMax)
        case .wildcard: 8 + bytes / 16
        case .exists, .numeric, .none: 4
        }
    }
}

/// A text with `*` for anything; `\*` and `\\` are themselves.
struct Wildcard: Sendable {
    /// Nil is a star.
    private let pieces: [[UInt8]]

    init(_ text: String) throws(EventPatternError) {
        guard text.utf8.count <= EventPatternLimits.wildcardBytesMax else {
            throw EventPatternError("A wildcard pattern is too long")
        }
        var pieces: [[UInt8]] = [[]]
        var isEscaped = false
        var wasStar = false
        // The service counts the quotation mark before the text.
        for (place, byte) in text.utf8.enumerated() {
            if isEscaped {
                guard byte == UInt8(ascii: "*") || byte == UInt8(ascii: "\\") else {
                    throw EventPatternError("Invalid escape character at pos \(place)")
                }
                pieces[pieces.count - 1].append(byte)
                (isEscaped, wasStar) = (false, false)
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "*") {
                guard !wasStar else { throw EventPatternError("Consecutive wildcard characters at pos \(place)") }
                pieces.append([])
                wasStar = true
            } else {
                pieces[pieces.count - 1].append(byte)
                wasStar = false
            }
        }
        guard !isEscaped else {
            throw EventPatternError("Invalid escape character at pos \(text.utf8.count)")
        }
        let between = pieces.dropFirst().dropLast()
        guard pieces.count - 1 <= EventPatternLimits.repeatedStarsMax || Set(between).count == between.count else {
            throw EventPatternError(
                "Rule is too complex - try using fewer wildcard characters or fewer repeating character sequences after a "
                    + "wildcard character")
        }
        self.pieces = pieces
    }

    /// Each piece is looked for once, from where the one before has ended. What that takes is counted.
    func matches(_ text: String, _ steps: MatchingSteps) throws(EventPatternError) -> Bool {
        let bytes = Array(text.utf8)
        guard let first = pieces.first, let last = pieces.last, bytes.starts(with: first) else { return false }
        guard pieces.count > 1 else { return bytes.count == first.count }
        guard bytes.count >= first.count + last.count, bytes.suffix(last.count).elementsEqual(last) else {
            return false
        }
        var place = first.count
        let end = bytes.count - last.count
        for piece in pieces.dropFirst().dropLast() {
            guard let found = try Self.place(of: piece, in: bytes, from: place, to: end, steps) else { return false }
            place = found + piece.count
        }
        return place <= end
    }

    private static func place(
        of piece: [UInt8], in bytes: [UInt8], from start: Int, to end: Int, _ steps: MatchingSteps
    ) throws(EventPatternError) -> Int? {
        var at = start
        while end - at >= piece.count {
            var same = 0
            while same < piece.count, bytes[at + same] == piece[same] { same += 1 }
            if same == piece.count { return at }
            try steps.spend(1 + same / 4)
            at += 1
        }
        return nil
    }
}

/// Addresses of the internet that begin in the same way: `10.0.0.0/24`, `2001:db8::/32`.
struct AddressBlock: Sendable {
    private let bits: [UInt8]
    private let count: Int

    init(_ text: String) throws(EventPatternError) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        guard parts.count == 2 else { throw EventPatternError("Malformed CIDR, one '/' required") }
        guard let count = Int(parts[1]) else {
            throw EventPatternError("Malformed CIDR, mask bits must be an integer")
        }
        guard count >= 0 else { throw EventPatternError("Malformed CIDR, mask bits must not be negative") }
        guard let bits = Self.bytes(of: parts[0]) else {
            throw EventPatternError("Nonstandard IP address: \(parts[0])")
        }
        guard count <= bits.count * 8 else {
            throw EventPatternError("IPv\(bits.count == 4 ? 4 : 6) mask bits must be < \(bits.count * 8 + 1)")
        }
        (self.bits, self.count) = (bits, count)
    }

    func contains(_ text: String) -> Bool {
        guard let other = Self.bytes(of: text), other.count == bits.count else { return false }
        let whole = count / 8
        guard other.prefix(whole).elementsEqual(bits.prefix(whole)) else { return false }
        guard count % 8 > 0 else { return true }
        let mask = UInt8(truncatingIfNeeded: 0xFF << (8 - count % 8))
        return other[whole] & mask == bits[whole] & mask
    }

    private static func bytes(of text: String) -> [UInt8]? {
        guard text.utf8.count <= EventPatternLimits.addressBytesMax else { return nil }
        return text.utf8.contains(UInt8(ascii: ":")) ? six(text) : four(text)
    }

    private static func four(_ text: String) -> [UInt8]? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
            UInt8(String(decoding: $0, as: UTF8.self))
        }
        let bytes = parts.compactMap(\.self)
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func six(_ text: String) -> [UInt8]? {
        let halves = text.parts(separatedBy: "::")
        guard halves.count <= 2 else { return nil }
        func groups(_ half: String) -> [UInt16]? {
            guard !half.isEmpty else { return [] }
            let all = half.parts(separatedBy: ":").map { UInt16($0, radix: 16) }
            let groups = all.compactMap(\.self)
            return groups.count == all.count ? groups : nil
        }
        guard let head = groups(halves[0]), let tail = halves.count == 2 ? groups(halves[1]) : [] else { return nil }
        let missing = 8 - head.count - tail.count
        guard halves.count == 2 ? missing >= 1 : missing == 0 else { return nil }
        return (head + Array(repeating: 0, count: missing) + tail).flatMap {
            [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)]
        }
    }
}
