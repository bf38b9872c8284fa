extension Parser {
    /// Turns an expression that was read into the target of an assignment.
    func assignmentTarget(_ expression: Expression, message: String) throws(SyntaxRefusal) -> Pattern {
        switch expression.form {
        case .identifier(let name):
            if name == .known(.eval) || name == .known(.arguments) {
                throw refuse("Unexpected eval or arguments in strict mode", at: expression.place)
            }
            return .target(expression)
        case .member(_, _, false), .index(_, _, false), .privateMember(_, _, false), .superMember, .superIndex:
            return .target(expression)
        case .parenthesized(let inner):
            let target = try assignmentTarget(inner, message: message)
            guard case .target = target else { throw refuse(message, at: expression.place) }
            return .target(expression)
        case .array(let elements):
            return try arrayTarget(elements, at: expression.place)
        case .object(let properties):
            return try objectTarget(properties, at: expression.place)
        default:
            throw refuse(message, at: expression.place)
        }
    }

    private static var destructuringMessage: String { "Invalid destructuring assignment target" }

    /// A target within a pattern, with its default.
    private func elementTarget(_ expression: Expression) throws(SyntaxRefusal) -> ElementPattern {
        if case .assign(let pattern, let initializer) = expression.form {
            return ElementPattern(pattern, initializer: initializer)
        }
        return ElementPattern(try assignmentTarget(expression, message: Parser.destructuringMessage))
    }

    private func arrayTarget(_ elements: [ArrayElement], at place: Place) throws(SyntaxRefusal) -> Pattern {
        var targets: [ElementPattern?] = []
        targets.reserveCapacity(elements.count)
        var rest: Pattern?
        for (index, element) in elements.enumerated() {
            switch element {
            case .hole: targets.append(nil)
            case .value(let expression): targets.append(try elementTarget(expression))
            case .spread(let expression):
                if index < elements.count - 1 {
                    throw refuse("Rest element must be last element", at: expression.place)
                }
                rest = try assignmentTarget(expression, message: Parser.destructuringMessage)
            }
        }
        return .array(targets, rest: rest, place)
    }

    private func objectTarget(_ properties: [Property], at place: Place) throws(SyntaxRefusal) -> Pattern {
        var targets: [PropertyPattern] = []
        targets.reserveCapacity(properties.count)
        var rest: Pattern?
        for (index, property) in properties.enumerated() {
            switch property {
            case .value(let name, let expression):
                targets.append(PropertyPattern(name: name, element: try elementTarget(expression)))
            case .prototype(let expression):
                targets.append(PropertyPattern(name: .name(.known(.proto)), element: try elementTarget(expression)))
            case .spread(let expression):
                if index < properties.count - 1 {
                    throw refuse("Rest element must be last element", at: expression.place)
                }
                let message = "`...` must be followed by an assignable reference in assignment contexts"
                rest = try assignmentTarget(expression, message: message)
                guard case .target? = rest else { throw refuse(message, at: expression.place) }
            case .method(_, let function), .getter(_, let function), .setter(_, let function):
                throw refuse(Parser.destructuringMessage, at: function.place)
            }
        }
        return .object(targets, rest: rest, place)
    }

    // MARK: Parameters of arrow functions

    /// Turns an expression into a parameter, and declares its names.
    func parameter(_ expression: Expression) throws(SyntaxRefusal) -> ElementPattern {
        switch expression.form {
        case .assign(let pattern, let initializer):
            return ElementPattern(try parameterPattern(pattern), initializer: initializer)
        default:
            return ElementPattern(try parameterTarget(expression))
        }
    }

    func parameterTarget(_ expression: Expression) throws(SyntaxRefusal) -> Pattern {
        switch expression.form {
        case .identifier, .array, .object:
            let target = try assignmentTarget(expression, message: Parser.destructuringMessage)
            return try parameterPattern(target)
        default:
            throw refuse(Parser.destructuringMessage, at: expression.place)
        }
    }

    private func parameterPattern(_ pattern: Pattern) throws(SyntaxRefusal) -> Pattern {
        switch pattern {
        case .binding:
            return pattern
        case .target(let expression):
            guard case .identifier(let name) = expression.form else {
                throw refuse(Parser.destructuringMessage, at: expression.place)
            }
            try declareBinding(name, .parameter, at: expression.place)
            return .binding(name, expression.place)
        case .object(var properties, let rest, let place):
            for index in properties.indices {
                properties[index].element.pattern = try parameterPattern(properties[index].element.pattern)
            }
            return .object(properties, rest: try restPattern(rest), place)
        case .array(var elements, let rest, let place):
            for index in elements.indices {
                guard let element = elements[index] else { continue }
                elements[index] = ElementPattern(
                    try parameterPattern(element.pattern), initializer: element.initializer)
            }
            return .array(elements, rest: try restPattern(rest), place)
        }
    }

    private func restPattern(_ rest: Pattern?) throws(SyntaxRefusal) -> Pattern? {
        guard let rest else { return nil }
        return try parameterPattern(rest)
    }
}
