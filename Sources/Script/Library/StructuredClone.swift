/// `structuredClone`: a copy of a value with all that it holds, circles too. What an object holds is copied before what stands
/// beside it, so that getters and errors come in the order of the text; nesting costs no stack.
struct StructuredClone {
    private enum Part {
        case property(PropertyKey)
        case entry(key: Value, value: Value)
        case cause
    }

    private struct Filling {
        let source: ScriptObject
        let copy: ScriptObject
        let parts: [Part]
        var next = 0
    }

    private let realm: Realm
    private var copies: [ObjectIdentifier: ScriptObject] = [:]
    /// The innermost object that is being filled comes last.
    private var fillings: [Filling] = []

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
        while var filling = clone.fillings.popLast() {
            try realm.spend()
            guard filling.next < filling.parts.count else { continue }
            let part = filling.parts[filling.next]
            filling.next += 1
            clone.fillings.append(filling)
            try clone.fill(filling.copy, from: filling.source, part)
        }
        return value
    }

    private mutating func copy(of value: Value) throws(Thrown) -> Value {
        switch value {
        case .object(let object):
            if let known = copies[ObjectIdentifier(object)] { return .object(known) }
            let copy = try emptyCopy(of: object)
            copies[ObjectIdentifier(object)] = copy
            fillings.append(Filling(source: object, copy: copy, parts: try parts(of: object)))
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

    private func parts(of source: ScriptObject) throws(Thrown) -> [Part] {
        var parts: [Part] = []
        if let source = source as? CollectionObject {
            var cursor = ValueTable.Cursor()
            while let entry = source.next(&cursor) {
                try realm.spend()
                parts.append(.entry(key: entry.key, value: entry.value))
            }
        } else if source is ErrorObject {
            parts.append(.cause)
        } else if source is ScriptArray || source.className == "Object" {
            for key in try source.ownKeys() where !key.isSymbol {
                try realm.spend()
                parts.append(.property(key))
            }
        }
        return parts
    }

    private mutating func fill(_ copy: ScriptObject, from source: ScriptObject, _ part: Part) throws(Thrown) {
        switch part {
        case .property(let key):
            guard try source.ownProperty(key)?.isEnumerable == true else { return }
            try copy.create(key, try self.copy(of: try source.get(key)))
        case .entry(let key, let value):
            let before = fillings.count
            let key = try self.copy(of: key)
            let value = try self.copy(of: value)
            if fillings.count == before + 2 { fillings.swapAt(before, before + 1) }
            try (copy as? CollectionObject)?.set(key, value)
        case .cause:
            guard let cause = try source.ownProperty(realm.key("cause"))?.value else { return }
            copy.put(realm.key("cause"), try self.copy(of: cause), .hidden)
        }
    }
}
