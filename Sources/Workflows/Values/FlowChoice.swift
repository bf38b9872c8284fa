import JSON

/// What a rule of a state that chooses asks of the data.
indirect enum FlowTest: Sendable {
    case all([FlowTest])
    case any([FlowTest])
    case not(FlowTest)
    case compare(FlowPath, FlowComparison, Operand)
    case has(FlowPath, Kind, isWanted: Bool)
    /// An expression in JSONata.
    case condition(FlowQueryText)

    enum Operand: Sendable {
        case value(JSONValue)
        case path(FlowPath)
    }

    /// `IsNull`, `IsPresent`, ...
    enum Kind: String, Sendable, CaseIterable {
        case null = "IsNull"
        case present = "IsPresent"
        case number = "IsNumeric"
        case text = "IsString"
        case flag = "IsBoolean"
        case time = "IsTimestamp"
    }

    func holds(_ data: FlowData) throws(FlowFault) -> Bool {
        try data.steps.spend(FlowSteps.valueSteps)
        switch self {
        case .all(let tests):
            for test in tests where try !test.holds(data) { return false }
            return true
        case .any(let tests):
            for test in tests where try test.holds(data) { return true }
            return false
        case .not(let test): return try !test.holds(data)
        case .condition(let text):
            guard let query = data.query else { return false }
            let value = try text.value(query)
            guard let isMet = value.bool else { throw text.unexpected(value, wanted: "boolean") }
            return isMet
        case .has(let path, let kind, let isWanted):
            guard let value = try path.value(in: data) else { return isWanted == false }
            return kind.isKind(of: value) == isWanted
        case .compare(let path, let comparison, let operand):
            let value = try Self.demanded(path, data)
            switch operand {
            case .value(let other): return try comparison.holds(value, other, data.steps)
            case .path(let other): return try comparison.holds(value, try Self.demanded(other, data), data.steps)
            }
        }
    }

    private static func demanded(_ path: FlowPath, _ data: FlowData) throws(FlowFault) -> JSONValue {
        guard let value = try path.value(in: data) else {
            throw .runtime(
                "Invalid path '\(path.text)': The choice state's condition path references an invalid value.")
        }
        return value
    }
}

extension FlowTest.Kind {
    fileprivate func isKind(of value: JSONValue) -> Bool {
        switch self {
        case .null: value.isNull
        case .present: true
        case .number: value.number != nil
        case .text: value.string != nil
        case .flag: value.bool != nil
        case .time: value.string.flatMap { Timestamp($0) } != nil
        }
    }
}

/// A comparison of two values of one kind. Values of another kind do not meet it.
struct FlowComparison: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case text = "String"
        case number = "Numeric"
        case flag = "Boolean"
        case time = "Timestamp"
    }

    enum Order: String, Sendable, CaseIterable {
        case equal = "Equals"
        case less = "LessThan"
        case greater = "GreaterThan"
        case atMost = "LessThanEquals"
        case atLeast = "GreaterThanEquals"
        case matching = "Matches"
    }

    let kind: Kind
    let order: Order

    /// All that there are, by the names that rules have for them.
    static let byName: [ByteText: FlowComparison] = {
        var all: [ByteText: FlowComparison] = [:]
        for kind in Kind.allCases {
            for order in Order.allCases {
                if kind == .flag, order != .equal { continue }
                if order == .matching, kind != .text { continue }
                all["\(kind.rawValue)\(order.rawValue)"] = FlowComparison(kind: kind, order: order)
            }
        }
        return all
    }()

    /// Whether a value can be what is compared with.
    func takes(_ value: JSONValue) -> Bool {
        switch kind {
        case .text: value.string != nil
        case .number: value.number != nil
        case .flag: value.bool != nil
        case .time: value.string.flatMap { Timestamp($0) } != nil
        }
    }

    func holds(_ left: JSONValue, _ right: JSONValue, _ steps: FlowSteps) throws(FlowFault) -> Bool {
        switch kind {
        case .flag: return left.bool.map { $0 == right.bool } ?? false
        case .number:
            if let one = left.integer, let other = right.integer { return holds(one, other) }
            guard let one = left.number, let other = right.number else { return false }
            return holds(one, other)
        case .time:
            guard let one = left.string.flatMap({ Timestamp($0) }), let other = right.string.flatMap({ Timestamp($0) })
            else { return false }
            return one.seconds == other.seconds
                ? holds(one.milliseconds, other.milliseconds) : holds(one.seconds, other.seconds)
        case .text:
            guard let one = left.text, let other = right.text else { return false }
            let (count, otherCount) = (one.string.utf8.count, other.string.utf8.count)
            guard order == .matching else {
                try steps.spend(min(count, otherCount) / FlowSteps.bytesPerStep)
                return holds(one, other)
            }
            try steps.spend(count + otherCount)
            return try Self.matches(Array(one.string.utf8), Array(other.string.utf8), steps)
        }
    }

    private func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
        switch order {
        case .equal, .matching: left == right
        case .less: left < right
        case .greater: left > right
        case .atMost: left <= right
        case .atLeast: left >= right
        }
    }

    /// Whether a text is as a pattern says, in which `*` stands for any letters and `\*` for itself. It takes no longer than the product of
    /// both lengths, and what it takes is counted.
    static func matches(_ text: [UInt8], _ pattern: [UInt8], _ steps: FlowSteps) throws(FlowFault) -> Bool {
        var pieces: [UInt8?] = []
        var place = 0
        while place < pattern.count {
            if pattern[place] == UInt8(ascii: "\\"), place + 1 < pattern.count,
                pattern[place + 1] == UInt8(ascii: "*") || pattern[place + 1] == UInt8(ascii: "\\")
            {
                pieces.append(pattern[place + 1])
                place += 2
            } else {
                pieces.append(pattern[place] == UInt8(ascii: "*") ? nil : pattern[place])
                place += 1
            }
        }
        var (at, piece) = (0, 0)
        var star: (piece: Int, at: Int)?
        var count = 0
        while at < text.count {
            count += 1
            if count == stepsPerCount {
                try steps.spend(count)
                count = 0
            }
            if piece < pieces.count, let byte = pieces[piece], byte == text[at] {
                at += 1
                piece += 1
            } else if piece < pieces.count, pieces[piece] == nil {
                star = (piece, at)
                piece += 1
            } else if let known = star {
                star = (known.piece, known.at + 1)
                (at, piece) = (known.at + 1, known.piece + 1)
            } else {
                return false
            }
        }
        return pieces[piece...].allSatisfy { $0 == nil }
    }

    private static let stepsPerCount = 1_000
}
