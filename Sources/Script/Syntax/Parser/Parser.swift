/// Reads a file: a descent through the grammar of the language that builds the tree as it goes and refuses what the
/// language calls an early error. All code is strict.
///
/// Where an expression turns out to be a pattern (`[a, b] = list`, `({ a }) => a`), what was read is converted, as the
/// specification's cover grammars have it, so no text is read twice. TypeScript has places that only what follows
/// decides; those are tried, and on failure the parser goes back (`Parser+Trial`).
final class Parser {
    var lexer: Lexer
    let options: SyntaxOptions
    let isTypeScript: Bool
    var scopes: ScopeStack
    var frame = Frame()
    var labels: [Label] = []
    var classes: [PrivateNames] = []
    var program = ProgramNode()
    var module = ModuleNames()
    var typeScript = TypeScriptState()

    /// What was read so far is only good as a pattern, because of this.
    var cover: CoverError?
    /// The logical operator that was read last.
    var lastLogical: (kind: TokenKind, place: Place) = (.coalesce, .start)
    /// How deep the parser is in what it reads.
    var depth = 0
    /// Height of the highest tree that was finished within what is being read.
    var height = 0

    /// What a function has for itself.
    struct Frame {
        var context: Context = []
        /// Labels from here on belong to the function.
        var firstLabel = 0
        var loops = 0
        var switches = 0
        /// The last of these that were read here. None of them may be in an arrow function's parameters.
        var lastAwait: Place?
        var lastYield: Place?
        var lastAwaitName: Place?
    }

    /// What is allowed at a place.
    struct Context: OptionSet {
        let rawValue: UInt16
        static let `return` = Context(rawValue: 1)
        static let async = Context(rawValue: 2)
        static let generator = Context(rawValue: 4)
        /// Within the parameters of a function with a body of its own.
        static let parameters = Context(rawValue: 8)
        static let superMember = Context(rawValue: 16)
        static let superCall = Context(rawValue: 32)
        static let newTarget = Context(rawValue: 64)
        /// A field's initializer or a static block: there are no `arguments`.
        static let noArguments = Context(rawValue: 128)
        static let staticBlock = Context(rawValue: 256)
        /// The head of a `for`, where `in` is no operator.
        static let noIn = Context(rawValue: 512)
        /// TypeScript's `declare`: everything is a type.
        static let ambient = Context(rawValue: 1024)
        /// Between `?` and `:`, where `(a): b => c` is read in two ways.
        static let conditional = Context(rawValue: 2048)
        /// The outermost code of a module.
        static let topLevel = Context(rawValue: 4096)
        static let namespace = Context(rawValue: 8192)
        /// What ends where a bracket begins.
        static let bracketed = Context(rawValue: 512 | 2048)
    }

    struct Label {
        var name: Name
        var isLoop: Bool
    }

    struct CoverError {
        enum Kind {
            case shorthandInitializer, secondPrototype
        }

        var kind: Kind
        var place: Place
    }

    init(_ text: [UInt16], names: NameNumbers, options: SyntaxOptions) {
        lexer = Lexer(text, names: names)
        self.options = options
        isTypeScript = options.isTypeScript
        scopes = ScopeStack(isTypeScript: options.isTypeScript)
    }

    // MARK: Tokens

    var kind: TokenKind { lexer.token.kind }
    var place: Place { lexer.token.place }

    func next() throws(SyntaxRefusal) {
        try lexer.next()
    }

    func eat(_ kind: TokenKind) throws(SyntaxRefusal) -> Bool {
        guard lexer.token.kind == kind else { return false }
        try lexer.next()
        return true
    }

    func expect(_ kind: TokenKind) throws(SyntaxRefusal) {
        guard lexer.token.kind == kind else { throw unexpected() }
        try lexer.next()
    }

    /// The `;` that may be left out before a `}`, at the end and where a line ends.
    func endStatement() throws(SyntaxRefusal) {
        if kind == .semicolon { return try next() }
        if !canEndStatement { throw unexpected() }
    }

    var canEndStatement: Bool {
        kind == .semicolon || kind == .closeBrace || kind == .end || lexer.token.isAfterLineBreak
    }

    // MARK: Refusing

    func refuse(_ message: String, at place: Place? = nil, hint: String? = nil) -> SyntaxRefusal {
        lexer.refuse(message, at: place ?? lexer.token.place, hint: hint)
    }

    /// The token that is looked at has no business here.
    func unexpected() -> SyntaxRefusal {
        unexpected(lexer.token)
    }

    func unexpected(_ token: Token, hint: String? = nil) -> SyntaxRefusal {
        let message =
            switch token.kind {
            case .end: "Unexpected end of input"
            case .number, .bigInteger: "Unexpected number"
            case .text: "Unexpected string"
            case .backquote: "Unexpected template string"
            case .escapedWord: "Keyword must not contain escaped characters"
            case .enum: "Unexpected reserved word"
            case .await where isAwaitReserved: "Unexpected reserved word"
            case .at: "Decorators are not supported"
            default:
                if token.kind.isReservedInStrictCodeOnly {
                    "Unexpected strict mode reserved word"
                } else if token.kind.isIdentifier || token.kind == .privateName {
                    "Unexpected identifier '\(lexer.names.text(of: token.name))'"
                } else {
                    "Unexpected token '\(text(of: token))'"
                }
            }
        return refuse(message, at: token.place, hint: hint)
    }

    private func text(of token: Token) -> String {
        let start = Int(token.start)
        let end = min(Int(token.end), lexer.units.count)
        return start < end ? String(decoding: lexer.units[start..<end], as: UTF16.self) : ""
    }

    /// Refuses what is only good as a pattern.
    func requireExpression() throws(SyntaxRefusal) {
        guard let cover else { return }
        switch cover.kind {
        case .shorthandInitializer: throw refuse("Invalid shorthand property initializer", at: cover.place)
        case .secondPrototype:
            throw refuse("Duplicate __proto__ fields are not allowed in object literals", at: cover.place)
        }
    }

    // MARK: Bounds

    /// Enters a construct. The answer is for `leave`.
    func enter() throws(SyntaxRefusal) -> Int {
        depth += 1
        if depth > SyntaxLimits.nestingMax {
            throw refuse(
                "The code is nested too deeply",
                hint: "At most \(SyntaxLimits.nestingMax) constructs are read in each other.")
        }
        let outer = height
        height = 0
        return outer
    }

    func leave(_ outer: Int) throws(SyntaxRefusal) {
        depth -= 1
        height += 1
        if height > SyntaxLimits.heightMax { throw tooHigh() }
        if height < outer { height = outer }
    }

    /// What was read becomes a part of something over it, as the left side of an operator does.
    func rise() throws(SyntaxRefusal) {
        height += 1
        if height > SyntaxLimits.heightMax { throw tooHigh() }
    }

    private func tooHigh() -> SyntaxRefusal {
        refuse(
            "The code is chained too long",
            hint: "At most \(SyntaxLimits.heightMax) operators, calls or members follow each other in one expression.")
    }

    // MARK: Names

    var isAwaitReserved: Bool {
        options.goal == .module || !frame.context.isDisjoint(with: [.async, .staticBlock])
    }

    /// `await` is an operator here.
    var isAwaitOperator: Bool {
        frame.context.contains(.async) || (options.goal == .module && frame.context.contains(.topLevel))
    }

    /// True if the token can be a name of a variable.
    var isIdentifier: Bool {
        kind.isIdentifier && (kind != .await || !isAwaitReserved)
    }

    /// Takes a name that is declared here.
    func bindingIdentifier() throws(SyntaxRefusal) -> (name: Name, place: Place) {
        let token = lexer.token
        guard isIdentifier else { throw unexpected() }
        if token.name == .known(.eval) || token.name == .known(.arguments), !frame.context.contains(.ambient) {
            throw refuse("Unexpected eval or arguments in strict mode")
        }
        try next()
        return (token.name, token.place)
    }

    func declare(_ name: Name, _ kind: ScopeStack.Kind, at place: Place) throws(SyntaxRefusal) {
        if frame.context.contains(.ambient) { return }
        if !scopes.declare(name, kind) {
            throw refuse("Identifier '\(lexer.names.text(of: name))' has already been declared", at: place)
        }
    }
}
