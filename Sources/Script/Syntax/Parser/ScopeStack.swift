/// The scopes that are open while a file is read, and what each declares. It finds what is declared twice, what is
/// exported without being declared, and in TypeScript which imports are used as values.
struct ScopeStack: ~Copyable {
    enum Kind {
        case `var`, function, parameter
        /// `let` and `const`
        case lexical
        /// A function in a block, or of a module.
        case lexicalFunction
        case `class`, `import`, `enum`, namespace
        /// The one name of `catch (name)`, which `var` may repeat, and names of a pattern there.
        case catchName, catchPattern
        /// A name that only this scope knows and that nothing conflicts with: a function expression's own.
        case own

        var isLexical: Bool {
            switch self {
            case .var, .function, .parameter, .catchName, .own: false
            default: true
            }
        }
    }

    private struct Declaration {
        var name: Name
        var kind: Kind
        var scope: Int32
        /// The declaration of this name that this one hides, or -1.
        var hidden: Int32
    }

    private struct Scope {
        /// `var` goes no further up.
        var isFunction: Bool
        /// Functions in it are declared as `let` is, not as `var`.
        var hasLexicalFunctions: Bool
        var firstDeclaration: Int
        var firstReference: Int
    }

    private var scopes: [Scope] = []
    private var functionScope = 0
    private var declarations: [Declaration] = []
    /// The innermost declaration of each name, by number; -1 where there is none.
    private var innermost: [Int32] = []
    /// Names that are read or set and not yet found declared. Only kept for TypeScript.
    private(set) var references: [Name] = []
    /// Imports that something else of this name took the place of, as a type's import may be.
    private(set) var hiddenImports: Set<Name> = []

    let isTypeScript: Bool

    init(isTypeScript: Bool) {
        self.isTypeScript = isTypeScript
    }

    var count: Int { scopes.count }

    /// True if functions here are declared as `let` is.
    var hasLexicalFunctions: Bool { scopes.last?.hasLexicalFunctions ?? false }

    var isFunctionInnermost: Bool { scopes.last?.isFunction ?? true }

    // MARK: Opening and closing

    mutating func open(isFunction: Bool, hasLexicalFunctions: Bool, referencesFrom: Int? = nil) {
        if isFunction { functionScope = scopes.count }
        scopes.append(
            Scope(
                isFunction: isFunction, hasLexicalFunctions: hasLexicalFunctions,
                firstDeclaration: declarations.count, firstReference: referencesFrom ?? references.count))
    }

    mutating func openBlock() {
        open(isFunction: false, hasLexicalFunctions: true)
    }

    mutating func close() {
        guard let scope = scopes.last else { return }
        resolveReferences(from: scope.firstReference)
        let index = Int32(truncatingIfNeeded: scopes.count - 1)
        scopes.removeLast()
        var hoisted: [Declaration] = []
        while declarations.count > scope.firstDeclaration, let declaration = declarations.popLast() {
            innermost[Int(declaration.name.number)] = declaration.hidden
            if !scope.isFunction, declaration.kind == .var { hoisted.append(declaration) }
        }
        if scope.isFunction { functionScope = scopes.lastIndex { $0.isFunction } ?? 0 }
        for declaration in hoisted where !isDeclared(declaration.name, in: index - 1) {
            push(declaration.name, .var)
        }
    }

    private mutating func resolveReferences(from first: Int) {
        guard isTypeScript, first < references.count else { return }
        let scope = Int32(truncatingIfNeeded: scopes.count - 1)
        var kept = first
        for index in first..<references.count where !isDeclared(references[index], in: scope) {
            references[kept] = references[index]
            kept += 1
        }
        references.removeLast(references.count - kept)
    }

    /// A point to go back to.
    struct Mark {
        fileprivate var scopes: Int
        fileprivate var declarations: Int
        fileprivate var references: Int
    }

    var mark: Mark {
        Mark(scopes: scopes.count, declarations: declarations.count, references: references.count)
    }

    /// Forgets what was opened and declared since. Scopes that were open then still have to be.
    mutating func goBack(to mark: Mark) {
        scopes.removeLast(max(0, scopes.count - mark.scopes))
        while declarations.count > mark.declarations, let declaration = declarations.popLast() {
            innermost[Int(declaration.name.number)] = declaration.hidden
        }
        functionScope = scopes.lastIndex { $0.isFunction } ?? 0
        forgetReferences(from: mark.references)
    }

    // MARK: Names

    mutating func refer(to name: Name) {
        if isTypeScript { references.append(name) }
    }

    var referenceCount: Int { references.count }

    mutating func forgetReferences(from first: Int) {
        references.removeLast(max(0, references.count - first))
    }

    private func isDeclared(_ name: Name, in scope: Int32) -> Bool {
        guard let declaration = innermostDeclaration(of: name) else { return false }
        return declaration.scope == scope
    }

    private func innermostDeclaration(of name: Name) -> Declaration? {
        let number = Int(name.number)
        guard number < innermost.count else { return nil }
        let index = Int(innermost[number])
        return index >= 0 ? declarations[index] : nil
    }

    /// What a name is in the innermost scope.
    func kind(of name: Name) -> Kind? {
        guard let declaration = innermostDeclaration(of: name),
            declaration.scope == Int32(truncatingIfNeeded: scopes.count - 1)
        else { return nil }
        return declaration.kind
    }

    private mutating func push(_ name: Name, _ kind: Kind) {
        let number = Int(name.number)
        if number >= innermost.count {
            innermost.append(contentsOf: repeatElement(-1, count: max(number + 1 - innermost.count, 256)))
        }
        declarations.append(
            Declaration(
                name: name, kind: kind, scope: Int32(truncatingIfNeeded: scopes.count - 1), hidden: innermost[number]))
        innermost[number] = Int32(truncatingIfNeeded: declarations.count - 1)
    }

    /// Declares a name in the innermost scope, and `var` in all up to the function's. False where it is declared already
    /// in a way that excludes this.
    mutating func declare(_ name: Name, _ kind: Kind) -> Bool {
        if kind == .var { return declareVar(name) }
        if let existing = self.kind(of: name), existing != .own {
            if existing == .import, isTypeScript {
                hiddenImports.insert(name)
            } else if !isMerged(existing, kind) {
                return false
            }
        }
        push(name, kind)
        return true
    }

    private func isMerged(_ existing: Kind, _ new: Kind) -> Bool {
        switch (existing, new) {
        case (.var, .function), (.function, .function), (.parameter, .function): true
        case (.enum, .enum), (.enum, .namespace), (.namespace, .enum), (.namespace, .namespace),
            (.class, .namespace), (.namespace, .class), (.function, .namespace), (.namespace, .function),
            (.lexicalFunction, .namespace), (.namespace, .lexicalFunction):
            isTypeScript
        default: false
        }
    }

    private mutating func declareVar(_ name: Name) -> Bool {
        let scope = Int32(truncatingIfNeeded: scopes.count - 1)
        var index = Int(name.number) < innermost.count ? innermost[Int(name.number)] : -1
        while index >= 0 {
            let declaration = declarations[Int(index)]
            if declaration.scope < Int32(truncatingIfNeeded: functionScope) { break }
            if declaration.kind == .import, isTypeScript {
                hiddenImports.insert(name)
            } else if declaration.kind.isLexical {
                return false
            }
            if declaration.kind == .var, declaration.scope == scope { return true }
            index = declaration.hidden
        }
        push(name, .var)
        return true
    }

    /// Everything that the innermost scope declares, with what it is.
    var namesOfInnermost: [Name: Kind] {
        guard let scope = scopes.last else { return [:] }
        var names: [Name: Kind] = [:]
        for declaration in declarations[scope.firstDeclaration...] {
            names[declaration.name] = declaration.kind
        }
        return names
    }
}
