/// What stands before a class element's parameters or value.
struct ClassElementHead {
    var start: Token
    /// Where a method's own text begins, behind `static` and TypeScript's words.
    var methodStart: Token
    var isStatic = false
    var isAsync = false
    var isGenerator = false
    var accessor: FunctionNode.Kind?
    var name = PropertyName.name(.known(.empty))
    var nameToken = Token()
    /// TypeScript's words.
    var isAbstract = false
    var isDeclared = false
    var isAutomatic = false

    init(start: Token) {
        self.start = start
        methodStart = start
    }

    var isComputed: Bool { nameToken.kind == .openBracket }

    var isPrivateConstructor: Bool {
        guard case .private(let name) = name else { return false }
        return name == .known(.privateConstructor)
    }

    var isConstructor: Bool {
        guard !isStatic, !isComputed, case .name(.known(.constructor)) = name else { return false }
        return true
    }
}

/// A class that is being read.
struct ClassBuilder {
    let node: ClassNode
    /// Fields that stand before all others: parameters of the constructor that TypeScript makes properties of.
    var leadingFields: [ClassNode.Element] = []

    init(_ node: ClassNode) {
        self.node = node
    }

    func finish() {
        if !leadingFields.isEmpty { node.elements = leadingFields + node.elements }
    }
}
