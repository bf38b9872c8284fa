import JSON
import Script

/// What a value is, as far as TypeScript's checker would know it without annotations.
indirect enum StaticType {
    case unknown
    case string, number, boolean, date
    case array(StaticType)
    /// A literal, and the scope of its members.
    case object([Property], LintScope)
    /// A constructor or an object of the library, by the name of its type: `ObjectConstructor`, `Math`.
    case library(String)

    /// The type of the library whose methods it has.
    var interface: String? {
        switch self {
        case .unknown, .object: nil
        case .string: "String"
        case .number: "Number"
        case .boolean: "Boolean"
        case .date: "Date"
        case .array: "Array"
        case .library(let name): name
        }
    }
}

/// Says what expressions are. It asks no further than a few steps, and answers `unknown` where a checker might know more.
struct StaticTypes {
    private let names: NameNumbers
    private let steps = Steps()
    private static let depthMax = 24
    /// Expressions that one question looks at: names can lead to names over and over.
    private static let stepsMax = 2_000

    private final class Steps {
        var left = 0
    }

    init(_ names: NameNumbers) {
        self.names = names
    }

    /// The function that a name is, or the value of the variable of that name.
    func function(_ name: Name, in scope: LintScope) -> FunctionNode? {
        guard let binding = scope.binding(of: name) else { return nil }
        switch binding.form {
        case .function(let node): return node
        case .variable(let value?):
            if case .function(let node) = value.form { return node }
            return nil
        default: return nil
        }
    }

    func type(of expression: Expression, in scope: LintScope, depth: Int = 0) -> StaticType {
        if depth == 0 { steps.left = Self.stepsMax }
        steps.left -= 1
        guard depth < Self.depthMax, steps.left > 0 else { return .unknown }
        func type(_ inner: Expression) -> StaticType { self.type(of: inner, in: scope, depth: depth + 1) }
        switch expression.form {
        case .text, .template: return .string
        case .number, .update: return .number
        case .boolean: return .boolean
        case .array(let elements):
            guard case .value(let first)? = elements.first else { return .array(.unknown) }
            return .array(elements.count == 1 ? type(first) : common(elements, type))
        case .object(let properties): return .object(properties, scope)
        case .parenthesized(let inner), .chain(let inner): return type(inner)
        case .identifier(let name): return value(of: name, in: scope, depth: depth)
        case .unary(let sign, _):
            switch sign {
            case .minus, .plus, .complement: return .number
            case .not, .delete: return .boolean
            case .typeOf: return .string
            case .void: return .unknown
            }
        case .binary(let sign, let left, let right): return binary(sign, left, right, type)
        case .logical(_, let left, let right), .conditional(_, let left, let right):
            return same(type(left), type(right))
        case .assign(_, let value): return type(value)
        case .sequence(let parts): return parts.last.map(type) ?? .unknown
        case .member(let object, let name, _): return member(names.text(of: name), of: type(object), depth)
        case .index(let object, let key, _):
            switch type(object) {
            case .array(let element): return element
            case .string: return .string
            case .object(let properties, let inner):
                guard case .text(let units) = key.plain.form else { return .unknown }
                return member(
                    String(decoding: units, as: UTF16.self), of: .object(properties, inner), depth)
            default: return .unknown
            }
        case .call(let callee, let arguments, _): return call(callee, arguments, in: scope, depth)
        case .new(let callee, _):
            guard case .identifier(let name) = callee.plain.form, scope.binding(of: name) == nil else {
                return .unknown
            }
            switch names.text(of: name) {
            case "Date": return .date
            case "Array": return .array(.unknown)
            case "String": return .string
            case "Number": return .number
            default: return .unknown
            }
        default: return .unknown
        }
    }

    private func common(_ elements: [ArrayElement], _ type: (Expression) -> StaticType) -> StaticType {
        var found: StaticType?
        for element in elements {
            guard case .value(let value) = element else { return .unknown }
            let next = type(value)
            found = found.map { same($0, next) } ?? next
        }
        return found ?? .unknown
    }

    /// What is one of two.
    private func same(_ left: StaticType, _ right: StaticType) -> StaticType {
        switch (left, right) {
        case (.string, .string), (.number, .number), (.boolean, .boolean), (.date, .date): left
        case (.array(let left), .array(let right)): .array(same(left, right))
        default: .unknown
        }
    }

    private func binary(
        _ sign: BinaryOperator, _ left: Expression, _ right: Expression, _ type: (Expression) -> StaticType
    ) -> StaticType {
        switch sign {
        case .add:
            switch (type(left), type(right)) {
            case (.string, _), (_, .string): return .string
            case (.number, .number): return .number
            default: return .unknown
            }
        case .subtract, .multiply, .divide, .remainder, .power, .shiftLeft, .shiftRight, .shiftRightUnsigned, .and, .or,
            .xor:
            return .number
        default: return .boolean
        }
    }

    private func value(of name: Name, in scope: LintScope, depth: Int) -> StaticType {
        guard let binding = scope.binding(of: name) else {
            return Self.globals[names.text(of: name)].map { .library($0) } ?? .unknown
        }
        switch binding.form {
        case .variable(let value?), .parameter(let value?):
            return type(of: value, in: binding.scope, depth: depth + 1)
        case .element(let list):
            switch type(of: list, in: binding.scope.parent ?? binding.scope, depth: depth + 1) {
            case .array(let element): return element
            case .string: return .string
            default: return .unknown
            }
        case .elementParameter(let list):
            guard
                case .array(let element) = type(
                    of: list, in: binding.scope.parent ?? binding.scope, depth: depth + 1)
            else { return .unknown }
            return element
        case .key: return .string
        case .rest: return .array(.unknown)
        default: return .unknown
        }
    }

    private func member(_ name: String, of owner: StaticType, _ depth: Int) -> StaticType {
        switch owner {
        case .string, .array: return name == "length" ? .number : .unknown
        case .library("Math"): return .number
        case .library("NumberConstructor"): return .number
        case .object(let properties, let scope):
            for case .value(.name(let key), let value) in properties.reversed() where names.text(of: key) == name {
                return type(of: value, in: scope, depth: depth + 1)
            }
            return .unknown
        default: return .unknown
        }
    }

    // MARK: What calls give

    private func call(
        _ callee: Expression, _ arguments: [ArrayElement], in scope: LintScope, _ depth: Int
    ) -> StaticType {
        func first() -> Expression? {
            guard case .value(let value)? = arguments.first else { return nil }
            return value
        }
        switch callee.plain.form {
        case .identifier(let name):
            if let binding = scope.binding(of: name) {
                guard let node = function(name, in: scope) else { return .unknown }
                return result(of: node, in: binding.scope, depth)
            }
            switch names.text(of: name) {
            case "String", "encodeURIComponent", "decodeURIComponent", "encodeURI", "decodeURI", "escape", "unescape",
                "Date":
                return .string
            case "Number", "parseInt", "parseFloat": return .number
            case "Boolean", "isNaN", "isFinite": return .boolean
            case "Array": return .array(.unknown)
            default: return .unknown
            }
        case .function(let node): return result(of: node, in: scope, depth)
        case .member(let object, let member, _):
            let name = names.text(of: member)
            let owner = type(of: object, in: scope, depth: depth + 1)
            switch owner {
            case .array(let element): return listMethod(name, element, owner, first(), in: scope, depth)
            case .string: return Self.stringMethods[name]?.type ?? .unknown
            case .number:
                return name == "valueOf" ? .number : Self.methods(of: "Number").contains(name) ? .string : .unknown
            case .boolean: return name == "toString" ? .string : .unknown
            case .date:
                if name.hasPrefix("to") { return .string }
                return name.hasPrefix("get") || name.hasPrefix("set") || name == "valueOf" ? .number : .unknown
            case .library(let library): return Self.libraryMethods[library + "." + name]?.type ?? .unknown
            default: return .unknown
            }
        default: return .unknown
        }
    }

    private func listMethod(
        _ name: String, _ element: StaticType, _ list: StaticType, _ first: Expression?, in scope: LintScope,
        _ depth: Int
    ) -> StaticType {
        switch name {
        case "filter", "slice", "splice", "reverse", "sort", "fill", "concat", "copyWithin", "toSorted", "toReversed",
            "toSpliced", "with":
            return list
        case "map", "flatMap":
            guard case .function(let node)? = first?.plain.form else { return .array(.unknown) }
            let answer = result(of: node, in: scope, depth)
            if name == "flatMap", case .array = answer { return answer }
            return .array(answer)
        case "flat":
            if case .array = element { return element }
            return list
        case "pop", "shift", "find", "findLast", "at": return element
        case "join", "toString", "toLocaleString": return .string
        case "indexOf", "lastIndexOf", "push", "unshift", "findIndex", "findLastIndex": return .number
        case "includes", "some", "every": return .boolean
        default: return .unknown
        }
    }

    /// What a function gives that is one expression, or returns only one.
    private func result(of node: FunctionNode, in scope: LintScope, _ depth: Int) -> StaticType {
        guard !node.isAsync, !node.isGenerator, node.body.count == 1, case .return(let value?)? = node.body.first?.form
        else { return .unknown }
        let inner = LintScope(parent: scope, function: node)
        for parameter in node.parameters {
            if case .binding(let name, _) = parameter.pattern {
                inner.declare(name, .parameter(parameter.initializer))
            } else {
                inner.declareOthers(parameter.pattern)
            }
        }
        if let rest = node.rest { inner.declareHead(rest, .rest) }
        return type(of: value, in: inner, depth: depth + 1)
    }
}
