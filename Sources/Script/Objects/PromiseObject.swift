/// A promise.
package final class PromiseObject: ScriptObject {
    package enum State {
        case pending
        case fulfilled(Value)
        case rejected(Value)
    }

    /// What is done when it is settled.
    enum Reaction {
        /// `then`: the handlers, and what the promise that `then` gave is settled by.
        case handlers(fulfilled: ScriptObject?, rejected: ScriptObject?, PromiseCapability?)
        /// A frame waits.
        case frame(Frame)
        /// A module is evaluated, and the promise of `import()` gets its namespace.
        case namespace(ModuleRecord, PromiseObject)
        /// Something of ours.
        case native((Realm, State) throws(Thrown) -> Void)
    }

    package private(set) var settlement = State.pending
    private var reactions: [Reaction] = []
    /// True if somebody has asked for its rejection.
    var isHandled = false

    init(_ realm: Realm, prototype: ScriptObject) {
        super.init(realm, prototype: prototype)
    }

    deinit {
        if self.state.contains(.isDead) { return }
        var held: ContiguousArray<Value> = []
        switch settlement {
        case .pending: break
        case .fulfilled(let value), .rejected(let value): held.append(value)
        }
        settlement = .pending
        realm.heap.release(&held)
    }

    override func clear() {
        super.clear()
        settlement = .pending
        reactions = []
    }

    package override var className: String { "Promise" }

    func fulfill(_ value: Value) { settle(.fulfilled(value)) }

    func reject(_ reason: Value) { settle(.rejected(reason)) }

    private func settle(_ new: State) {
        guard case .pending = settlement else { return }
        settlement = new
        let all = reactions
        reactions = []
        for reaction in all { realm.enqueue(.reaction(reaction, new)) }
    }

    /// What the resolve function of a promise does.
    func resolve(_ value: Value) {
        guard case .object(let object) = value else { return fulfill(value) }
        if object === self {
            guard case .value(let error) = realm.typeError("Chaining cycle detected for promise #<Promise>") else {
                return
            }
            return reject(error)
        }
        // What awaits it goes on with it: whether it is a promise is not known.
        if object.isOpaque { return fulfill(value) }
        do throws(Thrown) {
            let then = try object.get(.then)
            guard case .object(let function) = then, function.isCallable else { return fulfill(value) }
            realm.enqueue(.thenable(self, object, function))
        } catch {
            // An end is met again by the next step of the program.
            if case .value(let reason) = error { reject(reason) }
        }
    }

    func react(_ reaction: Reaction) {
        isHandled = true
        switch settlement {
        case .pending: reactions.append(reaction)
        default: realm.enqueue(.reaction(reaction, settlement))
        }
    }
}

/// A promise of any class, with the functions that settle it.
package struct PromiseCapability {
    package let promise: ScriptObject
    let resolveFunction: ScriptObject?
    let rejectFunction: ScriptObject?

    package func resolve(_ value: Value) throws(Thrown) {
        if let resolveFunction {
            _ = try promise.realm.call(resolveFunction, this: .undefined, [value])
        } else {
            (promise as? PromiseObject)?.resolve(value)
        }
    }

    package func reject(_ reason: Value) throws(Thrown) {
        if let rejectFunction {
            _ = try promise.realm.call(rejectFunction, this: .undefined, [reason])
        } else {
            (promise as? PromiseObject)?.reject(reason)
        }
    }
}

/// What is done when the program has come to an end of what it does now.
enum PromiseJob {
    case reaction(PromiseObject.Reaction, PromiseObject.State)
    case thenable(PromiseObject, ScriptObject, ScriptObject)
}

extension Realm {
    package func promise() -> PromiseObject {
        PromiseObject(self, prototype: prototype(.promise))
    }

    /// CreateResolvingFunctions
    func resolvingFunctions(_ promise: PromiseObject) -> (resolve: NativeFunction, reject: NativeFunction) {
        // Both know whether one of them was called: it stands in an object that both hold.
        let done = ScriptObject(self, prototype: nil)
        let resolve = function("", length: 1, held: [.object(promise), .object(done)]) { call throws(Thrown) in
            guard case .object(let object) = call.held(0), let promise = object as? PromiseObject,
                case .object(let done) = call.held(1), done.place(of: .known(.done)) == nil
            else { return .undefined }
            done.put(.done, .true)
            promise.resolve(call[0])
            return .undefined
        }
        let reject = function("", length: 1, held: [.object(promise), .object(done)]) { call throws(Thrown) in
            guard case .object(let object) = call.held(0), let promise = object as? PromiseObject,
                case .object(let done) = call.held(1), done.place(of: .known(.done)) == nil
            else { return .undefined }
            done.put(.done, .true)
            promise.reject(call[0])
            return .undefined
        }
        return (resolve, reject)
    }

    /// NewPromiseCapability
    package func capability(_ constructor: Value) throws(Thrown) -> PromiseCapability {
        guard case .object(let function) = constructor, function.isConstructor else {
            throw typeError("\(describe(constructor)) is not a constructor")
        }
        if function === self.constructor(.promise) {
            return PromiseCapability(promise: promise(), resolveFunction: nil, rejectFunction: nil)
        }
        let executor = self.function("", length: 2, held: [.undefined, .undefined]) { call throws(Thrown) in
            if !call.held(0).isUndefined || !call.held(1).isUndefined {
                throw call.realm.typeError("Promise executor has already been invoked with non-undefined arguments")
            }
            call.function.hold(call[0], at: 0)
            call.function.hold(call[1], at: 1)
            return .undefined
        }
        let promise = try construct(function, [.object(executor)])
        guard case .object(let resolve) = executor.held[0], resolve.isCallable,
            case .object(let reject) = executor.held[1], reject.isCallable
        else { throw typeError("Promise resolve or reject function is not callable") }
        return PromiseCapability(promise: promise, resolveFunction: resolve, rejectFunction: reject)
    }

    /// The resolve and reject functions of a capability, as values.
    func functions(_ capability: PromiseCapability) -> (resolve: Value, reject: Value) {
        if let resolve = capability.resolveFunction, let reject = capability.rejectFunction {
            return (.object(resolve), .object(reject))
        }
        guard let promise = capability.promise as? PromiseObject else { return (.undefined, .undefined) }
        let functions = resolvingFunctions(promise)
        return (.object(functions.resolve), .object(functions.reject))
    }

    /// PromiseResolve
    package func promiseResolve(_ constructor: ScriptObject, _ value: Value) throws(Thrown) -> ScriptObject {
        if case .object(let object) = value, object is PromiseObject,
            try object.get(.constructor).isSame(as: .object(constructor))
        {
            return object
        }
        let capability = try capability(.object(constructor))
        try capability.resolve(value)
        return capability.promise
    }

    /// PerformPromiseThen
    func then(_ promise: PromiseObject, _ fulfilled: Value, _ rejected: Value, _ capability: PromiseCapability?) {
        let onFulfilled = fulfilled.isCallable ? fulfilled.object : nil
        let onRejected = rejected.isCallable ? rejected.object : nil
        promise.react(.handlers(fulfilled: onFulfilled, rejected: onRejected, capability))
    }

    /// Lets a frame wait for a value.
    func wait(_ value: Value, _ frame: Frame) throws(Thrown) {
        let promise = try promiseResolve(constructor(.promise), value)
        (promise as? PromiseObject)?.react(.frame(frame))
    }

    func run(_ job: PromiseJob) throws(Thrown) {
        switch job {
        case .thenable(let promise, let object, let then):
            let (resolve, reject) = resolvingFunctions(promise)
            do throws(Thrown) {
                _ = try call(then, this: .object(object), [.object(resolve), .object(reject)])
            } catch {
                guard case .value(let reason) = error else { throw error }
                _ = try call(reject, this: .undefined, [reason])
            }
        case .reaction(.frame(let frame), let state):
            switch state {
            case .fulfilled(let value): try goOn(frame, .next(value))
            case .rejected(let reason): try goOn(frame, .throw(reason))
            case .pending: break
            }
        case .reaction(.native(let body), let state): try body(self, state)
        case .reaction(.namespace(let record, let promise), let state):
            switch state {
            case .fulfilled:
                let namespace = try namespace(record)
                promise.fulfill(.object(namespace))
            case .rejected(let reason): promise.reject(reason)
            case .pending: break
            }
        case .reaction(.handlers(let fulfilled, let rejected, let capability), let state):
            let handler: ScriptObject?
            let argument: Value
            var isRejection = false
            switch state {
            case .fulfilled(let value):
                handler = fulfilled
                argument = value
            case .rejected(let reason):
                handler = rejected
                argument = reason
                isRejection = true
            case .pending: return
            }
            guard let handler else {
                if isRejection { try capability?.reject(argument) } else { try capability?.resolve(argument) }
                return
            }
            do throws(Thrown) {
                let result = try call(handler, this: .undefined, [argument])
                try capability?.resolve(result)
            } catch {
                guard case .value(let reason) = error else { throw error }
                try capability?.reject(reason)
            }
        }
    }

    /// A frame that waited goes on.
    private func goOn(_ frame: Frame, _ resumption: Resumption) throws(Thrown) {
        guard let coroutine = frame.coroutine else { return }
        if let generator = coroutine.object as? AsyncGeneratorObject {
            try generator.goOn(resumption)
        } else {
            _ = try resume(frame, resumption)
        }
    }

    /// What a function's `return` means for the call that could stop.
    func end(_ coroutine: Coroutine, _ frame: Frame, _ value: Value) throws(Thrown) -> Value {
        coroutine.outcome = .completed
        guard let promise = coroutine.promise else { return value }
        promise.resolve(value)
        return coroutine.isDetached ? .undefined : .object(promise)
    }
}
