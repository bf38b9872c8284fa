/// `structuredClone`: a copy of a value with all that it holds, circles too. Objects are made first and filled one after the
/// other, so that nesting costs no stack.
struct StructuredClone {
    private let realm: Realm
    private var copies: [ObjectIdentifier: ScriptObject] = [:]
    private var pending: [(source: ScriptObject, copy: ScriptObject)] = []

    private init(_ realm: Realm) {
        self.realm = realm
    }

    static func call(_ call: NativeCall) throws(Thrown) -> Value {
        let realm = call.realm
        if call.count == 0 {
            throw realm.typeError("The \"value\" argument must be specified")
        }
        if !call[1].isNullish, case .object(let transfer) = try realm.get(call[1], realm.key("transfer")),
            try realm.length(of: transfer) > 0
        {
            throw .ended(
                .unsupported(message: "structuredClone transfers nothing", hint: "Leave the list transfer out."))
        }
        var clone = StructuredClone(realm)
        let value = try clone.copy(of: call[0])
        while let (source, copy) = clone.pending.popLast() {
            try realm.spend()
            try clone.fill(copy, from: source)
        }
        return value
    }

    private mutating func copy(of value: Value) throws(Thrown) -> Value {
        switch value {
        case .object(let object):
            if let known = copies[ObjectIdentifier(object)] { return .object(known) }
            let copy = try emptyCopy(of: object)
            copies[ObjectIdentifier(object)] = copy
            pending.append((object, copy))
            return .object(copy)
        case .symbol: throw refusal(value)
        default: return value
        }
    }

    private func refusal(_ value: Value) -> Thrown {
        let error = ErrorObject(
            realm, realm.text("\(realm.describe(value)) could not be cloned."), prototype: realm.prototype(.error))
        error.put(.known(.name), realm.value("DataCloneError"), .hidden)
        return .value(.object(error))
    }

    /// An object of the same kind, without what it holds.
    private func emptyCopy(of object: ScriptObject) throws(Thrown) -> ScriptObject {
        if object.isOpaque { throw realm.opaqueUse(object, "by structuredClone") }
        if object.isCallable { throw refusal(.object(object)) }
        switch object {
        case let list as ScriptArray:
            let copy = realm.array()
            _ = try copy.setLength(list.length)
            return copy
        case let primitive as PrimitiveObject:
            if case .symbol = primitive.value { throw refusal(.object(object)) }
            return try realm.toObject(primitive.value)
        case let text as TextObject: return try realm.toObject(.text(text.text))
        case let collection as CollectionObject: return CollectionObject(realm, collection.kind)
        case is ErrorObject: return try emptyError(like: object)
        default: break
        }
        switch object.className {
        case "Date":
            let time = try realm.call(try realm.prototype(.date).get("getTime"), this: .object(object), [])
            return try realm.construct(realm.constructor(.date), [time])
        case "RegExp":
            let prototype = realm.prototype(.regExp)
            let source = try prototype.get(realm.key("source"), receiver: .object(object))
            let flags = try prototype.get(realm.key("flags"), receiver: .object(object))
            return try realm.construct(realm.constructor(.regExp), [source, flags])
        case "Object" where type(of: object) == ScriptObject.self: return realm.object()
        default: throw refusal(.object(object))
        }
    }

    private static let errors: [(name: String, intrinsic: Intrinsic)] = [
        ("EvalError", .evalError), ("RangeError", .rangeError), ("ReferenceError", .referenceError),
        ("SyntaxError", .syntaxError), ("TypeError", .typeError), ("URIError", .uriError),
    ]

    private func emptyError(like object: ScriptObject) throws(Thrown) -> ScriptObject {
        let name = try realm.toText(try object.get(.name)).string
        let intrinsic = Self.errors.first { $0.name == name }?.intrinsic ?? .error
        var message: Text?
        if let own = try object.ownProperty(.known(.message)), let value = own.value {
            message = try realm.toText(value)
        }
        let copy = ErrorObject(realm, message, prototype: realm.prototype(intrinsic))
        let stack = try object.get("stack")
        if case .text = stack {
            _ = try copy.get("stack")
            copy.put(realm.key("stack"), stack, .hidden)
        }
        return copy
    }

    private mutating func fill(_ copy: ScriptObject, from source: ScriptObject) throws(Thrown) {
        if let source = source as? CollectionObject, let copy = copy as? CollectionObject {
            var cursor = ValueTable.Cursor()
            while let entry = source.next(&cursor) {
                try copy.set(try self.copy(of: entry.key), try self.copy(of: entry.value))
            }
            return
        }
        if source is ErrorObject {
            if let cause = try source.ownProperty(realm.key("cause"))?.value {
                copy.put(realm.key("cause"), try self.copy(of: cause), .hidden)
            }
            return
        }
        guard source is ScriptArray || source.className == "Object" else { return }
        for key in try source.ownKeys() where !key.isSymbol {
            try realm.spend()
            guard try source.ownProperty(key)?.isEnumerable == true else { continue }
            try copy.create(key, try self.copy(of: try source.get(key)))
        }
    }
}
