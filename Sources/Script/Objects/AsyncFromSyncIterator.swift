/// A plain iterator where an asynchronous one is asked for.
final class AsyncFromSyncIterator: ScriptObject {
    private(set) var iterator: ScriptIterator?

    init(_ realm: Realm, _ iterator: ScriptIterator) {
        self.iterator = iterator
        super.init(realm, prototype: realm.prototype(.asyncFromSyncIterator))
    }

    override func clear() {
        super.clear()
        iterator = nil
    }

    enum Step {
        case next, `throw`, `return`
    }

    /// Passes a step on and gives a promise of its result.
    static func step(_ call: NativeCall, _ step: Step) throws(Thrown) -> Value {
        let realm = call.realm
        let promise = realm.promise()
        guard case .object(let object) = call.this, let iterator = (object as? AsyncFromSyncIterator)?.iterator else {
            throw realm.typeError("not an iterator")
        }
        do throws(Thrown) {
            let this = Value.object(iterator.object)
            let arguments = call.count > 0 ? [call[0]] : []
            let result: Value
            switch step {
            case .next: result = try realm.call(iterator.next, this: this, arguments)
            case .return:
                guard let method = try iterator.object.method(.known(.return)) else {
                    promise.resolve(realm.iteratorResult(call[0], done: true))
                    return .object(promise)
                }
                result = try realm.call(method, this: this, arguments)
            case .throw:
                guard let method = try iterator.object.method(.known(.throw)) else {
                    try iterator.close(realm)
                    throw realm.typeError("The iterator does not provide a 'throw' method")
                }
                result = try realm.call(method, this: this, arguments)
            }
            guard case .object(let answer) = result else {
                throw realm.typeError("Iterator result \(realm.describe(result)) is not an object")
            }
            let isDone = try realm.toBoolean(try answer.get(.done))
            let value = try answer.get(.value)
            let wrapped: ScriptObject
            do throws(Thrown) {
                wrapped = try realm.promiseResolve(realm.constructor(.promise), value)
            } catch {
                if !isDone, step != .return { throw iterator.close(after: error, realm) }
                throw error
            }
            let closes = !isDone && step != .return
            (wrapped as? PromiseObject)?.react(
                .native { (realm, state) throws(Thrown) in
                    switch state {
                    case .fulfilled(let value): promise.resolve(realm.iteratorResult(value, done: isDone))
                    case .rejected(let reason):
                        if closes {
                            if case .value(let error) = iterator.close(after: .value(reason), realm) {
                                promise.reject(error)
                            }
                        } else {
                            promise.reject(reason)
                        }
                    case .pending: break
                    }
                })
        } catch {
            guard case .value(let reason) = error else { throw error }
            promise.reject(reason)
        }
        return .object(promise)
    }
}
