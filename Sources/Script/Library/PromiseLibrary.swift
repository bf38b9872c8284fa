extension NativeClass {
    static let promise = NativeClass(
        name: "Promise", length: 1, statics: PromiseLibrary.statics, properties: PromiseLibrary.properties
    ) { call throws(Thrown) in
        let realm = call.realm
        guard let newTarget = call.newTarget else {
            throw realm.typeError("Promise constructor cannot be invoked without 'new'")
        }
        guard case .object(let executor) = call[0], executor.isCallable else {
            throw realm.typeError("Promise resolver \(realm.describe(call[0])) is not a function")
        }
        let promise = PromiseObject(realm, prototype: try realm.prototype(from: newTarget, .promise))
        let (resolve, reject) = realm.resolvingFunctions(promise)
        do throws(Thrown) {
            _ = try call.call(executor, .object(resolve), .object(reject))
        } catch {
            guard case .value(let reason) = error else { throw error }
            _ = try call.call(reject, reason)
        }
        return .object(promise)
    }
}

/// `Promise`
enum PromiseLibrary {
    static let statics: [NativeProperty] = [
        .method("all", length: 1) { call throws(Thrown) in try combine(call, .all) },
        .method("allSettled", length: 1) { call throws(Thrown) in try combine(call, .allSettled) },
        .method("any", length: 1) { call throws(Thrown) in try combine(call, .any) },
        .method("race", length: 1) { call throws(Thrown) in try combine(call, .race) },
        .method("reject", length: 1) { call throws(Thrown) in
            let capability = try call.realm.capability(call.this)
            try capability.reject(call[0])
            return .object(capability.promise)
        },
        .method("resolve", length: 1) { call throws(Thrown) in
            guard case .object(let constructor) = call.this else {
                throw call.realm.typeError("PromiseResolve called on non-object")
            }
            return .object(try call.realm.promiseResolve(constructor, call[0]))
        },
        .method("withResolvers", length: 0) { call throws(Thrown) in
            let capability = try call.realm.capability(call.this)
            let functions = call.realm.functions(capability)
            let result = call.realm.object()
            result.put("promise", .object(capability.promise))
            result.put("resolve", functions.resolve)
            result.put("reject", functions.reject)
            return .object(result)
        },
        .species,
    ]

    static let properties: [NativeProperty] = [
        .method("catch", length: 1) { call throws(Thrown) in
            try call.realm.invoke(call.this, .known(.then), [.undefined, call[0]])
        },
        .method("finally", length: 1) { call throws(Thrown) in try finally(call) },
        .method("then", length: 2) { call throws(Thrown) in
            let promise = try call.this(as: PromiseObject.self, "Promise.prototype.then")
            let constructor = try call.realm.speciesConstructor(promise, .promise)
            let capability = try call.realm.capability(.object(constructor))
            call.realm.then(promise, call[0], call[1], capability)
            return .object(capability.promise)
        },
        .tag("Promise"),
    ]

    private static func finally(_ call: NativeCall) throws(Thrown) -> Value {
        let realm = call.realm
        guard case .object(let promise) = call.this else {
            throw realm.typeError("Promise.prototype.finally called on non-object")
        }
        let constructor = Value.object(try realm.speciesConstructor(promise, .promise))
        guard call[0].isCallable else {
            return try realm.invoke(call.this, .known(.then), [call[0], call[0]])
        }
        let then = realm.function("", length: 1, held: [call[0], constructor]) { call throws(Thrown) in
            let realm = call.realm
            let result = try realm.call(call.held(0), this: .undefined, [])
            guard case .object(let constructor) = call.held(1) else { return .undefined }
            let promise = try realm.promiseResolve(constructor, result)
            let give = realm.function("", length: 0, held: [call[0]]) { call in call.held(0) }
            return try realm.invoke(.object(promise), .known(.then), [.object(give)])
        }
        let fail = realm.function("", length: 1, held: [call[0], constructor]) { call throws(Thrown) in
            let realm = call.realm
            let result = try realm.call(call.held(0), this: .undefined, [])
            guard case .object(let constructor) = call.held(1) else { return .undefined }
            let promise = try realm.promiseResolve(constructor, result)
            let thrower = realm.function("", length: 0, held: [call[0]]) { call throws(Thrown) in
                throw .value(call.held(0))
            }
            return try realm.invoke(.object(promise), .known(.then), [.object(thrower)])
        }
        return try realm.invoke(call.this, .known(.then), [.object(then), .object(fail)])
    }

    private enum Combination {
        case all, allSettled, any, race
    }

    /// What the functions of one combination share: the results, and how many are still to come.
    private final class Shared: ScriptObject {
        var values: ContiguousArray<Value> = []
        var remaining = 1
        let capability: PromiseCapability
        let combination: Combination

        init(_ realm: Realm, _ capability: PromiseCapability, _ combination: Combination) {
            self.capability = capability
            self.combination = combination
            super.init(realm, prototype: nil)
        }

        override func clear() {
            super.clear()
            values = []
        }

        /// One result less to wait for; the last one settles the promise.
        func count() throws(Thrown) {
            remaining -= 1
            guard remaining == 0 else { return }
            let list = Value.object(realm.array(values))
            guard combination == .any else { return try capability.resolve(list) }
            let error = ErrorObject(
                realm, realm.text("All promises were rejected"), prototype: realm.prototype(.aggregateError))
            error.put(realm.key("errors"), list, .hidden)
            try capability.reject(.object(error))
        }
    }

    private static func combine(_ call: NativeCall, _ combination: Combination) throws(Thrown) -> Value {
        let realm = call.realm
        let capability = try realm.capability(call.this)
        do throws(Thrown) {
            let resolve = try realm.get(call.this, realm.key("resolve"))
            guard case .object(let resolve) = resolve, resolve.isCallable else {
                throw realm.typeError("Promise resolve or reject function is not callable")
            }
            let shared = Shared(realm, capability, combination)
            let functions = realm.functions(capability)
            var index = 0
            try realm.iterate(call[0]) { (value) throws(Thrown) in
                let promise = try realm.call(resolve, this: call.this, [value])
                if combination == .race {
                    _ = try realm.invoke(promise, .known(.then), [functions.resolve, functions.reject])
                    return
                }
                shared.values.append(.undefined)
                shared.remaining += 1
                let element = element(realm, shared, index, combination)
                let handlers: [Value] =
                    switch combination {
                    case .all: [element, functions.reject]
                    case .any: [functions.resolve, element]
                    default:
                        [element, self.element(realm, shared, index, combination, isRejection: true, sharing: element)]
                    }
                index += 1
                _ = try realm.invoke(promise, .known(.then), handlers)
            }
            if combination != .race { try shared.count() }
        } catch {
            guard case .value(let reason) = error else { throw error }
            try capability.reject(reason)
        }
        return .object(capability.promise)
    }

    /// The function that takes one result. The two of `allSettled` are called once together: the second asks the first.
    private static func element(
        _ realm: Realm, _ shared: Shared, _ index: Int, _ combination: Combination, isRejection: Bool = false,
        sharing other: Value = .undefined
    ) -> Value {
        .object(
            realm.function(
                "", length: 1, held: [.object(shared), .number(Double(index)), .boolean(isRejection), other, .false]
            ) { call throws(Thrown) in
                guard case .object(let object) = call.held(0), let shared = object as? Shared,
                    case .number(let index) = call.held(1), case .boolean(let isRejection) = call.held(2)
                else { return .undefined }
                let first = (call.held(3).object as? NativeFunction) ?? call.function
                guard case .boolean(false) = first.held[4] else { return .undefined }
                first.hold(.true, at: 4)
                var value = call[0]
                if shared.combination == .allSettled {
                    let result = call.realm.object()
                    result.put("status", call.realm.value(isRejection ? "rejected" : "fulfilled"))
                    if isRejection { result.put("reason", value) } else { result.put(.value, value) }
                    value = .object(result)
                }
                shared.values[Int(index)] = value
                try shared.count()
                return .undefined
            })
    }
}
