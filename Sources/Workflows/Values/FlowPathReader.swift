import JSON

/// Reads paths, alone or as parts of other texts.
struct FlowPathReader {
    let bytes: [UInt8]
    var place: Int
    private var nesting = 0
    /// Whether it has ended at filters in each other.
    private(set) var isTooDeep = false

    init(_ text: String) { self.init(Array(text.utf8), at: 0) }

    init(_ bytes: [UInt8], at place: Int) { (self.bytes, self.place) = (bytes, place) }

    var isAtEnd: Bool { place >= bytes.count }
    var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    mutating func skip(word: String) -> Bool {
        guard bytes[min(place, bytes.count)...].starts(with: word.utf8) else { return false }
        place += word.utf8.count
        return true
    }

    mutating func skipBlanks() {
        while let byte = next, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n") {
            place += 1
        }
    }

    /// A path from `$` or `$$` on.
    mutating func path() -> FlowPath? {
        let start = place
        guard skip("$") else { return nil }
        let isOfContext = skip("$")
        let variable = isOfContext ? nil : name()
        guard let steps = steps() else { return nil }
        return FlowPath(
            String(decoding: bytes[start..<place], as: UTF8.self), steps: steps, isOfContext: isOfContext,
            variable: variable)
    }

    /// The steps behind `$` or `@`.
    mutating func steps() -> [FlowPath.Step]? {
        var steps: [FlowPath.Step] = []
        while let byte = next {
            guard steps.count < WorkflowLimits.pathStepsMax else { return nil }
            if byte == UInt8(ascii: ".") {
                place += 1
                if skip(".") {
                    steps.append(.below)
                    if next == UInt8(ascii: "[") { continue }
                }
                if skip("*") {
                    steps.append(.all)
                    continue
                }
                guard let name = name() else { return nil }
                steps.append(.member(name))
            } else if byte == UInt8(ascii: "[") {
                place += 1
                guard let step = bracket() else { return nil }
                steps.append(step)
            } else {
                break
            }
        }
        return steps
    }

    private static let ends = Set(" \t\n.[](),'\"?!=<>&|@*:{}".utf8)

    private mutating func name() -> String? {
        let start = place
        while let byte = next, !Self.ends.contains(byte) { place += 1 }
        return place > start ? String(decoding: bytes[start..<place], as: UTF8.self) : nil
    }

    private mutating func bracket() -> FlowPath.Step? {
        skipBlanks()
        if skip("*") { return closed(.all) }
        if skip("?") {
            skipBlanks()
            guard skip("("), let filter = filter() else { return nil }
            skipBlanks()
            guard skip(")") else { return nil }
            return closed(.filter(filter))
        }
        if next == UInt8(ascii: "'") || next == UInt8(ascii: "\"") {
            var names: [String] = []
            repeat {
                skipBlanks()
                guard let name = quotedName(), names.count < WorkflowLimits.pathStepsMax else { return nil }
                names.append(name)
                skipBlanks()
            } while skip(",")
            return closed(names.count == 1 ? .member(names[0]) : .members(names))
        }
        let first = number()
        skipBlanks()
        if skip(":") {
            skipBlanks()
            let to = number()
            skipBlanks()
            var by = 1
            if skip(":") {
                guard let step = number(), step > 0 else { return nil }
                by = step
            }
            return closed(.slice(from: first, to: to, by: by))
        }
        guard let first else { return nil }
        var numbers = [first]
        while skip(",") {
            skipBlanks()
            guard let number = number(), numbers.count < WorkflowLimits.pathStepsMax else { return nil }
            numbers.append(number)
            skipBlanks()
        }
        return closed(numbers.count == 1 ? .element(first) : .elements(numbers))
    }

    private mutating func closed(_ step: FlowPath.Step) -> FlowPath.Step? {
        skipBlanks()
        return skip("]") ? step : nil
    }

    /// A text between quotes of either kind, with what `\` lets stand for itself.
    mutating func quoted() -> String? {
        guard let quote = next, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else { return nil }
        place += 1
        var text: [UInt8] = []
        while let byte = next, byte != quote {
            place += 1
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard let escaped = next else { return nil }
            text.append(escaped)
            place += 1
        }
        guard next == quote else { return nil }
        place += 1
        return String(decoding: text, as: UTF8.self)
    }

    /// The name of a member between quotes. `\` is a character of it, but before the quote and before another one.
    private mutating func quotedName() -> String? {
        guard let quote = next, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else { return nil }
        place += 1
        var name: [UInt8] = []
        while let byte = next, byte != quote {
            place += 1
            if byte == UInt8(ascii: "\\"), let escaped = next, escaped == quote || escaped == byte {
                name.append(escaped)
                place += 1
            } else {
                name.append(byte)
            }
        }
        guard next == quote else { return nil }
        place += 1
        return String(decoding: name, as: UTF8.self)
    }

    private mutating func number() -> Int? {
        let start = place
        _ = skip("-")
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), place - start < 12 { place += 1 }
        guard let number = Int(String(decoding: bytes[start..<place], as: UTF8.self)) else {
            place = start
            return nil
        }
        return number
    }

    /// A number, a text, `true`, `false` or `null` as it stands in a filter or a function.
    mutating func literal() -> JSONValue? {
        if next == UInt8(ascii: "'") || next == UInt8(ascii: "\"") { return quoted().map { .string($0) } }
        for (word, value) in [("true", JSONValue.bool(true)), ("false", .bool(false)), ("null", .null)]
        where skip(word: word) { return value }
        let start = place
        while let byte = next,
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
        {
            place += 1
        }
        guard place > start, place - start < 64 else { return nil }
        return try? JSONReader.value(of: Array(bytes[start..<place]))
    }

    // MARK: Filters

    private mutating func isShallow() -> Bool {
        if nesting > WorkflowLimits.filterNestingMax { isTooDeep = true }
        return !isTooDeep
    }

    /// `@.price > 10 && !@.sold`
    private mutating func filter() -> FlowFilter? {
        nesting += 1
        defer { nesting -= 1 }
        guard isShallow() else { return nil }
        var any: [FlowFilter] = []
        repeat {
            var all: [FlowFilter] = []
            repeat {
                guard let test = test(), all.count + any.count < WorkflowLimits.pathStepsMax else { return nil }
                all.append(test)
                skipBlanks()
            } while skip(word: "&&")
            any.append(all.count == 1 ? all[0] : .all(all))
        } while skip(word: "||")
        return any.count == 1 ? any[0] : .any(any)
    }

    private mutating func test() -> FlowFilter? {
        skipBlanks()
        if next == UInt8(ascii: "!") {
            place += 1
            nesting += 1
            defer { nesting -= 1 }
            guard isShallow() else { return nil }
            return test().map { .all([.not($0)]) }
        }
        if skip("(") {
            guard let inner = filter() else { return nil }
            skipBlanks()
            return skip(")") ? inner : nil
        }
        guard let left = operand() else { return nil }
        skipBlanks()
        for comparison in FlowFilter.Comparison.allCases where skip(word: comparison.rawValue) {
            skipBlanks()
            return operand().map { .compare(left, comparison, $0) }
        }
        if case .path(let path, let isOfRoot) = left { return .has(path, isOfRoot: isOfRoot) }
        return nil
    }

    private mutating func operand() -> FlowFilter.Operand? {
        let start = place
        let isOfRoot = next == UInt8(ascii: "$")
        if isOfRoot || next == UInt8(ascii: "@") {
            place += 1
            guard let steps = steps() else { return nil }
            let text = String(decoding: bytes[start..<place], as: UTF8.self)
            return .path(FlowPath(text, steps: steps, isOfContext: false), isOfRoot: isOfRoot)
        }
        return literal().map { .value($0) }
    }
}
