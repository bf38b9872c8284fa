import JSON
import Script

/// `$match`, `$contains`, `$replace` and `$split`, with texts, patterns, and functions that look for something.
enum JSONataPatterns {
    static let all: [(ByteText, JSONataFunction)] = [
        (
            "match",
            JSONataFunction("<s-f<s:o>n?:a<o>>", 3) { evaluation, call throws(JSONataError) in
                guard let text = try call.text(0), let matcher = try call.function(1) else { return .missing }
                let limit = try limit(call, 2, "D3040")
                var found = List.sequence()
                var search = Search(evaluation, matcher, text)
                while Double(found.count) < limit, let match = try search.next() {
                    var members = Members()
                    members.add("match", .string(match.text))
                    members.add("index", .number(match.start))
                    members.add("groups", .list(List(match.groups)))
                    found.append(.record(Record(members)))
                    try evaluation.allocate(160)
                }
                return .list(found)
            }
        ),
        (
            "contains",
            JSONataFunction("<s-(sf):b>", 2) { evaluation, call throws(JSONataError) in
                guard let text = try call.text(0) else { return .missing }
                switch call[1] {
                case .missing: return .missing
                case .string(let part):
                    try evaluation.spend(1 + text.utf8.count >> 3)
                    return .bool(text.contains(bytesOf: part))
                default:
                    guard let matcher = try call.function(1) else { return .missing }
                    var search = Search(evaluation, matcher, text)
                    return .bool(try search.next() != nil)
                }
            }
        ),
        (
            "split",
            JSONataFunction("<s-(sf)n?:a<s>>", 3) { evaluation, call throws(JSONataError) in
                guard let text = try call.text(0) else { return .missing }
                let limit = try limit(call, 2, "D3020")
                guard limit > 0 else { return .list(List([])) }
                if case .string(let separator) = call[1] {
                    var parts =
                        separator.isEmpty
                        ? text.unicodeScalars.map { String($0) } : text.parts(separatedBy: separator)
                    if Double(parts.count) > limit.rounded(.down) { parts = Array(parts.prefix(Int(limit))) }
                    try evaluation.allocate(text.utf8.count + parts.count &* 24)
                    return .list(List.flat(parts.map { .string($0) }))
                }
                guard let matcher = try call.function(1) else {
                    return .list(List([.string(text)]))
                }
                let units = Array(text.utf16)
                var parts: [Value] = []
                var start = 0
                var search = Search(evaluation, matcher, text)
                while Double(parts.count) < limit, let match = try search.next() {
                    parts.append(try evaluation.made(slice(units, start, match.startPlace)))
                    start = match.endPlace
                }
                if Double(parts.count) < limit { parts.append(try evaluation.made(slice(units, start, units.count))) }
                return .list(List.flat(parts))
            }
        ),
        (
            "replace",
            JSONataFunction("<s-(sf)(sf)n?:s>", 4) { evaluation, call throws(JSONataError) in
                guard let text = try call.text(0) else { return .missing }
                if case .string("") = call[1] { throw JSONataError("D3010", value: "\"\"") }
                let limit = try limit(call, 3, "D3011")
                guard limit > 0 else { return .string(text) }
                if case .string(let part) = call[1] {
                    return try replaced(evaluation, text, part, by: call[2].text ?? "", limit)
                }
                guard let matcher = try call.function(1) else { return .string(text) }
                return try replaced(evaluation, text, matcher, by: call[2], limit)
            }
        ),
    ]

    /// How many at the most; infinite: all.
    private static func limit(_ call: Arguments, _ index: Int, _ code: String) throws(JSONataError) -> Double {
        guard let number = try call.number(index), !number.isNaN else { return .infinity }
        guard number >= 0 else { throw JSONataError(code, value: NumberText.decimal(number)) }
        return number
    }

    static func slice(_ units: [UInt16], _ start: Int, _ end: Int) -> String {
        let start = min(max(start, 0), units.count)
        return String(decoding: units[start..<max(start, min(end, units.count))], as: UTF16.self)
    }

    private static func replaced(
        _ evaluation: JSONataEvaluation, _ text: String, _ part: String, by other: String, _ limit: Double
    ) throws(JSONataError) -> Value {
        let parts = text.parts(separatedBy: part)
        try evaluation.allocate(text.utf8.count + parts.count &* 16)
        var bytes = text.utf8.count
        var made = parts[0]
        for (number, piece) in parts.dropFirst().enumerated() {
            bytes += other.utf8.count
            guard bytes <= JSONataLimits.madeTextBytesMax else { throw JSONataEvaluation.tooLong }
            made += Double(number) < limit ? other : part
            made += piece
        }
        return try evaluation.made(made)
    }

    private static func replaced(
        _ evaluation: JSONataEvaluation, _ text: String, _ matcher: Function, by other: Value, _ limit: Double
    ) throws(JSONataError) -> Value {
        let units = Array(text.utf16)
        var made = ""
        var place = 0
        var count = 0.0
        var search = Search(evaluation, matcher, text)
        while count < limit, let match = try search.next() {
            made += slice(units, place, match.startPlace)
            switch other {
            case .function(let function):
                let value = try evaluation.apply(.function(function), [match.value], .missing)
                guard case .string(let text) = value else {
                    throw JSONataError("D3012", value: JSONataWriter.summary(of: value))
                }
                made += text
            default: made += substitute(other.text ?? "", match)
            }
            guard made.utf8.count <= JSONataLimits.madeTextBytesMax else { throw JSONataEvaluation.tooLong }
            place = match.startPlace + match.text.utf16.count
            count += 1
        }
        guard count > 0 else { return .string(text) }
        return try evaluation.made(made + slice(units, place, units.count))
    }

    /// The replacement with its `$1` filled in.
    private static func substitute(_ text: String, _ match: Search.Match) -> String {
        let units = Array(text.utf16)
        let sign = UInt16(UInt8(ascii: "$"))
        var made: [UInt16] = []
        var place = 0
        func number(_ digits: Int) -> Int? {
            var value: Int?
            for unit in units[place..<min(place + digits, units.count)] {
                guard (48...57).contains(unit) else { break }
                value = (value ?? 0) * 10 + Int(unit - 48)
            }
            return value
        }
        while place < units.count {
            let unit = units[place]
            place += 1
            guard unit == sign else {
                made.append(unit)
                continue
            }
            let next = place < units.count ? units[place] : nil
            if next == sign {
                made.append(sign)
                place += 1
            } else if next == 48 {
                made += Array(match.text.utf16)
                place += 1
            } else {
                let digits = match.groups.isEmpty ? 1 : "\(match.groups.count)".utf8.count
                var found = number(digits)
                if digits > 1, let wanted = found, wanted > match.groups.count { found = number(digits - 1) }
                guard let found else {
                    made.append(sign)
                    continue
                }
                if match.groups.indices.contains(found - 1), case .string(let group) = match.groups[found - 1] {
                    made += Array(group.utf16)
                }
                place += "\(found)".utf8.count
            }
        }
        return String(decoding: made, as: UTF16.self)
    }
}

/// Finds one match after the other, by a pattern or by a function that answers as patterns do.
struct Search {
    struct Match {
        let text: String
        let start: Double
        let end: Double
        let groups: [Value]
        /// As functions see it.
        let value: Value

        var startPlace: Int { Int(exactly: start.rounded(.down)) ?? 0 }
        var endPlace: Int { Int(exactly: end.rounded(.down)) ?? 0 }
    }

    private let evaluation: JSONataEvaluation
    private var function: Function?
    private var isFirst = true
    private let text: String

    init(_ evaluation: JSONataEvaluation, _ function: Function, _ text: String) {
        (self.evaluation, self.function, self.text) = (evaluation, function, text)
    }

    mutating func next() throws(JSONataError) -> Match? {
        guard let function else { return nil }
        let value = try evaluation.apply(.function(function), isFirst ? [.string(text)] : [], .missing)
        isFirst = false
        guard value.isTruthy else { return nil }
        guard case .record(let record) = value else { throw JSONataError("T1010") }
        guard case .number(let start)? = record["start"] else { throw JSONataError("T1010") }
        self.function = record["next"]?.function
        var end = start
        if case .number(let number)? = record["end"] { end = number }
        return Match(
            text: record["match"]?.text ?? "", start: start, end: end, groups: record["groups"]?.elements ?? [],
            value: value)
    }
}
