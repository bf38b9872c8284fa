import JSON

/// What stands for a value: a path, or a call of a function with paths, calls and values of its own.
///
///     $.order.id        States.Format('{} of {}', $.number, States.ArrayLength($.all))
indirect enum FlowExpression: Sendable {
    case path(FlowPath)
    case call(FlowFunction, [FlowExpression])
    /// A text, a number, `true`, `false` or `null` between the brackets of a call. Of a text it is also known how it was written: a
    /// pattern of `States.Format` has its own places.
    case value(JSONValue)

    /// Nil: it is neither a path nor a call.
    init?(_ text: String) {
        if let path = FlowPath(text) {
            self = .path(path)
            return
        }
        var reader = FlowPathReader(text)
        guard let call = Self.call(&reader, WorkflowLimits.intrinsicNestingMax) else { return nil }
        reader.skipBlanks()
        guard reader.isAtEnd else { return nil }
        self = call
    }

    private static let start = "States."

    private static func call(_ reader: inout FlowPathReader, _ nesting: Int) -> FlowExpression? {
        guard nesting > 0, reader.skip(word: start) else { return nil }
        guard let function = FlowFunction.byLength.first(where: { reader.skip(word: $0.rawValue) }) else { return nil }
        reader.skipBlanks()
        guard reader.skip("(") else { return nil }
        var arguments: [FlowExpression] = []
        reader.skipBlanks()
        if !reader.skip(")") {
            repeat {
                reader.skipBlanks()
                guard let argument = argument(&reader, nesting), arguments.count < WorkflowLimits.pathStepsMax else {
                    return nil
                }
                arguments.append(argument)
                reader.skipBlanks()
            } while reader.skip(",")
            guard reader.skip(")") else { return nil }
        }
        guard function.argumentCounts.contains(arguments.count) else { return nil }
        return .call(function, arguments)
    }

    private static func argument(_ reader: inout FlowPathReader, _ nesting: Int) -> FlowExpression? {
        switch reader.next {
        case UInt8(ascii: "$"): return reader.path().map { .path($0) }
        case UInt8(ascii: "S"): return call(&reader, nesting - 1)
        // A text is between single quotes here.
        case UInt8(ascii: "\""): return nil
        case UInt8(ascii: "'"): return reader.template().map { .value(.string($0)) }
        default: return reader.literal().map { .value($0) }
        }
    }

    /// - Parameter field: of whom it is told where there is none.
    func value(_ data: FlowData, _ chance: FlowChance, field: String) throws(FlowFault) -> JSONValue {
        switch self {
        case .path(let path): return try path.demanded(in: data, by: field)
        case .value(let value): return value
        case .call(let function, let arguments):
            var values: [JSONValue] = []
            for argument in arguments { values.append(try argument.value(data, chance, field: field)) }
            return try function.value(values, chance, data.steps)
        }
    }
}

extension FlowPathReader {
    /// A text between single quotes. `\{` and `\}` stay as they are, so that a pattern can tell them from its places.
    fileprivate mutating func template() -> String? {
        guard skip("'") else { return nil }
        var text: [UInt8] = []
        while let byte = next, byte != UInt8(ascii: "'") {
            place += 1
            guard byte == UInt8(ascii: "\\"), let escaped = next else {
                text.append(byte)
                continue
            }
            if escaped == UInt8(ascii: "{") || escaped == UInt8(ascii: "}") { text.append(byte) }
            text.append(escaped)
            place += 1
        }
        return skip("'") ? String(decoding: text, as: UTF8.self) : nil
    }
}
