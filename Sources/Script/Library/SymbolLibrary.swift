extension NativeClass {
    static let symbol = NativeClass(
        name: "Symbol", length: 0,
        statics: WellKnownSymbol.allCases.map { symbol in
            .fixed(String(symbol.description.dropFirst(7))) { _ in .symbol(.known(symbol)) }
        } + [
            .method("for", length: 1) { call throws(Thrown) in
                let name = try call.text(0)
                if let known = call.realm.registeredSymbols[name.units] { return .symbol(known) }
                let symbol = call.realm.symbol(description: name)
                call.realm.registeredSymbols[name.units] = symbol
                return .symbol(symbol)
            },
            .method("keyFor", length: 1) { call throws(Thrown) in
                guard case .symbol(let symbol) = call[0] else {
                    throw call.realm.typeError("\(call.realm.describe(call[0])) is not a symbol")
                }
                guard let name = call.realm.description(of: symbol), call.realm.registeredSymbols[name.units] == symbol
                else { return .undefined }
                return .text(name)
            },
        ],
        properties: [
            .method("toString", length: 0) { call throws(Thrown) in
                call.realm.value(call.realm.describe(.symbol(try thisSymbol(call, ".toString"))))
            },
            .method("valueOf", length: 0) { call throws(Thrown) in .symbol(try thisSymbol(call, ".valueOf")) },
            .getter("description") { call throws(Thrown) in
                call.realm.description(of: try thisSymbol(call, ".description")).map { .text($0) } ?? .undefined
            },
            .method(.toPrimitive, length: 1) { call throws(Thrown) in
                .symbol(try thisSymbol(call, " [ @@toPrimitive ]"))
            },
            .tag("Symbol"),
        ]
    ) { call throws(Thrown) in
        if call.newTarget != nil { throw call.realm.typeError("Symbol is not a constructor") }
        return .symbol(call.realm.symbol(description: call[0].isUndefined ? nil : try call.text(0)))
    }

    private static func thisSymbol(_ call: NativeCall, _ method: String) throws(Thrown) -> Symbol {
        if case .symbol(let symbol) = call.this { return symbol }
        if case .object(let object) = call.this, case .symbol(let symbol) = (object as? PrimitiveObject)?.value {
            return symbol
        }
        throw call.realm.typeError("Symbol.prototype\(method) requires that 'this' be a Symbol")
    }
}
