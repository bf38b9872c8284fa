import GraphQL

/// The methods of lists.
enum ListMethods {
    static func call(
        _ method: NativeMethod, of list: ScriptList, _ arguments: [PlacedValue], evaluator: ScriptEvaluator
    ) throws(TypeScriptError) -> ScriptValue {
        let elements = list.elements
        let position = method.position
        try evaluator.spend(elements.count, at: position)
        func result(_ placed: PlacedValue, _ index: Int) throws(TypeScriptError) -> ScriptValue {
            let function = arguments.first?.value ?? .undefined
            let number = PlacedValue(value: .number(Double(index)), position: position)
            let whole = PlacedValue(value: .list(list), position: position)
            return try evaluator.call(function, [placed, number, whole], at: arguments.first?.position ?? position)
        }
        func made(_ found: [PlacedValue]) throws(TypeScriptError) -> ScriptValue {
            try evaluator.checkCount(found.count, at: position)
            try evaluator.spend(found.count, at: position)
            return .list(ScriptList(found))
        }
        switch method.name {
        case "map", "flatMap":
            var found: [PlacedValue] = []
            for (index, element) in elements.enumerated() {
                let value = try result(element, index)
                if method.name == "flatMap", case .list(let inner) = value {
                    found += inner.elements
                } else {
                    found.append(PlacedValue(value: value, position: element.position))
                }
                try evaluator.checkCount(found.count, at: position)
            }
            return try made(found)
        case "filter", "find", "some", "every":
            var found: [PlacedValue] = []
            for (index, element) in elements.enumerated() {
                if try evaluator.isTrue(result(element, index)) { found.append(element) }
            }
            switch method.name {
            case "find": return found.first?.value ?? .undefined
            case "some": return .boolean(!found.isEmpty)
            case "every": return .boolean(found.count == elements.count)
            default: return try made(found)
            }
        case "reduce": return try reduced(elements, arguments, evaluator: evaluator, at: position)
        case "concat":
            var found = elements
            for argument in arguments {
                if case .list(let other) = argument.value { found += other.elements } else { found.append(argument) }
            }
            return try made(found)
        case "slice":
            let range = try Texts.range(arguments, count: elements.count, evaluator: evaluator)
            return try made(Array(elements[range]))
        case "flat": return try made(elements.flatMap { $0.value.list?.elements ?? [$0] })
        case "join": return try joined(elements, arguments, evaluator: evaluator, at: position)
        default:
            var place: Int?
            for (index, element) in elements.enumerated() {
                guard try evaluator.isSame(element.value, arguments.first?.value ?? .undefined) else { continue }
                place = index
                break
            }
            return method.name == "includes" ? .boolean(place != nil) : .number(Double(place ?? -1))
        }
    }

    private static func joined(
        _ elements: [PlacedValue], _ arguments: [PlacedValue], evaluator: ScriptEvaluator, at position: Position
    ) throws(TypeScriptError) -> ScriptValue {
        var separator = ","
        if let given = arguments.first { separator = try evaluator.text(of: given) }
        var texts: [String] = []
        // Counted before it is put together.
        var length = 0
        for element in elements {
            let text = element.value.isNothing ? "" : try evaluator.text(of: element)
            texts.append(text)
            length += text.utf8.count + separator.utf8.count
        }
        guard length <= evaluator.limits.textBytesMax else {
            throw TypeScriptError("a text has more than \(evaluator.limits.textBytesMax) bytes", at: position)
        }
        return try evaluator.checkedText(texts.joined(separator: separator), at: position)
    }

    private static func reduced(
        _ elements: [PlacedValue], _ arguments: [PlacedValue], evaluator: ScriptEvaluator, at position: Position
    ) throws(TypeScriptError) -> ScriptValue {
        guard var value = arguments.count > 1 ? arguments[1].value : elements.first?.value else {
            throw TypeScriptError("an empty list cannot be reduced without a first value", at: position)
        }
        let function = arguments.first?.value ?? .undefined
        for element in elements.dropFirst(arguments.count > 1 ? 0 : 1) {
            value = try evaluator.call(
                function, [PlacedValue(value: value, position: position), element], at: position)
        }
        return value
    }
}
