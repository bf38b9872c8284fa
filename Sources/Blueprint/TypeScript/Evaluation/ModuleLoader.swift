import GraphQL

/// Evaluates a module and what it imports, in the order of JavaScript: imported modules first, then its statements.
///
/// A statement that fails does not stop it: the names that it declares, and the objects that it mentions, keep the
/// error for who needs them.
final class ModuleLoader {
    /// A module that has been evaluated, or is on its way.
    final class Instance {
        let scope: ScriptScope
        /// What it exports, by name, in the order of the source.
        var exports: [(name: String, position: Position, binding: () -> ScriptScope.Binding)] = []
        /// The modules whose exports it passes on.
        var passedOn: [Instance] = []
        /// What its statements gave that are nothing but an expression.
        var loneValues: [PlacedValue] = []
        /// Why others of them gave nothing.
        var loneErrors: [TypeScriptError] = []
        /// Why nothing is known of what it exports.
        var unreadable: TypeScriptError?

        init(file: String) {
            scope = ScriptScope(parent: nil, file: file)
        }

        func export(_ name: String, at position: Position, _ binding: @escaping () -> ScriptScope.Binding) {
            exports.removeAll { $0.name == name }
            exports.append((name, position, binding))
        }
    }

    let evaluator: ScriptEvaluator
    private var instances: [String: Instance] = [:]
    private var depth = 0

    init(evaluator: ScriptEvaluator) {
        self.evaluator = evaluator
    }

    /// Evaluates the module of a schema. Errors of syntax in it are not deferred.
    func main(_ file: String, _ bytes: [UInt8]) throws(TypeScriptError) -> Instance {
        let module = try evaluator.modules.parse(file, bytes)
        let instance = Instance(file: file)
        instances[file] = instance
        run(module, in: instance)
        return instance
    }

    private func instance(_ file: String) -> Instance {
        if let known = instances[file] { return known }
        let instance = Instance(file: file)
        instances[file] = instance
        guard depth < evaluator.limits.nestingMax, let bytes = evaluator.modules.bytes(of: file) else {
            instance.unreadable = TypeScriptError(
                "more than \(evaluator.limits.nestingMax) modules import each other", at: .none)
            return instance
        }
        depth += 1
        defer { depth -= 1 }
        do throws(TypeScriptError) {
            run(try evaluator.modules.parse(file, bytes), in: instance)
        } catch {
            instance.unreadable = error
        }
        return instance
    }

    private func run(_ module: ScriptModule, in instance: Instance) {
        let scope = instance.scope
        evaluator.declare(module.statements, in: scope)
        for statement in module.statements { link(statement, of: instance) }
        for statement in module.statements {
            do throws(TypeScriptError) {
                switch statement.kind {
                case .exportedDefault(let expression):
                    scope.bind(Self.defaultName, to: .value(try evaluator.value(of: expression, in: scope)))
                case .expression(let expression) where !expression.isConsoleCall:
                    instance.loneValues.append(try evaluator.placed(expression, in: scope))
                default: try evaluator.run(statement, in: scope)
                }
            } catch {
                if case .expression = statement.kind { instance.loneErrors.append(error) }
                fail(statement, error, in: scope, module.tokens)
            }
        }
    }

    /// A name that no source can declare.
    private static let defaultName = "export default"

    /// The names that a failed statement declares keep its error, and so do the objects that it mentions.
    private func fail(
        _ statement: ScriptStatement, _ error: TypeScriptError, in scope: ScriptScope, _ tokens: [ScriptToken]
    ) {
        switch statement.kind {
        case .declaration(let parts):
            for name in parts.flatMap(\.binding.names) {
                if case .early? = scope.own(name) { scope.bind(name, to: .failed(error)) }
            }
        case .enumeration(let name, _): scope.bind(name, to: .failed(error))
        case .unsupported(_, let names): for name in names { scope.bind(name, to: .failed(error)) }
        case .exportedDefault: scope.bind(Self.defaultName, to: .failed(error))
        default: break
        }
        for token in tokens[statement.tokens] where token.kind == .name {
            if case .value(let value)? = scope.own(token.text) { value.changeable?.spoil(by: error) }
        }
    }

    // MARK: Imports and exports

    private func link(_ statement: ScriptStatement, of instance: Instance) {
        let scope = instance.scope
        switch statement.kind {
        case .imported(let imported): link(imported, of: instance)
        case .exported(let names, let module):
            for name in names {
                if let module {
                    let find = finder(name.local, of: module, from: scope.file, at: name.at)
                    instance.export(name.name, at: name.at, find)
                } else {
                    let missing = TypeScriptError("cannot find the name \"\(name.local)\"", at: name.at)
                    instance.export(name.name, at: name.at) { scope.own(name.local) ?? .failed(missing) }
                }
            }
        case .exportedAll(let name, let module):
            if let name {
                let find = namespace(of: module, from: scope.file)
                instance.export(name, at: statement.position, find)
            } else if let file = evaluator.modules.file(of: module.text, from: scope.file) {
                instance.passedOn.append(self.instance(file))
            }
        case .exportedDefault:
            scope.bind(Self.defaultName, to: .early(statement.position))
            instance.export("default", at: statement.position) {
                scope.own(Self.defaultName) ?? .early(statement.position)
            }
        default:
            guard statement.isExported else { return }
            for name in statement.declaredNames {
                instance.export(name, at: statement.position) { scope.own(name) ?? .early(statement.position) }
            }
        }
    }

    private func link(_ imported: ScriptImport, of instance: Instance) {
        let scope = instance.scope
        if let namespace = imported.namespace {
            scope.bind(namespace, to: .imported(self.namespace(of: imported.module, from: scope.file)))
        }
        for name in imported.names {
            let find = finder(name.name, of: imported.module, from: scope.file, at: name.at)
            scope.bind(name.local, to: .imported(find))
        }
        if imported.names.isEmpty, imported.namespace == nil,
            let file = evaluator.modules.file(of: imported.module.text, from: scope.file)
        {
            _ = self.instance(file)
        }
    }

    /// How a name of another module is found, once somebody needs it.
    private func finder(
        _ name: String, of module: ScriptModuleName, from file: String, at position: Position
    ) -> () -> ScriptScope.Binding {
        let missing = TypeScriptError("\"\(module.text)\" exports no \"\(name)\"", at: position)
        if let known = Natives.exports(of: module.text, at: position) {
            return { known[name].map { .value($0) } ?? .failed(missing) }
        }
        guard let file = evaluator.modules.file(of: module.text, from: file) else {
            let error = TypeScriptError(
                "cannot find the module \"\(module.text)\", whose value the schema needs", at: module.position)
            return { .value(.opaque(OpaqueValue(error))) }
        }
        let other = instance(file)
        return { self.binding(name, of: other, visited: []) ?? .failed(missing) }
    }

    private func binding(_ name: String, of instance: Instance, visited: [Instance]) -> ScriptScope.Binding? {
        if let error = instance.unreadable { return .value(.opaque(OpaqueValue(error))) }
        if let own = instance.exports.first(where: { $0.name == name }) { return own.binding() }
        guard name != "default", visited.count < evaluator.limits.nestingMax else { return nil }
        for other in instance.passedOn where !visited.contains(where: { $0 === other }) {
            if let found = binding(name, of: other, visited: visited + [instance]) { return found }
        }
        return nil
    }

    private func namespace(of module: ScriptModuleName, from file: String) -> () -> ScriptScope.Binding {
        if let known = Natives.exports(of: module.text, at: module.position) {
            let object = ScriptObject()
            for (name, value) in known { object.set(name, to: value, at: module.position) }
            return { .value(.object(object)) }
        }
        guard let file = evaluator.modules.file(of: module.text, from: file) else {
            let error = TypeScriptError(
                "cannot find the module \"\(module.text)\", whose value the schema needs", at: module.position)
            return { .value(.opaque(OpaqueValue(error))) }
        }
        let other = instance(file)
        return { .value(self.namespace(of: other, at: module.position)) }
    }

    private func namespace(of instance: Instance, at position: Position) -> ScriptValue {
        if let error = instance.unreadable { return .opaque(OpaqueValue(error)) }
        let object = ScriptObject()
        for name in names(of: instance, visited: []) {
            let binding = binding(name, of: instance, visited: []) ?? .early(position)
            let place = place(of: name, in: instance, visited: []) ?? position
            do throws(TypeScriptError) {
                object.set(name, to: try evaluator.value(of: binding, name: name, at: position), at: place)
            } catch {
                // Only who needs it is told.
                object.set(name, to: .opaque(OpaqueValue(error)), at: place)
            }
        }
        return .object(object)
    }

    /// Where a name is exported.
    private func place(of name: String, in instance: Instance, visited: [Instance]) -> Position? {
        if let own = instance.exports.first(where: { $0.name == name }) { return own.position }
        guard visited.count < evaluator.limits.nestingMax else { return nil }
        for other in instance.passedOn where !visited.contains(where: { $0 === other }) {
            if let found = place(of: name, in: other, visited: visited + [instance]) { return found }
        }
        return nil
    }

    /// The names that a module exports, in their order.
    func names(of instance: Instance, visited: [Instance]) -> [String] {
        var names = instance.exports.map(\.name)
        guard visited.count < evaluator.limits.nestingMax else { return names }
        for other in instance.passedOn where !visited.contains(where: { $0 === other }) {
            for name in self.names(of: other, visited: visited + [instance])
            where name != "default" && !names.contains(name) {
                names.append(name)
            }
        }
        return names
    }

    /// The value of an export; nil when there is none of that name.
    func export(_ name: String, of instance: Instance) throws(TypeScriptError) -> ScriptValue? {
        guard let binding = binding(name, of: instance, visited: []) else { return nil }
        return try evaluator.value(of: binding, name: name, at: Position(offset: 0, source: 0))
    }
}

extension ScriptStatement {
    /// The names that it declares.
    var declaredNames: [String] {
        switch kind {
        case .declaration(let parts): parts.flatMap(\.binding.names)
        case .function(let name, _), .enumeration(let name, _): [name]
        case .unsupported(_, let names): names
        default: []
        }
    }
}
