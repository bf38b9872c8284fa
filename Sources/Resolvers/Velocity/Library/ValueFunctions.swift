import JSON

/// What templates ask of values: JSON, kinds, defaults.
enum ValueFunctions {
    static let all = [
        OwnFunction("util.qr", 1) { _, _ in .text("") },
        OwnFunction("util.quiet", 1) { _, _ in .text("") },
        OwnFunction(OwnFunction.toJson, 1) { arguments, run throws(TemplateExit) in
            var buffer: [UInt8] = []
            try run.writeJSON(arguments[0], to: &buffer)
            return try run.made(String(decoding: buffer, as: UTF8.self))
        },
        OwnFunction("util.parseJson", 1) { arguments, run throws(TemplateExit) in
            guard case .text(let text) = arguments[0] else { return .null }
            try run.hold(bytes: text.utf8.count)
            return try run.parsed(text).map { value throws(TemplateExit) in try run.value(made: value) } ?? .null
        },
        OwnFunction("util.isNull", 1) { arguments, _ in .bool(arguments[0].isNull) },
        OwnFunction("util.isNullOrEmpty", 1) { arguments, _ in .bool(isNullOrEmpty(arguments[0])) },
        OwnFunction("util.isNullOrBlank", 1) { arguments, _ in .bool(isNullOrBlank(arguments[0])) },
        OwnFunction("util.defaultIfNull", 2) { arguments, _ in arguments[0].isNull ? arguments[1] : arguments[0] },
        OwnFunction("util.defaultIfNullOrEmpty", 2) { arguments, _ in
            isNullOrEmpty(arguments[0]) ? arguments[1] : arguments[0]
        },
        OwnFunction("util.defaultIfNullOrBlank", 2) { arguments, _ in
            isNullOrBlank(arguments[0]) ? arguments[1] : arguments[0]
        },
        OwnFunction("util.isString", 1) { arguments, _ in .bool(kind(arguments[0]) == "String") },
        OwnFunction("util.isNumber", 1) { arguments, _ in .bool(kind(arguments[0]) == "Number") },
        OwnFunction("util.isBoolean", 1) { arguments, _ in .bool(kind(arguments[0]) == "Boolean") },
        OwnFunction("util.isList", 1) { arguments, _ in .bool(kind(arguments[0]) == "List") },
        OwnFunction("util.isMap", 1) { arguments, _ in .bool(kind(arguments[0]) == "Map") },
        OwnFunction("util.typeOf", 1) { arguments, _ in .text(kind(arguments[0])) },
        OwnFunction("util.validate", 2...4) { arguments, run throws(TemplateExit) in
            guard case .bool(let holds) = arguments[0] else { return .null }
            if holds { return .text("") }
            let message = arguments[1].isNull ? "" : try run.text(of: arguments[1])
            let type =
                arguments.count > 2 && !arguments[2].isNull ? try run.text(of: arguments[2]) : "CustomTemplateException"
            let data = arguments.count > 3 ? try run.json(arguments[3]) : .null
            throw .failed(ResolverError(message, type: type, data: data.isNull ? JSONValue?.none : data))
        },
    ]

    private static func isNullOrEmpty(_ value: TemplateValue) -> Bool {
        switch value {
        case .null: true
        case .text(let text): text.isEmpty
        default: false
        }
    }

    private static func isNullOrBlank(_ value: TemplateValue) -> Bool {
        switch value {
        case .null: true
        case .text(let text): TemplateRun.isBlank(text)
        default: false
        }
    }

    private static func kind(_ value: TemplateValue) -> String {
        switch value {
        case .null: "Null"
        case .bool: "Boolean"
        case .integer, .long, .large, .double: "Number"
        case .text, .character: "String"
        case .list: "List"
        case .view(let view): view.part == .values ? "List" : "Set"
        case .map: "Map"
        case .entry, .iterator, .loop, .block, .library: "Object"
        }
    }
}

extension TemplateRun {
    /// A JSON text's value; nil: it is none.
    func parsed(_ text: String) -> JSONValue? {
        try? JSONReader.value(
            of: text, limits: JSONLimits(bytesMax: limits.resultBytesMax, nestingMax: limits.nestingMax))
    }

    /// A value that a function made.
    func value(made json: JSONValue) throws(TemplateExit) -> TemplateValue {
        switch json {
        case .string(let text): return try made(text)
        case .array, .object:
            try hold(values: try measured(json, level: 0))
            return heap.value(json)
        default: return heap.value(json)
        }
    }

    /// How many values there are in one.
    private func measured(_ value: JSONValue, level: Int) throws(TemplateExit) -> Int {
        try count()
        try checkNesting(level)
        var sum = 1
        switch value {
        case .array(let elements):
            for element in elements { sum += try measured(element, level: level + 1) }
        case .object(let object):
            for member in object.members { sum += try measured(member.value, level: level + 1) }
        case .string(let text): sum += text.utf8.count / VelocityLimits.bytesPerValue
        default: break
        }
        return sum
    }

    /// What a function fails with: an error of the template's own words, or a fault of the template's.
    func failure(_ error: ResolverError) -> TemplateExit {
        error.isFault ? fault(error.message) : .failed(error)
    }
}
