/// What of the library a realm has: all of it, or what a host selects, with rows of the host's own.
package struct ScriptLibrary: Sendable {
    /// What is left of a class of the library.
    package struct Part: Sendable {
        /// Names of functions of the constructor, and of the prototype. Those of symbols go with `symbols`.
        package var statics: [String]
        package var properties: [String]
        package var symbols: [WellKnownSymbol]
        /// What the host puts in their place, or beside them.
        package var ownStatics: [NativeProperty]
        package var ownProperties: [NativeProperty]

        package init(
            statics: [String] = [], properties: [String] = [], symbols: [WellKnownSymbol] = [],
            ownStatics: [NativeProperty] = [], ownProperties: [NativeProperty] = []
        ) {
            self.statics = statics
            self.properties = properties
            self.symbols = symbols
            self.ownStatics = ownStatics
            self.ownProperties = ownProperties
        }
    }

    package static let whole = ScriptLibrary()

    let globals: [NativeProperty]
    /// By the numbers of the intrinsics; empty: all as they are.
    private let classes: [NativeClass]

    /// Without `new`, classes and generators: nothing makes objects but literals and functions.
    var isPlain: Bool { !classes.isEmpty }

    private init() {
        globals = Globals.table
        classes = []
    }

    /// - Parameters:
    ///   - names: what is left of the global object.
    ///   - globals: the host's own rows there.
    ///   - parts: what is left of the classes; those that are not named have no members at all, but errors their names.
    package init(names: [String], globals own: [NativeProperty], _ parts: [Intrinsic: Part]) {
        globals = Globals.table.filter { $0.isNamed(in: names) } + own
        classes = Intrinsic.allCases.map { intrinsic in
            var kind = intrinsic.definition
            let part = parts[intrinsic] ?? Part(properties: intrinsic.isError ? ["name", "message"] : [])
            kind.statics = kind.statics.filter { $0.isNamed(in: part.statics) } + part.ownStatics
            kind.properties =
                kind.properties.filter { $0.isNamed(in: part.properties) || $0.isSymbol(in: part.symbols) }
                + part.ownProperties
            kind.hasConstructor = false
            kind.functionsClass = nil
            kind.prototypeOfFunctions = nil
            return kind
        }
    }

    func definition(of intrinsic: Intrinsic) -> NativeClass {
        classes.isEmpty ? intrinsic.definition : classes[intrinsic.rawValue]
    }
}

extension Intrinsic {
    fileprivate var isError: Bool {
        switch self {
        case .error, .aggregateError, .evalError, .rangeError, .referenceError, .syntaxError, .typeError, .uriError:
            true
        default: false
        }
    }
}

extension NativeProperty {
    func isNamed(in names: [String]) -> Bool {
        guard case .name(let name) = key else { return false }
        return names.contains { $0.utf8.elementsEqual(name.utf8) }
    }

    func isSymbol(in symbols: [WellKnownSymbol]) -> Bool {
        guard case .symbol(let symbol) = key else { return false }
        return symbols.contains(symbol)
    }
}

extension ScriptLibrary {
    /// What a method of a class does, for hosts that put something before it or behind it.
    package static func method(_ name: String, of intrinsic: Intrinsic) -> NativeFunction.Body? {
        body(name, in: intrinsic.definition.properties)
    }

    /// The same for the functions of `JSON`.
    package static func json(_ name: String) -> NativeFunction.Body? { body(name, in: JSONLibrary.table) }

    private static func body(_ name: String, in table: [NativeProperty]) -> NativeFunction.Body? {
        guard let row = table.first(where: { $0.isNamed(in: [name]) }), case .method(_, let body) = row.content else {
            return nil
        }
        return body
    }
}

extension Realm {
    /// What goes through a list's elements.
    package func elements(of list: Value) throws(Thrown) -> Value {
        .object(ArrayIterator(self, try toObject(list), .values))
    }
}
