import GraphQL

/// The members of values, and the methods of lists and texts.
extension ScriptEvaluator {
    private static let listMethods: Set = [
        "map", "filter", "concat", "slice", "includes", "join", "flat", "flatMap", "indexOf", "reduce", "find", "some",
        "every",
    ]
    private static let textMethods: Set = [
        "toUpperCase", "toLowerCase", "trim", "slice", "replace", "split", "startsWith", "endsWith", "concat",
        "includes", "indexOf", "toString", "charAt", "repeat", "padStart",
    ]

    /// A member of a value. `before` are the methods that were called before in the same chain.
    func member(
        _ name: String, of value: ScriptValue, at position: Position, before: [String]
    ) throws(TypeScriptError) -> ScriptValue {
        func method(_ receiver: NativeMethod.Receiver) -> ScriptValue {
            .method(NativeMethod(receiver: receiver, name: name, position: position, before: before))
        }
        switch value {
        case .list(let list):
            if name == "length" { return .number(Double(list.elements.count)) }
            guard Self.listMethods.contains(name) else { throw unknown(name, of: value, at: position) }
            return method(.list(list))
        case .string(let text):
            if name == "length" { return .number(Double(text.utf16.count)) }
            guard Self.textMethods.contains(name) else { throw unknown(name, of: value, at: position) }
            return method(.text(text))
        case .number(let number):
            guard name == "toString" else { throw unknown(name, of: value, at: position) }
            return method(.number(number))
        case .object(let object):
            return try object[name].map { member throws(TypeScriptError) in
                try self.value(of: member).value
            } ?? .undefined
        case .opaque(let opaque): return .opaque(OpaqueValue(opaque.error))
        case .native(let object): return try Natives.member(name, of: object, at: position, evaluator: self)
        case .builder(let builder):
            if builder.properties.contains(name), let value = ScriptValue(property: name, of: builder) { return value }
            guard builder.modifiers.contains(name) else {
                throw refusal(of: name, receiver: builder.label, known: builder.modifiers, at: position)
            }
            if builder.onceOnly.contains(name), before.contains(name) {
                throw TypeScriptError("`.\(name)()` may be called once on \(builder.label)", at: position)
            }
            return method(.builder(builder))
        default: throw unknown(name, of: value, at: position)
        }
    }

    private func unknown(_ name: String, of value: ScriptValue, at position: Position) -> TypeScriptError {
        TypeScriptError("\(value.description) has no \"\(name)\" that is evaluated", at: position)
    }

    func refusal(of name: String, receiver: String, known: [String], at position: Position) -> TypeScriptError {
        let known = known.filter { $0 != "relationships" }
        let list = known.isEmpty ? "it has no modifiers" : "it knows \(known.joined(separator: ", "))"
        return TypeScriptError("\(receiver) has no `\(name)`: \(list)", at: position)
    }

    func element(_ index: PlacedValue, of value: ScriptValue) throws(TypeScriptError) -> ScriptValue {
        if case .number(let number) = index.value {
            switch value {
            case .list(let list):
                guard let place = Int(exactly: number), list.elements.indices.contains(place) else { return .undefined }
                return list.elements[place].value
            case .string(let text):
                let units = Array(text.utf16)
                guard let place = Int(exactly: number), units.indices.contains(place) else { return .undefined }
                return .string(String(decoding: [units[place]], as: UTF16.self))
            default: break
            }
        }
        return try member(try text(of: index), of: value, at: index.position, before: [])
    }

    func call(
        _ method: NativeMethod, _ arguments: [PlacedValue], at position: Position
    ) throws(TypeScriptError) -> ScriptValue {
        switch method.receiver {
        case .list(let list): return try ListMethods.call(method, of: list, arguments, evaluator: self)
        case .text(let text): return try TextMethods.call(method, of: text, arguments, evaluator: self)
        case .number(let number): return .string(NumberText.text(of: number))
        case .builder(let builder):
            try BuilderModifiers(arguments: BuilderArguments(arguments, of: method, self)).modify(builder)
            return .builder(builder)
        case .native(let object):
            return try Natives.call(method, of: object, arguments, evaluator: self)
        case .none: return try Natives.call(method, arguments, at: position, evaluator: self)
        }
    }
}
