/// A property of an object of the library or of the host: a row of a table.
///
///     static let properties: [NativeProperty] = [
///         .method("slice", length: 2) { call in ... },
///         .method(.iterator, length: 0) { call in ... },
///         .getter("size") { call in ... },
///         .tag("Map"),
///     ]
package struct NativeProperty: Sendable {
    enum Key: Sendable {
        case name(String)
        case symbol(WellKnownSymbol)
    }

    enum Content: Sendable {
        case method(length: Int, NativeFunction.Body)
        case accessor(get: NativeFunction.Body, set: NativeFunction.Body?)
        case number(Double)
        case text(String)
        /// The same function under another name.
        case alias(Key)
        case constructor(Intrinsic)
        case made(@Sendable (Realm) -> Value)
        /// An accessor that throws.
        case thrower
    }

    let key: Key
    let content: Content
    let attributes: PropertyTable.Attributes

    /// True if it is there without a call.
    var isValue: Bool { if case .accessor = content { false } else { true } }

    /// What programs find it by.
    package var name: String {
        switch key {
        case .name(let name): name
        case .symbol(let symbol): "[\(symbol.description)]"
        }
    }

    package static func method(_ name: String, length: Int, _ body: @escaping NativeFunction.Body) -> NativeProperty {
        NativeProperty(key: .name(name), content: .method(length: length, body), attributes: .hidden)
    }

    package static func method(
        _ symbol: WellKnownSymbol, length: Int, _ body: @escaping NativeFunction.Body
    ) -> NativeProperty {
        let attributes: PropertyTable.Attributes =
            switch symbol {
            case .toPrimitive: .configurable
            case .hasInstance: []
            default: .hidden
            }
        return NativeProperty(key: .symbol(symbol), content: .method(length: length, body), attributes: attributes)
    }

    package static func getter(_ name: String, _ body: @escaping NativeFunction.Body) -> NativeProperty {
        NativeProperty(key: .name(name), content: .accessor(get: body, set: nil), attributes: .configurable)
    }

    package static func getter(_ symbol: WellKnownSymbol, _ body: @escaping NativeFunction.Body) -> NativeProperty {
        NativeProperty(key: .symbol(symbol), content: .accessor(get: body, set: nil), attributes: .configurable)
    }

    package static func accessor(
        _ name: String, get: @escaping NativeFunction.Body, set: @escaping NativeFunction.Body
    ) -> NativeProperty {
        NativeProperty(key: .name(name), content: .accessor(get: get, set: set), attributes: .configurable)
    }

    /// `get [Symbol.species]`, which gives `this`.
    package static var species: NativeProperty {
        .getter(.species) { call in call.this }
    }

    /// A number that cannot be changed.
    package static func constant(_ name: String, _ number: Double) -> NativeProperty {
        NativeProperty(key: .name(name), content: .number(number), attributes: [])
    }

    package static func text(_ name: String, _ text: String) -> NativeProperty {
        NativeProperty(key: .name(name), content: .text(text), attributes: .hidden)
    }

    /// `Symbol.toStringTag`
    package static func tag(_ text: String) -> NativeProperty {
        NativeProperty(key: .symbol(.toStringTag), content: .text(text), attributes: .configurable)
    }

    /// The function that another row makes, which stands above.
    package static func alias(_ name: String, of other: String) -> NativeProperty {
        NativeProperty(key: .name(name), content: .alias(.name(other)), attributes: .hidden)
    }

    package static func alias(_ symbol: WellKnownSymbol, of other: String) -> NativeProperty {
        NativeProperty(key: .symbol(symbol), content: .alias(.name(other)), attributes: .hidden)
    }

    /// A class of the library among the globals.
    package static func `class`(_ name: String, _ intrinsic: Intrinsic) -> NativeProperty {
        NativeProperty(key: .name(name), content: .constructor(intrinsic), attributes: .hidden)
    }

    /// A value that is made for each realm, such as `Math`.
    package static func made(_ name: String, _ make: @escaping @Sendable (Realm) -> Value) -> NativeProperty {
        NativeProperty(key: .name(name), content: .made(make), attributes: .hidden)
    }

    /// The same for a value that cannot be changed.
    package static func fixed(_ name: String, _ make: @escaping @Sendable (Realm) -> Value) -> NativeProperty {
        NativeProperty(key: .name(name), content: .made(make), attributes: [])
    }
}

extension Realm {
    func key(_ key: NativeProperty.Key) -> PropertyKey {
        switch key {
        case .name(let name): self.key(name)
        case .symbol(let symbol): .known(symbol)
        }
    }

    private func name(_ key: NativeProperty.Key, prefix: String = "") -> Value {
        switch key {
        case .name(let name): value(prefix + name)
        case .symbol(let symbol): value("\(prefix)[\(symbol.description)]")
        }
    }

    /// Puts the rows of a table on an object.
    package func install(_ table: [NativeProperty], on object: ScriptObject) {
        for row in table {
            let key = key(row.key)
            switch row.content {
            case .accessor(let get, let set):
                let getter = NativeFunction(self, name: name(row.key, prefix: "get "), length: 0, get)
                let setter = set.map { NativeFunction(self, name: name(row.key, prefix: "set "), length: 1, $0) }
                let accessor = Accessor(getter: getter, setter: setter, self)
                object.put(key, .object(accessor), row.attributes.union(.accessor))
            case .thrower:
                let accessor = Accessor(getter: throwTypeError, setter: throwTypeError, self)
                object.put(key, .object(accessor), row.attributes.union(.accessor))
            case .alias(let other):
                let place = object.place(of: self.key(other))
                object.put(key, place.map { object.table.value(at: $0) } ?? .undefined, row.attributes)
            default: object.put(key, value(of: row), row.attributes)
            }
        }
    }

    func value(of row: NativeProperty) -> Value {
        switch row.content {
        case .method(let length, let body):
            .object(NativeFunction(self, name: name(row.key), length: length, body))
        case .number(let number): .number(number)
        case .text(let text): value(text)
        case .constructor(let intrinsic): .object(constructor(intrinsic))
        case .made(let make): make(self)
        case .accessor, .alias, .thrower: .undefined
        }
    }
}

/// How the properties of an object that is pending are made.
enum NativePreparation {
    case prototype(Intrinsic)
    case constructor(Intrinsic)
    case table([NativeProperty])
}
