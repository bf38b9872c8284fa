import GraphQL

/// The proof that a handler of a subscription does nothing but pass on, so that the subscription can be served without it: it
/// has no condition, calls nothing, reads nothing that may be missing, and gives null or the result that it is given.
///
///     export function request() { return { payload: null } }
///     export function response(ctx) { return ctx.result }
///
/// Whatever is not understood here is no proof. A handler may filter events or refuse callers, so nobody may guess.
struct PassingHandler {
    /// What a local name stands for.
    private typealias Names = [String: ScriptExpression]

    /// The module whose functions a handler is written with.
    private static let library = "@aws-appsync/utils"
    /// The members of a request: an operation on a table would be another effect.
    private static let requestMembers: Set = ["payload", "version"]
    /// Members of the context that are always objects, so that reading a member of theirs fails for nobody.
    private static let contextObjects: Set = ["args", "arguments", "stash", "prev"]
    private static let heightMax = 32

    private var functions: [String: ScriptFunction] = [:]
    private var exports: [String: String] = [:]

    /// Whether a module only passes on, as JavaScript is written for AppSync.
    static func isProven(_ module: ScriptModule) -> Bool {
        PassingHandler(module)?.isProven ?? false
    }

    /// Nil when a statement of the module may do anything else than declare.
    private init?(_ module: ScriptModule) {
        for statement in module.statements {
            switch statement.kind {
            case .imported(let imported):
                let name = imported.module.text
                guard name == Self.library || name.hasPrefix(Self.library + "/") else { return nil }
            case .function(let name, let function):
                guard add(function, name, isExported: statement.isExported) else { return nil }
            case .declaration(let parts):
                for part in parts {
                    guard case .name(let name, _) = part.binding, case .function(let function)? = part.value?.kind,
                        add(function, name, isExported: statement.isExported)
                    else { return nil }
                }
            case .exported(let names, from: nil):
                for name in names { exports[name.name] = name.local }
            default: return nil
            }
        }
    }

    private mutating func add(_ function: ScriptFunction, _ name: String, isExported: Bool) -> Bool {
        if isExported { exports[name] = name }
        return functions.updateValue(function, forKey: name) == nil
    }

    private var isProven: Bool {
        guard let request = exports["request"].flatMap({ functions[$0] }),
            let response = exports["response"].flatMap({ functions[$0] })
        else { return false }
        return isPassing(request: request) && isPassing(response: response)
    }

    private func isPassing(request: ScriptFunction) -> Bool {
        guard let body = Body(request), let result = body.result, case .object(let members) = result.kind else {
            return false
        }
        return body.isHarmless(result)
            && members.allSatisfy { member in
                guard case .value(.name(let name, _), _) = member else { return false }
                return Self.requestMembers.contains(name)
            }
    }

    private func isPassing(response: ScriptFunction) -> Bool {
        guard let body = Body(response) else { return false }
        guard let result = body.result else { return true }
        return body.isHarmless(result) && body.isNothingOrResult(result)
    }

    /// A function that declares names and returns, and does nothing else.
    private struct Body {
        let context: String?
        private var names: Names = [:]
        /// What it returns; nil for nothing.
        private(set) var result: ScriptExpression?

        init?(_ function: ScriptFunction) {
            guard function.refusal == nil, function.parameters.count <= 1 else { return nil }
            switch function.parameters.first {
            case nil: context = nil
            case let parameter?:
                guard case .name(let name, _) = parameter.binding, parameter.standard == nil, !parameter.isRest else {
                    return nil
                }
                context = name
            }
            switch function.body {
            case .expression(let expression): result = expression
            case .unreadable: return nil
            case .block(let statements):
                for statement in statements {
                    switch statement.kind {
                    case .returned(let expression):
                        result = expression
                        return
                    case .declaration(let parts):
                        for part in parts {
                            guard case .name(let name, _) = part.binding, let value = part.value, name != context,
                                isHarmless(value), names.updateValue(value, forKey: name) == nil
                            else { return nil }
                        }
                    default: return nil
                    }
                }
            }
        }

        /// Whether an expression has no effect and fails for nobody.
        func isHarmless(_ expression: ScriptExpression) -> Bool {
            guard expression.height <= PassingHandler.heightMax else { return false }
            switch expression.kind {
            case .null, .boolean, .number, .string: return true
            case .name(let name): return name == "undefined" || name == context || names[name] != nil
            case .array(let elements):
                return elements.allSatisfy { if case .value(let value) = $0 { isHarmless(value) } else { false } }
            case .object(let members):
                return members.allSatisfy { member in
                    switch member {
                    case .value(.name, let value): isHarmless(value)
                    case .value(.computed, _), .getter: false
                    case .spread(let value): isContextObject(value)
                    }
                }
            case .member(let base, _, _, let isOptional):
                return isContext(base) || isContextObject(base) || isOptional && isHarmless(base)
            default: return false
            }
        }

        /// Whether it gives null, nothing, or the result that the function is given.
        func isNothingOrResult(_ expression: ScriptExpression) -> Bool {
            switch expression.kind {
            case .null: return true
            case .name(let name):
                // Each name is declared with what was there before it, so this ends.
                return name == "undefined" || names[name].map(isNothingOrResult) ?? false
            case .member(let base, "result", _, _):
                if case .member(let context, "prev", _, _) = base.kind { return isContext(context) }
                return isContext(base)
            default: return false
            }
        }

        private func isContext(_ expression: ScriptExpression) -> Bool {
            if case .name(let name) = expression.kind { name == context } else { false }
        }

        private func isContextObject(_ expression: ScriptExpression) -> Bool {
            guard case .member(let base, let name, _, _) = expression.kind else { return false }
            return isContext(base) && PassingHandler.contextObjects.contains(name)
        }
    }
}

extension ScriptModules {
    /// Why Amplify does not find a file that a handler names; nil when it is there. It is looked for from the file of the
    /// handler, without any other ending.
    func refusal(ofFile named: PlacedText) -> TypeScriptError? {
        let place = named.position
        guard place.isKnown, sources.indices.contains(place.source), let file = sources[place.source].name else {
            return nil
        }
        let path = Self.join(Self.folder(of: file), named.text)
        guard bytes(of: path) == nil else { return nil }
        return TypeScriptError(
            named.text.hasPrefix("/")
                ? "Cannot find file at \(named.text)"
                : "UnresolvedEntryPathError: Could not determine import path to construct absolute code path from "
                    + "relative path: \(named.text)", at: place,
            hint: "There is no file \(path) that can be read: write it, or name the one that is there.")
    }

    /// Whether the module that a file names only passes on. It is no part of the schema: nothing of it is evaluated, and what
    /// is wrong with it is no error of the schema.
    func onlyPassesOn(_ entry: String, from file: String) -> Bool {
        guard let path = self.file(of: entry, from: file), let bytes = bytes(of: path) else { return false }
        do throws(TypeScriptError) {
            return PassingHandler.isProven(
                try ScriptParser.module(Source(bytes, name: path), sourceNumber: 0, limits: limits))
        } catch {
            return false
        }
    }
}
