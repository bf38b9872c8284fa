/// What statements declare, found before they are compiled, because a name holds in the whole of its scope.
enum Declarations {
    /// Names of `var`, in this function and not in those inside.
    static func variableNames(_ statements: [Statement], into names: inout [Name]) {
        for statement in statements { variableNames(statement, into: &names) }
    }

    private static func variableNames(_ statement: Statement, into names: inout [Name]) {
        switch statement.form {
        case .declaration(let declaration) where declaration.kind == .var:
            for part in declaration.parts { boundNames(part.pattern, into: &names) }
        case .block(let body): variableNames(body, into: &names)
        case .if(_, let then, let otherwise):
            variableNames(then, into: &names)
            if let otherwise { variableNames(otherwise, into: &names) }
        case .for(let start, _, _, let body):
            if case .declaration(let declaration) = start, declaration.kind == .var {
                for part in declaration.parts { boundNames(part.pattern, into: &names) }
            }
            variableNames(body, into: &names)
        case .forIn(let head, _, let body), .forOf(let head, _, let body, _):
            if case .declaration(.var, let pattern) = head { boundNames(pattern, into: &names) }
            variableNames(body, into: &names)
        case .while(_, let body), .doWhile(let body, _), .labeled(_, let body): variableNames(body, into: &names)
        case .switch(_, let cases):
            for part in cases { variableNames(part.body, into: &names) }
        case .try(let body, let handler, let finally):
            variableNames(body, into: &names)
            if let handler { variableNames(handler.body, into: &names) }
            if let finally { variableNames(finally, into: &names) }
        default: break
        }
    }

    static func boundNames(_ pattern: Pattern, into names: inout [Name]) {
        switch pattern {
        case .binding(let name, _): names.append(name)
        case .target: break
        case .object(let properties, let rest, _):
            for property in properties { boundNames(property.element.pattern, into: &names) }
            if let rest { boundNames(rest, into: &names) }
        case .array(let elements, let rest, _):
            for case let element? in elements { boundNames(element.pattern, into: &names) }
            if let rest { boundNames(rest, into: &names) }
        }
    }

    /// Returns whether taking apart runs expressions.
    static func hasExpressions(_ pattern: Pattern) -> Bool {
        switch pattern {
        case .binding: false
        case .target: true
        case .object(let properties, let rest, _):
            properties.contains { property in
                if case .computed = property.name { return true }
                return hasExpressions(property.element)
            } || rest.map(hasExpressions) ?? false
        case .array(let elements, let rest, _):
            elements.contains { $0.map(hasExpressions) ?? false } || rest.map(hasExpressions) ?? false
        }
    }

    static func hasExpressions(_ element: ElementPattern) -> Bool {
        element.initializer != nil || hasExpressions(element.pattern)
    }
}
