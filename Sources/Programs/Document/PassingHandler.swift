import Blueprint
import Project
import Script

/// The proof that a handler of a subscription does nothing but pass on, so that the subscription can be served without it: it
/// has no condition, calls nothing, reads nothing that may be missing, and gives null or the result that it is given.
///
///     export function request() { return { payload: null } }
///     export function response(ctx) { return ctx.result }
///
/// Whatever is not understood here is no proof. A handler may filter events or refuse callers, so nobody may guess.
struct PassingHandler {
    /// The module whose functions a handler is written with.
    private static let library = "@aws-appsync/utils"
    /// The members of a request: an operation on a table would be another effect.
    private static let requestMembers: Set = ["payload", "version"]
    /// Members of the context that are always objects, so that reading a member of theirs fails for nobody.
    private static let contextObjects: Set = ["args", "arguments", "stash", "prev"]
    private static let heightMax = 32

    private let names: NameNumbers
    private var functions: [Name: FunctionNode] = [:]
    private var exports: [String: Name] = [:]

    /// Returns whether a module only passes on, as JavaScript is written for AppSync.
    static func isProven(_ bytes: [UInt8], _ limits: TypeScriptLimits) -> Bool {
        guard bytes.count <= limits.bytesMax else { return false }
        let names = NameNumbers()
        let text = Array(String(decoding: bytes, as: UTF8.self).utf16)
        guard
            let program = try? ProgramNode(
                parsing: text, names: names, options: SyntaxOptions(goal: .module, isTypeScript: true))
        else { return false }
        return PassingHandler(program, names)?.isProven ?? false
    }

    /// Nil when a statement of the module may do anything else than declare.
    private init?(_ program: ProgramNode, _ names: NameNumbers) {
        self.names = names
        for request in program.requests {
            let name = String(decoding: request.specifier, as: UTF16.self)
            guard name == Self.library || name.hasPrefix(Self.library + "/") else { return nil }
        }
        for statement in program.body {
            switch statement.form {
            case .empty: break
            case .function(let function):
                guard let name = function.name, add(function, name) else { return nil }
            case .declaration(let declaration):
                for part in declaration.parts {
                    guard case .binding(let name, _) = part.pattern,
                        case .function(let function)? = part.initializer?.form,
                        add(function, name)
                    else { return nil }
                }
            default: return nil
            }
        }
        for export in program.exports {
            guard let name = export.name, case .local(let local) = export.source else { return nil }
            exports[names.text(of: name)] = local
        }
    }

    private mutating func add(_ function: FunctionNode, _ name: Name) -> Bool {
        functions.updateValue(function, forKey: name) == nil
    }

    private var isProven: Bool {
        guard let request = exports["request"].flatMap({ functions[$0] }),
            let response = exports["response"].flatMap({ functions[$0] })
        else { return false }
        return isPassing(request: request) && isPassing(response: response)
    }

    private func isPassing(request: FunctionNode) -> Bool {
        guard let body = Body(request, names), case .object(let members)? = body.result?.inner.form else {
            return false
        }
        return members.allSatisfy { member in
            guard case .value(.name(let name), let value) = member else { return false }
            return Self.requestMembers.contains(names.text(of: name)) && body.isHarmless(value)
        }
    }

    private func isPassing(response: FunctionNode) -> Bool {
        guard let body = Body(response, names) else { return false }
        guard let result = body.result else { return true }
        return body.isHarmless(result) && body.isNothingOrResult(result)
    }

    /// A function that declares names and returns, and does nothing else.
    private struct Body {
        private let names: NameNumbers
        private let context: Name?
        /// What local names stand for.
        private var locals: [Name: Expression] = [:]
        /// What it returns; nil for nothing.
        private(set) var result: Expression?

        init?(_ function: FunctionNode, _ names: NameNumbers) {
            self.names = names
            guard !function.isAsync, !function.isGenerator, function.rest == nil, function.parameters.count <= 1 else {
                return nil
            }
            switch function.parameters.first {
            case nil: context = nil
            case let parameter?:
                guard case .binding(let name, _) = parameter.pattern, parameter.initializer == nil else { return nil }
                context = name
            }
            for statement in function.body {
                switch statement.form {
                case .empty: break
                case .return(let expression):
                    result = expression
                    return
                case .declaration(let declaration):
                    for part in declaration.parts {
                        guard case .binding(let name, _) = part.pattern, let value = part.initializer, name != context,
                            isHarmless(value), locals.updateValue(value, forKey: name) == nil
                        else { return nil }
                    }
                default: return nil
                }
            }
        }

        private func isUndefined(_ name: Name) -> Bool { names.text(of: name) == "undefined" }

        /// Returns whether an expression has no effect and fails for nobody.
        func isHarmless(_ expression: Expression, height: Int = 0) -> Bool {
            guard height <= PassingHandler.heightMax else { return false }
            func isHarmless(_ inner: Expression) -> Bool { self.isHarmless(inner, height: height + 1) }
            switch expression.form {
            case .null, .boolean, .number, .text: return true
            case .identifier(let name): return isUndefined(name) || name == context || locals[name] != nil
            case .parenthesized(let inner), .chain(let inner): return isHarmless(inner)
            case .array(let elements):
                return elements.allSatisfy { if case .value(let value) = $0 { isHarmless(value) } else { false } }
            case .object(let members):
                return members.allSatisfy { member in
                    switch member {
                    case .value(.name, let value): isHarmless(value)
                    case .spread(let value): isContextObject(value)
                    default: false
                    }
                }
            case .member(let base, _, let isOptional):
                return isContext(base) || isContextObject(base) || isOptional && isHarmless(base)
            default: return false
            }
        }

        /// Returns whether it gives null, nothing, or the result that the function is given.
        func isNothingOrResult(_ expression: Expression) -> Bool {
            switch expression.inner.form {
            case .null: return true
            case .identifier(let name):
                // Each name is declared with what was there before it, so this ends.
                return isUndefined(name) || locals[name].map(isNothingOrResult) ?? false
            case .member(let base, let name, _) where names.text(of: name) == "result":
                if case .member(let context, let name, _) = base.inner.form, names.text(of: name) == "prev" {
                    return isContext(context)
                }
                return isContext(base)
            default: return false
            }
        }

        private func isContext(_ expression: Expression) -> Bool {
            if case .identifier(let name) = expression.inner.form { name == context } else { false }
        }

        private func isContextObject(_ expression: Expression) -> Bool {
            guard case .member(let base, let name, _) = expression.inner.form else { return false }
            return isContext(base) && PassingHandler.contextObjects.contains(names.text(of: name))
        }
    }
}

extension Expression {
    /// Without what only groups it.
    fileprivate var inner: Expression {
        switch form {
        case .parenthesized(let inner), .chain(let inner): inner.inner
        case .sequence(let parts) where parts.count == 1: parts[0].inner
        default: self
        }
    }
}
