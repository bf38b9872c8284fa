/// What was called or gone through, as V8 shows it: `a.b.c`, `f(...)`, `(intermediate value).x`, `{(intermediate value)}.x`.
struct CalleeText {
    /// Longer texts are cut: who reads a message has the place.
    private static let lengthMax = 1_000
    /// Expressions that lie deeper in one another are not shown.
    private static let depthMax = 100
    /// Operators in a row, and constants in one another.
    private static let operandsMax = 64
    private static let constantDepthMax = 8
    private static let hidden = "(intermediate value)"

    private let program: CompiledProgram
    /// Where elements are taken, calls stand without their `(...)`.
    private let isIterated: Bool
    private var text = ""
    private var depth = 0

    static func render(_ callee: Callee, _ program: CompiledProgram) -> String {
        var text = CalleeText(program: program, isIterated: callee.use == .iterated)
        text.show(callee.expression)
        return text.text
    }

    /// `f is not a function`
    static func notCallable(_ callee: Callee, _ program: CompiledProgram) -> String {
        render(callee, program)
            + (callee.use == .iterated
                ? " is not a function or its return value is not iterable" : " is not a function")
    }

    /// `f is not iterable`
    static func notIterable(_ callee: Callee, _ program: CompiledProgram) -> String {
        isCall(callee.expression) ? notCallable(callee, program) : "\(render(callee, program)) is not iterable"
    }

    private static func isCall(_ expression: Expression) -> Bool {
        switch FunctionCompiler.unwrapped(expression).form {
        case .call, .taggedTemplate, .new: return true
        case .sequence(let parts):
            guard let last = parts.last else { return false }
            return isCall(last)
        default: return false
        }
    }

    private init(program: CompiledProgram, isIterated: Bool) {
        self.program = program
        self.isIterated = isIterated
    }

    private mutating func show(_ expression: Expression) {
        guard text.utf8.count < Self.lengthMax else { return }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthMax else {
            text += Self.hidden
            return
        }
        if let number = Self.number(expression) {
            text += NumberText.decimal(number)
            return
        }
        switch expression.form {
        case .identifier(let name): append(program.spelling(name))
        case .this: text += "this"
        case .null: text += "null"
        case .boolean(let value): text += value ? "true" : "false"
        case .text(let units): quoted(units)
        case .regularExpression(let pattern, let flags):
            text += "/"
            append(pattern)
            text += "/"
            append(flags)
        case .template(let template): self.template(template)
        case .array(let elements): list(elements)
        case .object(let properties):
            text += "{" + String(repeating: Self.hidden, count: min(properties.count, 50)) + "}"
        case .class(let node): hide(node)
        case .function(let node): hide(node)
        case .member(let object, let name, let isOptional):
            show(object)
            text += isOptional ? "?." : "."
            append(program.spelling(name))
        case .privateMember(let object, let name, let isOptional):
            show(object)
            text += isOptional ? "?.[" : "["
            append(program.spelling(name))
            text += "]"
        case .index(let object, let key, let isOptional):
            show(object)
            if let units = Self.plainText(key) {
                text += isOptional ? "?." : "."
                append(units)
            } else {
                text += isOptional ? "?." : ""
                index(key)
            }
        case .superMember(let name):
            text += Self.hidden + "."
            append(program.spelling(name))
        case .superIndex(let key):
            text += Self.hidden
            index(key)
        case .call(let function, _, _), .taggedTemplate(let function, _):
            show(function)
            if !isIterated { text += "(...)" }
        case .new(let function, _) where isIterated: show(function)
        case .newTarget: text += ".new.target"
        case .parenthesized(let inner): show(inner)
        case .unary(let operation, let operand): unary(operation, operand)
        case .update(let step, let isPrefix, let target):
            let sign = step > 0 ? "++" : "--"
            text += isPrefix ? "(" + sign : "("
            show(target)
            text += isPrefix ? ")" : sign + ")"
        case .binary(let operation, let left, let right): binary(operation, left, right)
        case .logical(let operation, let left, let right): logical(operation, left, right)
        case .privateIn(let name, let operand):
            text += "("
            append(program.spelling(name))
            text += " in "
            show(operand)
            text += ")"
        case .assign(let pattern, _): self.pattern(pattern)
        case .assignWith(_, let target, _), .assignLogical(_, let target, _): show(target)
        case .conditional: text += Self.hidden + Self.hidden + Self.hidden
        case .sequence(let parts):
            if parts.count == 1 { show(parts[0]) } else { joined(parts, " , ") }
        default: text += Self.hidden
        }
    }

    private mutating func append(_ units: some Collection<UInt16>) {
        text += String(decoding: units.prefix(Self.lengthMax), as: UTF16.self)
    }

    private mutating func quoted(_ units: [UInt16]) {
        text += "\""
        append(units)
        text += "\""
    }

    private mutating func template(_ template: Template) {
        guard template.expressions.isEmpty else {
            for part in template.expressions { show(part) }
            return
        }
        quoted(template.texts.first?.cooked ?? [])
    }

    private mutating func list(_ elements: [ArrayElement]) {
        text += "["
        for (place, element) in elements.enumerated() where text.utf8.count < Self.lengthMax {
            if place > 0 { text += "," }
            switch element {
            case .hole: text += Self.hidden
            case .value(let value): show(value)
            case .spread(let value):
                text += "(..."
                show(value)
                text += ")"
            }
        }
        text += "]"
    }

    /// A function shows only how many statements it has, and whether its parameters need one.
    private mutating func hide(_ node: FunctionNode) {
        var count = 0
        if !node.isAsync {
            for statement in node.body {
                if case .function = statement.form {} else { count += 1 }
            }
            if node.isGenerator, count > 0 { count += 1 }
        }
        count = max(count, 1)
        let isPlain =
            node.rest == nil
            && node.parameters.allSatisfy { element in
                guard element.initializer == nil, case .binding = element.pattern else { return false }
                return true
            }
        if !isPlain { count += 1 }
        text += String(repeating: Self.hidden, count: min(count, 50))
    }

    /// A class shows only how many functions it has.
    private mutating func hide(_ node: ClassNode) {
        var count = node.superclass == nil ? 0 : 1
        for element in node.elements {
            switch element {
            case .method, .getter, .setter: count += 1
            default: break
            }
        }
        text += String(repeating: Self.hidden, count: min(max(count, 1), 50))
    }

    private mutating func index(_ key: Expression) {
        text += "["
        show(key)
        text += "]"
    }

    private mutating func pattern(_ pattern: Pattern) {
        switch pattern {
        case .binding(let name, _): append(program.spelling(name))
        case .target(let target): show(target)
        case .object(let properties, let rest, _):
            text += "{" + String(repeating: Self.hidden, count: min(properties.count + (rest == nil ? 0 : 1), 50)) + "}"
        case .array(let elements, _, _):
            text += "["
            for (place, element) in elements.enumerated() where text.utf8.count < Self.lengthMax {
                if place > 0 { text += "," }
                if let element { self.pattern(element.pattern) } else { text += Self.hidden }
            }
            text += "]"
        }
    }

    // MARK: Operators

    private mutating func unary(_ operation: UnaryOperator, _ operand: Expression) {
        if case .not = operation, let value = Self.truth(operand) {
            text += value ? "false" : "true"
            return
        }
        text += "("
        switch operation {
        case .minus: text += "-"
        case .plus: text += "+"
        case .not: text += "!"
        case .complement: text += "~"
        case .typeOf: text += "typeof "
        case .void: text += "void "
        case .delete: text += "delete "
        }
        show(operand)
        text += ")"
    }

    private mutating func binary(_ operation: BinaryOperator, _ left: Expression, _ right: Expression) {
        switch operation {
        case .notEqual, .notSame:
            text += "(!"
            binary(operation == .notEqual ? .equal : .same, left, right)
            text += ")"
        default: joined(Self.operands(of: operation, left, right), " \(Self.sign(operation)) ")
        }
    }

    private mutating func logical(_ operation: LogicalOperator, _ left: Expression, _ right: Expression) {
        // V8 makes no row of `??` with parentheses.
        let inner = { (expression: Expression) in
            operation == .coalesce ? expression : FunctionCompiler.unwrapped(expression)
        }
        var operands = [right]
        var first = inner(left)
        while operands.count < Self.operandsMax, case .logical(operation, let left, let right) = first.form {
            operands.append(right)
            first = inner(left)
        }
        operands.append(first)
        let sign =
            switch operation {
            case .and: " && "
            case .or: " || "
            case .coalesce: " ?? "
            }
        joined(operands.reversed(), sign)
    }

    private mutating func joined(_ parts: [Expression], _ sign: String) {
        text += "("
        for (place, part) in parts.enumerated() where text.utf8.count < Self.lengthMax {
            if place > 0 { text += sign }
            show(part)
        }
        text += ")"
    }

    /// `a + b + c` is one row of operands; so is `(a + b) + c`.
    private static func operands(
        of operation: BinaryOperator, _ left: Expression, _ right: Expression
    ) -> [Expression] {
        switch operation {
        case .power, .equal, .same, .less, .lessOrEqual, .greater, .greaterOrEqual, .instanceOf, .in:
            return [left, right]
        default: break
        }
        var operands = [right]
        var first = FunctionCompiler.unwrapped(left)
        while operands.count < Self.operandsMax, case .binary(operation, let left, let right) = first.form,
            number(first) == nil
        {
            operands.append(right)
            first = FunctionCompiler.unwrapped(left)
        }
        operands.append(first)
        return operands.reversed()
    }

    private static func sign(_ operation: BinaryOperator) -> String {
        switch operation {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        case .divide: "/"
        case .remainder: "%"
        case .power: "**"
        case .shiftLeft: "<<"
        case .shiftRight: ">>"
        case .shiftRightUnsigned: ">>>"
        case .and: "&"
        case .or: "|"
        case .xor: "^"
        case .equal: "=="
        case .notEqual: "!="
        case .same: "==="
        case .notSame: "!=="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .instanceOf: "instanceof"
        case .in: "in"
        }
    }

    // MARK: Constants

    /// The number that an expression of numbers alone is; V8 shows only that.
    private static func number(_ expression: Expression, depth: Int = constantDepthMax) -> Double? {
        guard depth > 0 else { return nil }
        switch expression.form {
        case .number(let number): return number
        case .parenthesized(let inner): return number(inner, depth: depth - 1)
        case .unary(let operation, let operand):
            guard let value = number(operand, depth: depth - 1) else { return nil }
            switch operation {
            case .minus: return -value
            case .plus: return value
            case .complement: return Realm.calculate(.xor, value, -1)
            default: return nil
            }
        case .binary(let operation, let left, let right):
            guard let right = number(right, depth: depth - 1), let left = number(left, depth: depth - 1) else {
                return nil
            }
            switch operation {
            case .add: return left + right
            case .subtract: return left - right
            case .multiply: return left * right
            case .divide, .remainder, .power, .shiftLeft, .shiftRight, .shiftRightUnsigned, .and, .or, .xor:
                return Realm.calculate(FunctionCompiler.operation(operation), left, right)
            default: return nil
            }
        default: return nil
        }
    }

    private static func plainText(_ expression: Expression) -> [UInt16]? {
        switch FunctionCompiler.unwrapped(expression).form {
        case .text(let units): units
        case .template(let template) where template.expressions.isEmpty: template.texts.first?.cooked
        default: nil
        }
    }

    private static func truth(_ expression: Expression) -> Bool? {
        if let number = number(expression) { return !(number == 0 || number.isNaN) }
        switch FunctionCompiler.unwrapped(expression).form {
        case .null: return false
        case .boolean(let value): return value
        case .text(let units): return !units.isEmpty
        default: return nil
        }
    }
}
