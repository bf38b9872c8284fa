@testable import Script

/// Writes a tree as text, so that a test can compare two of them. Places are left out.
struct TreePrinter {
    let names: NameNumbers
    /// Names that no source can spell are numbered anew, in the order in which they are met.
    private var madeNames: [Name: Int] = [:]

    init(names: NameNumbers) {
        self.names = names
    }

    mutating func print(_ program: ProgramNode) -> String {
        var lines = program.body.filter { if case .empty = $0.form { false } else { true } }.map { print($0) }
        for (index, request) in program.requests.enumerated() {
            lines.append("request \(index) \(text(request.specifier))\(request.isJSON ? " json" : "")")
        }
        for entry in program.imports {
            let source =
                switch entry.source {
                case .name(let name): print(name)
                case .namespace: "*"
                case .required: "="
                }
            lines.append("import \(entry.request) \(source) as \(print(entry.local))")
        }
        for entry in program.exports {
            let source =
                switch entry.source {
                case .local(let name): print(name)
                case .imported(let request, let name): "\(request).\(print(name))"
                case .namespace(let request): "\(request).*"
                case .all(let request): "\(request).all"
                }
            lines.append("export \(entry.name.map { print($0) } ?? "-") = \(source)")
        }
        return lines.joined(separator: "\n")
    }

    private mutating func print(_ name: Name) -> String {
        let spelling = names.text(of: name)
        guard spelling.hasPrefix("*object") || spelling.hasPrefix("#accessor ") else { return spelling }
        let number = madeNames[name] ?? madeNames.count + 1
        madeNames[name] = number
        return "made\(number)"
    }

    private func text(_ units: [UInt16]) -> String {
        "\"\(String(decoding: units, as: UTF16.self))\""
    }

    // MARK: Statements

    private mutating func list(_ statements: [Statement]) -> String {
        "{" + statements.map { print($0) }.joined(separator: " ") + "}"
    }

    mutating func print(_ statement: Statement) -> String {
        switch statement.form {
        case .empty: return ";"
        case .expression(let expression): return print(expression)
        case .declaration(let declaration): return print(declaration)
        case .function(let function): return print(function)
        case .class(let node): return print(node)
        case .block(let body): return list(body)
        case .if(let test, let then, let otherwise):
            return "(if \(print(test)) \(print(then))\(otherwise.map { " " + print($0) } ?? ""))"
        case .for(let start, let test, let update, let body):
            let first =
                switch start {
                case .declaration(let declaration)?: print(declaration)
                case .expression(let expression)?: print(expression)
                case nil: "-"
                }
            return "(for \(first) \(optional(test)) \(optional(update)) \(print(body)))"
        case .forIn(let head, let list, let body): return "(for-in \(print(head)) \(print(list)) \(print(body)))"
        case .forOf(let head, let list, let body, let isAwait):
            return "(for-\(isAwait ? "await-" : "")of \(print(head)) \(print(list)) \(print(body)))"
        case .while(let test, let body): return "(while \(print(test)) \(print(body)))"
        case .doWhile(let body, let test): return "(do \(print(body)) \(print(test)))"
        case .switch(let value, let cases):
            let parts = cases.map { "(\($0.test.map { "case \(print($0))" } ?? "default") \(list($0.body)))" }
            return "(switch \(print(value)) \(parts.joined(separator: " ")))"
        case .labeled(let name, let body): return "(label \(print(name)) \(print(body)))"
        case .break(let name): return "(break\(name.map { " " + print($0) } ?? ""))"
        case .continue(let name): return "(continue\(name.map { " " + print($0) } ?? ""))"
        case .return(let value): return "(return \(optional(value)))"
        case .throw(let value): return "(throw \(print(value)))"
        case .try(let body, let handler, let finally):
            let caught = handler.map { " catch \($0.parameter.map { print($0) } ?? "-") \(list($0.body))" } ?? ""
            return "(try \(list(body))\(caught)\(finally.map { " finally \(list($0))" } ?? ""))"
        case .debugger: return "debugger"
        case .exportDefault(let value): return "(default \(print(value)))"
        case .propertyNames(let object, let names):
            return "(properties \(print(object)) \(names.map { print($0) }.sorted().joined(separator: " ")))"
        }
    }

    private mutating func print(_ declaration: Declaration) -> String {
        "(\(declaration.kind) \(declaration.parts.map { print($0) }.joined(separator: " ")))"
    }

    private mutating func print(_ head: ForHead) -> String {
        switch head {
        case .declaration(let kind, let pattern): "(\(kind) \(print(pattern)))"
        case .assignment(let pattern): print(pattern)
        }
    }

    // MARK: Patterns

    private mutating func print(_ element: ElementPattern) -> String {
        element.initializer.map { "(\(print(element.pattern)) = \(print($0)))" } ?? print(element.pattern)
    }

    private mutating func print(_ pattern: Pattern) -> String {
        switch pattern {
        case .binding(let name, _): return print(name)
        case .target(let expression): return "@" + print(expression)
        case .object(let properties, let rest, _):
            var parts = properties.map { "\(print($0.name)):\(print($0.element))" }
            if let rest { parts.append("..." + print(rest)) }
            return "{" + parts.joined(separator: ",") + "}"
        case .array(let elements, let rest, _):
            var parts = elements.map { $0.map { print($0) } ?? "-" }
            if let rest { parts.append("..." + print(rest)) }
            return "[" + parts.joined(separator: ",") + "]"
        }
    }

    private mutating func print(_ name: PropertyName) -> String {
        switch name {
        case .name(let name): print(name)
        case .number(let number): "\(number)"
        case .computed(let key): "[\(print(key))]"
        case .private(let name): print(name)
        }
    }

    // MARK: Functions

    private mutating func print(_ function: FunctionNode) -> String {
        var parts = function.parameters.map { print($0) }
        if let rest = function.rest { parts.append("..." + print(rest)) }
        let kind = "\(function.isAsync ? "async-" : "")\(function.kind)\(function.isGenerator ? "*" : "")"
        let name = function.name.map { " " + print($0) } ?? ""
        return "(\(kind)\(name) (\(parts.joined(separator: " "))) \(list(function.body)))"
    }

    private mutating func print(_ node: ClassNode) -> String {
        var parts: [String] = []
        if let superclass = node.superclass { parts.append("extends \(print(superclass))") }
        if let constructor = node.constructor { parts.append(print(constructor)) }
        for element in node.elements {
            switch element {
            case .method(let name, let function, let isStatic), .getter(let name, let function, let isStatic),
                .setter(let name, let function, let isStatic):
                parts.append("\(isStatic ? "static " : "")\(print(name)) \(print(function))")
            case .field(let name, let initializer, let isStatic):
                parts.append("\(isStatic ? "static " : "")\(print(name)) = \(initializer.map { print($0) } ?? "-")")
            case .staticBlock(let function): parts.append(print(function))
            }
        }
        return "(class\(node.name.map { " " + print($0) } ?? "") \(parts.joined(separator: "; ")))"
    }

    // MARK: Expressions

    private mutating func optional(_ expression: Expression?) -> String {
        expression.map { print($0) } ?? "-"
    }

    private mutating func list(_ elements: [ArrayElement]) -> String {
        elements.map { element in
            switch element {
            case .hole: "-"
            case .value(let value): print(value)
            case .spread(let value): "..." + print(value)
            }
        }.joined(separator: " ")
    }

    private mutating func print(_ template: Template) -> String {
        var result = ""
        for (index, part) in template.texts.enumerated() {
            result += part.cooked.map { text($0) } ?? "wrong"
            result += "/" + text(part.raw)
            if index < template.expressions.count { result += " \(print(template.expressions[index])) " }
        }
        return result
    }

    mutating func print(_ expression: Expression) -> String {
        switch expression.form {
        case .identifier(let name): return print(name)
        case .this: return "this"
        case .null: return "null"
        case .boolean(let value): return "\(value)"
        case .number(let value): return "\(value)"
        case .text(let units): return text(units)
        case .regularExpression(let pattern, let flags): return "(regexp \(text(pattern)) \(text(flags)))"
        case .template(let template): return "(template \(print(template)))"
        case .taggedTemplate(let tag, let template): return "(tag \(print(tag)) \(print(template)))"
        case .array(let elements): return "[\(list(elements))]"
        case .object(let properties): return "{\(properties.map { print($0) }.joined(separator: ", "))}"
        case .function(let function): return print(function)
        case .class(let node): return print(node)
        case .parenthesized(let inner): return "<\(print(inner))>"
        case .member(let object, let name, let isOptional):
            return "(\(isOptional ? "?." : ".") \(print(object)) \(print(name)))"
        case .index(let object, let key, let isOptional):
            return "(\(isOptional ? "?.[]" : "[]") \(print(object)) \(print(key)))"
        case .privateMember(let object, let name, let isOptional):
            return "(\(isOptional ? "?." : ".") \(print(object)) \(print(name)))"
        case .call(let callee, let arguments, let isOptional):
            return "(\(isOptional ? "?.call" : "call") \(print(callee)) \(list(arguments)))"
        case .chain(let inner): return "(chain \(print(inner)))"
        case .new(let callee, let arguments): return "(new \(print(callee)) \(list(arguments)))"
        case .superMember(let name): return "(super \(print(name)))"
        case .superIndex(let key): return "(super [\(print(key))])"
        case .superCall(let arguments): return "(super-call \(list(arguments)))"
        case .newTarget: return "new.target"
        case .importMeta: return "import.meta"
        case .importCall(let specifier, let options): return "(import \(print(specifier)) \(optional(options)))"
        case .unary(let sign, let operand): return "(\(sign) \(print(operand)))"
        case .update(let step, let isPrefix, let operand):
            return "(\(isPrefix ? "prefix" : "postfix") \(step) \(print(operand)))"
        case .binary(let sign, let left, let right): return "(\(sign) \(print(left)) \(print(right)))"
        case .logical(let sign, let left, let right): return "(logical-\(sign) \(print(left)) \(print(right)))"
        case .privateIn(let name, let object): return "(in \(print(name)) \(print(object)))"
        case .assign(let pattern, let value): return "(= \(print(pattern)) \(print(value)))"
        case .assignWith(let sign, let target, let value): return "(\(sign)= \(print(target)) \(print(value)))"
        case .assignLogical(let sign, let target, let value):
            return "(logical-\(sign)= \(print(target)) \(print(value)))"
        case .conditional(let test, let then, let otherwise):
            return "(? \(print(test)) \(print(then)) \(print(otherwise)))"
        case .sequence(let parts): return "(, \(parts.map { print($0) }.joined(separator: " ")))"
        case .yield(let value): return "(yield \(optional(value)))"
        case .yieldAll(let value): return "(yield* \(print(value)))"
        case .await(let value): return "(await \(print(value)))"
        }
    }

    private mutating func print(_ property: Property) -> String {
        switch property {
        case .value(let name, let value): "\(print(name)): \(print(value))"
        case .prototype(let value): "prototype: \(print(value))"
        case .method(let name, let function), .getter(let name, let function), .setter(let name, let function):
            "\(print(name)) \(print(function))"
        case .spread(let value): "...\(print(value))"
        }
    }
}

extension TreePrinter {
    /// The tree of a text, or what is wrong with it.
    static func tree(of source: String, _ goal: SyntaxOptions.Goal = .module, isTypeScript: Bool = false) -> String {
        let names = NameNumbers()
        do {
            let program = try ProgramNode(
                parsing: Array(source.utf16), names: names,
                options: SyntaxOptions(goal: goal, isTypeScript: isTypeScript))
            var printer = TreePrinter(names: names)
            return printer.print(program)
        } catch {
            return "\(error.place.line):\(error.place.column) \(error.message)"
        }
    }
}
