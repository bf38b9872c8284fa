import GraphQL

/// Evaluates modules: constants, functions and the calls of builders, and nothing else. No code runs.
final class ScriptEvaluator {
    let limits: TypeScriptLimits
    let environment: (String) -> String?
    let modules: ScriptModules
    private var steps = 0
    private var depth = 0
    /// Every call of `defineData`.
    var data: [DataBuilder] = []

    init(modules: ScriptModules, limits: TypeScriptLimits, environment: @escaping (String) -> String?) {
        self.modules = modules
        self.limits = limits
        self.environment = environment
    }

    /// Counts work, so that none goes on for ever.
    func spend(_ count: Int, at position: Position) throws(TypeScriptError) {
        steps += count
        guard steps <= limits.stepsMax else {
            throw TypeScriptError("the schema takes more than \(limits.stepsMax) steps to evaluate", at: position)
        }
    }

    func checkCount(_ count: Int, at position: Position) throws(TypeScriptError) {
        guard count <= limits.elementsMax else {
            throw TypeScriptError("a list or object has more than \(limits.elementsMax) elements", at: position)
        }
    }

    func checkedText(_ text: String, at position: Position) throws(TypeScriptError) -> ScriptValue {
        guard text.utf8.count <= limits.textBytesMax else {
            throw TypeScriptError("a text has more than \(limits.textBytesMax) bytes", at: position)
        }
        try spend(text.utf8.count / 16, at: position)
        return .string(text)
    }

    // MARK: Expressions

    func value(of expression: ScriptExpression, in scope: ScriptScope) throws(TypeScriptError) -> ScriptValue {
        try spend(1, at: expression.position)
        guard depth < limits.depthMax else {
            throw TypeScriptError(
                "more than \(limits.depthMax) evaluations are under way here", at: expression.position)
        }
        depth += 1
        defer { depth -= 1 }
        switch expression.kind {
        case .null: return .null
        case .boolean(let value): return .boolean(value)
        case .number(let number): return .number(number)
        case .string(let text): return .string(text)
        case .template(let texts, let values): return try template(texts, values, in: scope)
        case .name(let name): return try value(named: name, at: expression.position, in: scope)
        case .this: return scope.this
        case .array(let parts): return .list(ScriptList(try elements(parts, in: scope)))
        case .object(let parts): return .object(try object(parts, at: expression.position, in: scope))
        case .function(let function): return .function(ScriptClosure(function, scope: scope, this: scope.this))
        case .member, .element, .call: return try chain(expression, in: scope) ?? .undefined
        case .unary(let sign, let operand): return try unary(sign, operand, in: scope)
        case .binary(let sign, let left, let right):
            return try binary(sign, left, right, at: expression.position, in: scope)
        case .conditional(let condition, let yes, let no):
            return try value(of: isTrue(value(of: condition, in: scope)) ? yes : no, in: scope)
        case .unsupported(let what, let isValue):
            let error = TypeScriptError("\(what) is not evaluated", at: expression.position)
            guard isValue else { throw error }
            return .opaque(OpaqueValue(error))
        }
    }

    func placed(_ expression: ScriptExpression, in scope: ScriptScope) throws(TypeScriptError) -> PlacedValue {
        PlacedValue(value: try value(of: expression, in: scope), position: expression.position)
    }

    private func template(
        _ texts: [String], _ values: [ScriptExpression], in scope: ScriptScope
    ) throws(TypeScriptError) -> ScriptValue {
        var text = texts.first ?? ""
        for (value, next) in zip(values, texts.dropFirst()) {
            text += try self.text(of: placed(value, in: scope))
            text += next
            _ = try checkedText(text, at: value.position)
        }
        return .string(text)
    }

    func value(named name: String, at position: Position, in scope: ScriptScope) throws(TypeScriptError) -> ScriptValue
    {
        guard let binding = scope.binding(name) else {
            if let native = Natives.globals[name] { return native(position) }
            throw TypeScriptError("cannot find the name \"\(name)\"", at: position)
        }
        return try value(of: binding, name: name, at: position)
    }

    /// The value of a binding, unless something has spoiled it.
    func value(
        of binding: ScriptScope.Binding, name: String, at position: Position
    ) throws(TypeScriptError) -> ScriptValue {
        var binding = binding
        // Modules that only pass a name on to each other can do so in a circle.
        for _ in 0..<limits.modulesMax {
            guard case .imported(let find) = binding else { break }
            binding = find()
        }
        switch binding {
        case .value(let value):
            if let error = value.changeable?.spoiledBy { throw error }
            return value
        case .failed(let error): throw error
        case .early, .imported:
            throw TypeScriptError("\"\(name)\" is used before it has its value", at: position)
        }
    }

    func elements(_ parts: [ScriptElement], in scope: ScriptScope) throws(TypeScriptError) -> [PlacedValue] {
        var found: [PlacedValue] = []
        for part in parts {
            switch part {
            case .value(let expression): found.append(try placed(expression, in: scope))
            case .hole(let position): found.append(PlacedValue(value: .undefined, position: position))
            case .spread(let expression):
                switch try value(of: expression, in: scope) {
                case .list(let list):
                    try spend(list.elements.count, at: expression.position)
                    found += list.elements
                case .opaque(let opaque): throw opaque.error
                case let other:
                    throw TypeScriptError(
                        "expected a list to spread, found \(other.description)", at: expression.position)
                }
            }
            if let last = found.last { try checkCount(found.count, at: last.position) }
        }
        return found
    }

    func object(
        _ parts: [ScriptProperty], at position: Position, in scope: ScriptScope
    ) throws(TypeScriptError) -> ScriptObject {
        let object = ScriptObject()
        for part in parts {
            switch part {
            case .value(let key, let expression):
                let (name, place) = try self.key(key, in: scope)
                if case .function(let function) = expression.kind {
                    // A method sees the object as `this`, an arrow function does not.
                    let this = function.isArrow ? scope.this : .object(object)
                    let closure = ScriptValue.function(ScriptClosure(function, scope: scope, this: this))
                    object.set(name, at: place, to: PlacedValue(value: closure, position: expression.position))
                } else {
                    object.set(name, at: place, to: try placed(expression, in: scope))
                }
            case .getter(let key, let function):
                let (name, place) = try self.key(key, in: scope)
                let closure = ScriptClosure(function, scope: scope, this: .object(object))
                object.set(name, at: place, to: PlacedValue(value: .undefined, position: place), getter: closure)
            case .spread(let expression): try spread(expression, into: object, in: scope)
            }
            try checkCount(object.members.count, at: position)
        }
        return object
    }

    private func spread(
        _ expression: ScriptExpression, into object: ScriptObject, in scope: ScriptScope
    ) throws(TypeScriptError) {
        switch try value(of: expression, in: scope) {
        case .object(let other):
            try spend(other.members.count, at: expression.position)
            for member in other.members {
                object.set(member.name, at: member.position, to: try value(of: member))
            }
        case .undefined, .null, .boolean(false): return
        case .opaque(let opaque): throw opaque.error
        case let other:
            throw TypeScriptError("expected an object to spread, found \(other.description)", at: expression.position)
        }
    }

    /// The value of a member, which a getter may have to give, or another module.
    func value(of member: ScriptObject.Member) throws(TypeScriptError) -> PlacedValue {
        if let error = member.value.value.changeable?.spoiledBy { throw error }
        guard let getter = member.getter else { return member.value }
        return PlacedValue(value: try call(getter, [], at: member.position), position: member.position)
    }

    func key(_ key: ScriptKey, in scope: ScriptScope) throws(TypeScriptError) -> (String, Position) {
        switch key {
        case .name(let name, let position): (name, position)
        case .computed(let expression): (try text(of: placed(expression, in: scope)), expression.position)
        }
    }
}
