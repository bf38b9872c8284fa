/// An object `URLSearchParams`, of its own or of a `URL`.
final class ParametersObject: ScriptObject {
    var pairs: [FormCoding.Pair] = []
    /// The `URL` whose query it is. That one holds it.
    weak var owner: AddressObject?

    override var className: String { "URLSearchParams" }

    func changed() {
        guard let owner else { return }
        owner.record.query = pairs.isEmpty ? nil : FormCoding.write(pairs)
    }
}

/// What goes through the parameters.
final class ParametersIterator: ScriptObject {
    enum Kind {
        case keys, values, entries
    }

    private var target: ParametersObject?
    private let kind: Kind
    private var index = 0

    init(_ target: ParametersObject, _ kind: Kind) {
        self.target = target
        self.kind = kind
        super.init(target.realm, prototype: target.realm.prototype(.urlSearchParamsIterator))
    }

    override func clear() {
        super.clear()
        target = nil
    }

    func next() -> Value {
        guard let target, index < target.pairs.count else {
            target = nil
            return realm.iteratorResult(.undefined, done: true)
        }
        let pair = target.pairs[index]
        index += 1
        switch kind {
        case .keys: return realm.iteratorResult(realm.value(pair.name), done: false)
        case .values: return realm.iteratorResult(realm.value(pair.value), done: false)
        case .entries:
            let entry = realm.array([realm.value(pair.name), realm.value(pair.value)])
            return realm.iteratorResult(.object(entry), done: false)
        }
    }
}

extension NativeClass {
    static let urlSearchParams = NativeClass(
        name: "URLSearchParams", length: 0, properties: URLSearchParamsLibrary.properties
    ) { call throws(Thrown) in
        let newTarget = try call.requireNew("URLSearchParams")
        let object = ParametersObject(
            call.realm, prototype: try call.realm.prototype(from: newTarget, .urlSearchParams))
        object.pairs = try URLSearchParamsLibrary.pairs(call)
        return .object(object)
    }

    static let urlSearchParamsIterator = NativeClass(
        name: "URLSearchParams Iterator", prototypeParent: .iterator, hasConstructor: false,
        properties: [
            .method("next", length: 0) { call throws(Thrown) in
                try call.this(as: ParametersIterator.self, "URLSearchParams Iterator.prototype.next").next()
            },
            .tag("URLSearchParams Iterator"),
        ])
}

/// `URLSearchParams`
enum URLSearchParamsLibrary {
    /// A text, a list of pairs, or an object of names and values.
    fileprivate static func pairs(_ call: NativeCall) throws(Thrown) -> [FormCoding.Pair] {
        let realm = call.realm
        if call[0].isNullish { return [] }
        guard case .object(let object) = call[0] else {
            let text = try call.text(0).units
            return FormCoding.read(text.first == 0x3F ? Array(text.dropFirst()) : text)
        }
        var pairs: [FormCoding.Pair] = []
        guard try object.method(.known(.iterator)) != nil else {
            for key in try object.ownKeys() where !key.isSymbol {
                guard try object.ownProperty(key)?.isEnumerable == true else { continue }
                let name = try realm.toText(realm.value(of: key)).units
                pairs.append((name, try realm.toText(try object.get(key)).units))
            }
            return pairs
        }
        try realm.iterate(call[0]) { (pair) throws(Thrown) in
            let parts = pair.isObject ? try realm.list(from: pair) : []
            guard parts.count == 2 else {
                throw realm.typeError("Each query pair must be an iterable [name, value] tuple")
            }
            pairs.append((try realm.toText(parts[0]).units, try realm.toText(parts[1]).units))
        }
        return pairs
    }

    private static func object(_ call: NativeCall) throws(Thrown) -> ParametersObject {
        try call.this(as: ParametersObject.self, "URLSearchParams.prototype")
    }

    private static func require(_ count: Int, _ call: NativeCall) throws(Thrown) {
        if call.count >= count { return }
        throw call.realm.typeError(
            count == 1
                ? "The \"name\" argument must be specified" : "The \"name\" and \"value\" arguments must be specified")
    }

    static let properties: [NativeProperty] = [
        .method("append", length: 2) { call throws(Thrown) in
            let object = try object(call)
            try require(2, call)
            object.pairs.append((try call.text(0).units, try call.text(1).units))
            object.charge(64)
            object.changed()
            return .undefined
        },
        .method("delete", length: 1) { call throws(Thrown) in
            let object = try object(call)
            try require(1, call)
            let name = try call.text(0).units
            let value = call[1].isUndefined ? nil : try call.text(1).units
            object.pairs.removeAll { $0.name == name && (value == nil || $0.value == value) }
            object.changed()
            return .undefined
        },
        .method("get", length: 1) { call throws(Thrown) in
            let object = try object(call)
            try require(1, call)
            let name = try call.text(0).units
            return object.pairs.first { $0.name == name }.map { call.realm.value($0.value) } ?? .null
        },
        .method("getAll", length: 1) { call throws(Thrown) in
            let object = try object(call)
            try require(1, call)
            let name = try call.text(0).units
            return .object(call.realm.array(object.pairs.filter { $0.name == name }.map { call.realm.value($0.value) }))
        },
        .method("has", length: 1) { call throws(Thrown) in
            let object = try object(call)
            try require(1, call)
            let name = try call.text(0).units
            let value = call[1].isUndefined ? nil : try call.text(1).units
            return .boolean(object.pairs.contains { $0.name == name && (value == nil || $0.value == value) })
        },
        .method("set", length: 2) { call throws(Thrown) in
            let object = try object(call)
            try require(2, call)
            let name = try call.text(0).units
            let value = try call.text(1).units
            if let first = object.pairs.firstIndex(where: { $0.name == name }) {
                object.pairs[first].value = value
                var index = 0
                object.pairs.removeAll { pair in
                    defer { index += 1 }
                    return index > first && pair.name == name
                }
            } else {
                object.pairs.append((name, value))
                object.charge(64)
            }
            object.changed()
            return .undefined
        },
        .method("sort", length: 0) { call throws(Thrown) in
            let object = try object(call)
            let sorted = object.pairs.enumerated().sorted { left, right in
                left.element.name == right.element.name
                    ? left.offset < right.offset : left.element.name.lexicographicallyPrecedes(right.element.name)
            }
            object.pairs = sorted.map(\.element)
            object.changed()
            return .undefined
        },
        .method("forEach", length: 1) { call throws(Thrown) in
            let object = try object(call)
            let callback = try call.function(0)
            var index = 0
            while index < object.pairs.count {
                let pair = object.pairs[index]
                index += 1
                try call.realm.spend()
                _ = try call.realm.call(
                    callback, this: call[1], [call.realm.value(pair.value), call.realm.value(pair.name), call.this])
            }
            return .undefined
        },
        .method("entries", length: 0) { call throws(Thrown) in
            .object(ParametersIterator(try object(call), .entries))
        },
        .method("keys", length: 0) { call throws(Thrown) in .object(ParametersIterator(try object(call), .keys)) },
        .method("values", length: 0) { call throws(Thrown) in .object(ParametersIterator(try object(call), .values)) },
        .method("toString", length: 0) { call throws(Thrown) in
            call.realm.value(FormCoding.write(try object(call).pairs))
        },
        .getter("size") { call throws(Thrown) in .number(Double(try object(call).pairs.count)) },
        .alias(.iterator, of: "entries"),
        .tag("URLSearchParams"),
    ]
}
