import GraphQL

/// Members, calls and functions.
extension ScriptEvaluator {
    /// The value of a chain of members and calls; nil when `?.` ended it.
    func chain(_ expression: ScriptExpression, in scope: ScriptScope) throws(TypeScriptError) -> ScriptValue? {
        switch expression.kind {
        case .member(let object, let name, let position, let isOptional):
            guard let value = try link(object, in: scope) else { return nil }
            if isOptional, value.isNothing { return nil }
            return try member(name, of: value, at: position, before: [])
        case .element(let object, let index, let isOptional):
            guard let value = try link(object, in: scope) else { return nil }
            if isOptional, value.isNothing { return nil }
            return try element(placed(index, in: scope), of: value)
        case .call(let callee, let arguments, let isOptional):
            guard let function = try self.callee(callee, in: scope) else { return nil }
            if isOptional, function.value.isNothing { return nil }
            let arguments =
                function.value.isDefinition
                ? definition(arguments, in: scope) : try elements(arguments, in: scope)
            return try call(function.value, arguments, this: function.this, at: callee.position)
        default: return try value(of: expression, in: scope)
        }
    }

    /// What a resource is defined with: a schema looks at none of it but names, so whatever cannot be evaluated is not known.
    private func definition(_ parts: [ScriptElement], in scope: ScriptScope) -> [PlacedValue] {
        do throws(TypeScriptError) {
            return try elements(parts, in: scope)
        } catch {
            guard parts.count == 1, case .value(let only)? = parts.first, case .object(let members) = only.kind else {
                return [PlacedValue(value: .opaque(OpaqueValue(error)), position: error.position)]
            }
            let object = ScriptObject()
            for member in members {
                do throws(TypeScriptError) {
                    let single = try self.object([member], at: only.position, in: scope)
                    for member in single.members { object.set(member.name, at: member.position, to: member.value) }
                } catch {
                    continue
                }
            }
            return [PlacedValue(value: .object(object), position: only.position)]
        }
    }

    private func link(_ expression: ScriptExpression, in scope: ScriptScope) throws(TypeScriptError) -> ScriptValue? {
        switch expression.kind {
        case .member, .element, .call:
            try spend(1, at: expression.position)
            return try chain(expression, in: scope)
        default: return try value(of: expression, in: scope)
        }
    }

    /// What is called, and the object whose method it is.
    private func callee(
        _ expression: ScriptExpression, in scope: ScriptScope
    ) throws(TypeScriptError) -> (value: ScriptValue, this: ScriptValue?)? {
        guard case .member(let object, let name, let position, let isOptional) = expression.kind else {
            return try link(expression, in: scope).map { ($0, nil) }
        }
        guard let value = try link(object, in: scope) else { return nil }
        if isOptional, value.isNothing { return nil }
        return (try member(name, of: value, at: position, before: Self.methods(before: object)), value)
    }

    /// The names of the methods that are called in a chain, the last first.
    private static func methods(before expression: ScriptExpression) -> [String] {
        var names: [String] = []
        var current = expression
        while case .call(let callee, _, _) = current.kind, case .member(let object, let name, _, _) = callee.kind {
            names.append(name)
            current = object
        }
        return names
    }

    func call(
        _ function: ScriptValue, _ arguments: [PlacedValue], this: ScriptValue? = nil, at position: Position
    ) throws(TypeScriptError) -> ScriptValue {
        switch function {
        case .function(let closure): return try call(closure, arguments, this: this, at: position)
        case .method(let method): return try call(method, arguments, at: position)
        case .opaque(let opaque): return .opaque(OpaqueValue(opaque.error))
        default: throw TypeScriptError("expected a function, found \(function.description)", at: position)
        }
    }

    func call(
        _ closure: ScriptClosure, _ arguments: [PlacedValue], this: ScriptValue? = nil, at position: Position
    ) throws(TypeScriptError) -> ScriptValue {
        let function = closure.function
        if let refusal = function.refusal { throw refusal }
        let scope = ScriptScope(parent: closure.scope, file: closure.scope.file)
        scope.this = function.isArrow ? closure.this : this ?? closure.this
        if let name = function.name, !function.isArrow, closure.scope.binding(name) == nil {
            scope.bind(name, to: .value(.function(closure)))
        }
        for (number, parameter) in function.parameters.enumerated() {
            if parameter.isRest {
                let rest = ScriptList(Array(arguments.dropFirst(number)))
                try bind(parameter.binding, to: PlacedValue(value: .list(rest), position: position), in: scope)
                break
            }
            var value =
                number < arguments.count ? arguments[number] : PlacedValue(value: .undefined, position: position)
            if case .undefined = value.value, let standard = parameter.standard {
                value = try placed(standard, in: scope)
            }
            try bind(parameter.binding, to: value, in: scope)
        }
        switch function.body {
        case .expression(let expression): return try value(of: expression, in: scope)
        case .unreadable(let error): throw error
        case .block(let statements): return try run(statements, in: scope)
        }
    }

    /// Runs the statements of a function. In a function nothing is deferred.
    private func run(_ statements: [ScriptStatement], in scope: ScriptScope) throws(TypeScriptError) -> ScriptValue {
        declare(statements, in: scope)
        for statement in statements {
            try spend(1, at: statement.position)
            switch statement.kind {
            case .returned(let expression):
                return try expression.map { expression throws(TypeScriptError) in
                    try value(of: expression, in: scope)
                } ?? .undefined
            default: try run(statement, in: scope)
            }
        }
        return .undefined
    }

    /// Names are known before their statements run, and functions can be called by then.
    func declare(_ statements: [ScriptStatement], in scope: ScriptScope) {
        for statement in statements {
            switch statement.kind {
            case .declaration(let parts):
                for name in parts.flatMap(\.binding.names) { scope.bind(name, to: .early(statement.position)) }
            case .enumeration(let name, _): scope.bind(name, to: .early(statement.position))
            case .function(let name, let function):
                scope.bind(name, to: .value(.function(ScriptClosure(function, scope: scope, this: .undefined))))
            default: break
            }
        }
    }

    /// Runs a statement that is neither an import nor an export.
    func run(_ statement: ScriptStatement, in scope: ScriptScope) throws(TypeScriptError) {
        switch statement.kind {
        case .declaration(let parts):
            for part in parts {
                let value = try part.value.map { expression throws(TypeScriptError) in
                    try placed(expression, in: scope)
                }
                try bind(
                    part.binding, to: value ?? PlacedValue(value: .undefined, position: statement.position), in: scope)
            }
        case .enumeration(let name, let members):
            scope.bind(name, to: .value(.object(try enumeration(members, in: scope))))
        case .expression(let expression):
            if !expression.isConsoleCall { _ = try value(of: expression, in: scope) }
        case .unsupported(let what, _):
            throw TypeScriptError(
                "\(what) is not evaluated: only declarations and builders are", at: statement.position)
        default: break
        }
    }

    private func enumeration(
        _ members: [(name: String, at: Position, value: ScriptExpression?)], in scope: ScriptScope
    ) throws(TypeScriptError) -> ScriptObject {
        let object = ScriptObject()
        let inner = ScriptScope(parent: scope, file: scope.file)
        var next = 0.0
        for member in members {
            let value =
                try member.value.map { expression throws(TypeScriptError) in
                    try self.value(of: expression, in: inner)
                } ?? .number(next)
            if case .number(let number) = value {
                next = number + 1
                object.set(NumberText.text(of: number), to: .string(member.name), at: member.at)
            }
            object.set(member.name, to: value, at: member.at)
            inner.bind(member.name, to: .value(value))
        }
        return object
    }

    // MARK: Bindings

    func bind(_ binding: ScriptBinding, to value: PlacedValue, in scope: ScriptScope) throws(TypeScriptError) {
        switch binding {
        case .name(let name, _): scope.bind(name, to: .value(value.value))
        case .object(let parts, let rest):
            var taken: Set<String> = []
            for part in parts {
                let (name, position) = try key(part.key, in: scope)
                taken.insert(name)
                let found = try member(name, of: value.value, at: position, before: [])
                try bind(part.binding, to: found, or: part.standard, at: position, in: scope)
            }
            if let rest, case .object(let object) = value.value {
                let others = ScriptObject()
                for member in object.members where !taken.contains(member.name) {
                    others.set(member.name, at: member.position, to: try self.value(of: member))
                }
                scope.bind(rest.0, to: .value(.object(others)))
            }
        case .array(let parts):
            guard case .list(let list) = value.value else {
                if case .opaque(let opaque) = value.value { throw opaque.error }
                throw TypeScriptError("expected a list, found \(value.value.description)", at: value.position)
            }
            for (number, part) in parts.enumerated() {
                guard let part else { continue }
                if part.isRest {
                    let rest = ScriptValue.list(ScriptList(Array(list.elements.dropFirst(number))))
                    try bind(part.binding, to: rest, or: nil, at: value.position, in: scope)
                } else {
                    let found = number < list.elements.count ? list.elements[number].value : .undefined
                    try bind(part.binding, to: found, or: part.standard, at: value.position, in: scope)
                }
            }
        }
    }

    private func bind(
        _ binding: ScriptBinding, to value: ScriptValue, or standard: ScriptExpression?, at position: Position,
        in scope: ScriptScope
    ) throws(TypeScriptError) {
        if case .undefined = value, let standard {
            return try bind(binding, to: placed(standard, in: scope), in: scope)
        }
        try bind(binding, to: PlacedValue(value: value, position: position), in: scope)
    }
}

extension ScriptValue {
    /// Whether it defines a resource of the project that is no part of the schema.
    fileprivate var isDefinition: Bool {
        guard case .method(let method) = self, case .none = method.receiver else { return false }
        return method.name.hasPrefix("define") && method.name != "defineData"
    }
}

extension ScriptExpression {
    /// `console.log(…)` and its like, which mean nothing here.
    var isConsoleCall: Bool {
        if case .call(let callee, _, _) = kind, case .member(let object, _, _, _) = callee.kind,
            case .name("console") = object.kind
        {
            return true
        }
        return false
    }
}
