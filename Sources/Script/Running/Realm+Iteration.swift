/// An iterator and its `next`, taken once.
package struct ScriptIterator {
    package let object: ScriptObject
    let next: Value
    /// A list whose own iteration nobody changed is read directly.
    private var list: ScriptArray?
    var isList: Bool { list != nil }
    /// True if `next` can be called at all.
    var canStep: Bool {
        if list != nil { return true }
        guard case .object(let function) = next else { return false }
        return function.isCallable
    }
    private var index = 0

    init(_ object: ScriptObject, next: Value) {
        self.object = object
        self.next = next
    }

    init(_ list: ScriptArray) {
        object = list
        next = .undefined
        self.list = list
    }

    /// IteratorStepValue: nothing where it is done.
    package mutating func step(_ realm: Realm) throws(Thrown) -> Value? {
        if let list {
            guard index < Int(list.length) else { return nil }
            index += 1
            if let element = list.element(at: index - 1) { return element }
            return try list.get(index: Double(index - 1))
        }
        let result = try realm.call(next, this: .object(object), [])
        guard case .object(let answer) = result else {
            throw realm.typeError("Iterator result \(realm.describe(result)) is not an object")
        }
        if try realm.toBoolean(try answer.get(.done)) { return nil }
        return try answer.get(.value)
    }

    /// IteratorClose after the loop was left in peace: errors count.
    package func close(_ realm: Realm) throws(Thrown) {
        if list != nil { return }
        guard let method = try object.method(.known(.return)) else { return }
        let result = try realm.call(method, this: .object(object), [])
        guard case .object = result else {
            throw realm.typeError("Iterator result \(realm.describe(result)) is not an object")
        }
    }

    /// IteratorClose after an error, which is given back: what `return` throws does not count.
    package func close(after error: Thrown, _ realm: Realm) -> Thrown {
        guard list == nil, case .value = error else { return error }
        do throws(Thrown) {
            if let method = try object.method(.known(.return)) {
                _ = try realm.call(method, this: .object(object), [])
            }
        } catch {
            if case .ended = error { return error }
        }
        return error
    }
}

extension Realm {
    /// GetIterator
    package func iterator(of value: Value) throws(Thrown) -> ScriptIterator {
        try iterator(of: value) { notIterable(value) }
    }

    private func iterator(of value: Value, otherwise: () -> Thrown) throws(Thrown) -> ScriptIterator {
        if case .object(let object) = value, object.isOpaque {
            guard let list = object as? OpaqueObject, host.passesOver(list, in: self) else {
                throw opaqueUse(object, "as a list")
            }
            return ScriptIterator(array())
        }
        if value.isNullish { throw otherwise() }
        let method = try get(value, .known(.iterator))
        guard case .object(let function) = method, function.isCallable else { throw otherwise() }
        if case .object(let object) = value, let array = object as? ScriptArray,
            case .object(let values) = arrayValues, values === function, isArrayIterationPlain
        {
            return ScriptIterator(array)
        }
        return try iterator(calling: function, on: value)
    }

    func notIterable(_ value: Value) -> Thrown {
        typeError("\(callSite(value)) is not iterable (cannot read property Symbol(Symbol.iterator))")
    }

    func notIterable(_ value: Value, _ callee: Int32, _ code: Code, _ unit: Unit) -> Thrown {
        guard let callee = code.callee(callee) else { return notIterable(value) }
        guard case .spread = callee.use else { return typeError(CalleeText.notIterable(callee, unit.program)) }
        if value.isNullish {
            let text = CalleeText.render(callee, unit.program)
            return typeError("\(text) is not iterable (cannot read property \(describe(value)))")
        }
        return typeError("Spread syntax requires ...iterable[Symbol.iterator] to be a function")
    }

    package func iterator(calling method: ScriptObject, on value: Value) throws(Thrown) -> ScriptIterator {
        let result = try call(method, this: value, [])
        guard case .object(let object) = result else {
            throw typeError("Result of the Symbol.iterator method is not an object")
        }
        return ScriptIterator(object, next: try object.get(.next))
    }

    /// Calls `body` with each element; where it throws, the iterator is closed.
    package func iterate(_ value: Value, _ body: (Value) throws(Thrown) -> Void) throws(Thrown) {
        var iterator = try iterator(of: value)
        while let element = try iterator.step(self) {
            try spend()
            do throws(Thrown) {
                try body(element)
            } catch {
                throw iterator.close(after: error, self)
            }
        }
    }

    /// CreateIterResultObject
    package func iteratorResult(_ value: Value, done: Bool) -> Value {
        let result = object()
        result.put(.value, value)
        result.put(.done, .boolean(done))
        return .object(result)
    }

    /// True if the `next` of lists' iterators is the library's.
    private var isArrayIterationPlain: Bool {
        let prototype = prototype(.arrayIterator)
        guard let place = prototype.place(of: .known(.next)),
            case .object(let function) = prototype.table.value(at: place),
            case .object(let own) = arrayIteratorNext
        else { return false }
        return function === own
    }

    // MARK: For the interpreter: the iterator, its `next` and whether it is done lie in three locals

    func openIterator(_ value: Value, callee: Int32, _ code: Code, _ unit: Unit) throws(Thrown) -> ScriptIterator {
        try iterator(of: value) { notIterable(value, callee, code, unit) }
    }

    private func notAsyncIterable(_ value: Value, _ callee: Int32, _ code: Code, _ unit: Unit) -> Thrown {
        let text = code.callee(callee).map { CalleeText.render($0, unit.program) } ?? callSite(value)
        return typeError("\(text) is not async iterable")
    }

    func openIterator(
        _ slots: UnsafeMutablePointer<Value>, _ value: Value, _ iteration: Iteration, _ code: Code, _ unit: Unit
    ) throws(Thrown) {
        slots[2] = .boolean(false)
        let callee = iteration.callee
        if iteration.isAsync {
            if case .object(let object) = value, object.isOpaque { throw opaqueUse(object, "as a list") }
            if value.isNullish { throw notAsyncIterable(value, callee, code, unit) }
            if let method = try method(value, .known(.asyncIterator)) {
                let result = try call(method, this: value, [])
                guard case .object(let object) = result else {
                    throw typeError("Result of the Symbol.asyncIterator method is not an object")
                }
                slots[1] = Self.callableNext(try object.get(.next))
                slots[0] = result
                return
            }
            guard let method = try method(value, .known(.iterator)) else {
                throw notAsyncIterable(value, callee, code, unit)
            }
            let iterator = try iterator(calling: method, on: value)
            let object = AsyncFromSyncIterator(self, iterator)
            slots[1] = try object.get(.next)
            slots[0] = .object(object)
            return
        }
        if iteration.isPattern, case .object(let object) = value, object is OpaqueObject {
            (slots[0], slots[1], slots[2]) = (value, .number(0), value)
            return
        }
        let iterator = try openIterator(value, callee: callee, code, unit)
        slots[0] = .object(iterator.object)
        slots[1] = iterator.isList ? .number(0) : Self.callableNext(iterator.next)
    }

    /// A `next` that is no object is no function either, and a number there means a list.
    private static func callableNext(_ next: Value) -> Value {
        next.isObject ? next : .undefined
    }

    /// The next value of a loop; absent where it is done.
    @inline(__always)
    func stepIterator(_ slots: UnsafeMutablePointer<Value>) throws(Thrown) -> Value {
        if case .number(let index) = slots[1], case .object(let object) = slots[0] {
            let list = unsafeDowncast(object, to: ScriptArray.self)
            guard index < Double(list.length) else { return .absent }
            if index >= Double(limits.loopTurns) { throw .ended(.limit(.loopTurns)) }
            slots[1] = .number(index + 1)
            if let element = list.element(at: Int(index)) { return element }
            return try list.get(index: index)
        }
        guard limits.loopTurns < Int.max else { return try otherStep(slots) }
        // Where nothing says that it is done, the third slot can count.
        var turns = 0.0
        if case .number(let count) = slots[2] { turns = count }
        let value = try otherStep(slots)
        if case .absent = value { return value }
        if turns >= Double(limits.loopTurns) { throw .ended(.limit(.loopTurns)) }
        slots[2] = .number(turns + 1)
        return value
    }

    private func otherStep(_ slots: UnsafeMutablePointer<Value>) throws(Thrown) -> Value {
        let result = try call(slots[1], this: slots[0], [])
        guard case .object(let answer) = result else {
            throw typeError("Iterator result \(describe(result)) is not an object")
        }
        if try toBoolean(try answer.get(.done)) { return .absent }
        return try answer.get(.value)
    }

    func callIterator(_ slots: UnsafeMutablePointer<Value>) throws(Thrown) -> Value {
        try call(slots[1], this: slots[0], [])
    }

    func unpackIterator(_ slots: UnsafeMutablePointer<Value>, _ result: Value) throws(Thrown) -> Value {
        guard case .object(let answer) = result else {
            throw typeError("Iterator result \(describe(result)) is not an object")
        }
        if try toBoolean(try answer.get(.done)) { return .absent }
        return try answer.get(.value)
    }

    /// The next value of a pattern, undefined when there is none; an error of the iterator means that it is done.
    func stepPattern(_ slots: UnsafeMutablePointer<Value>) throws(Thrown) -> Value {
        if case .boolean(true) = slots[2] { return .undefined }
        // What is taken from an opaque list is as opaque.
        if case .object(let list) = slots[2], case .number(let index) = slots[1] {
            slots[1] = .number(index + 1)
            return try list.get(index: index)
        }
        slots[2] = .boolean(true)
        let value = try stepIterator(slots)
        if case .absent = value { return .undefined }
        slots[2] = .boolean(false)
        return value
    }

    func restPattern(_ slots: UnsafeMutablePointer<Value>) throws(Thrown) -> Value {
        if case .object(let list as OpaqueObject) = slots[2] { return list.leading(to: "[...\(list.origin)]") }
        let rest = array()
        if case .boolean(true) = slots[2] { return .object(rest) }
        slots[2] = .boolean(true)
        while true {
            try spend()
            let value = try stepIterator(slots)
            if case .absent = value { return .object(rest) }
            try rest.append(value)
        }
    }

    func closeIterator(_ slots: UnsafeMutablePointer<Value>, reports: Bool) throws(Thrown) {
        let result = try returnIterator(slots, reports: reports)
        guard reports else { return }
        switch result {
        case .object, .absent: break
        default: throw typeError("Iterator result \(describe(result)) is not an object")
        }
    }

    /// Calls `return`; absent where there is nothing to call.
    func returnIterator(_ slots: UnsafeMutablePointer<Value>, reports: Bool) throws(Thrown) -> Value {
        if case .boolean(true) = slots[2] { return .absent }
        slots[2] = .boolean(true)
        if case .number = slots[1] { return .absent }
        guard case .object(let object) = slots[0] else { return .absent }
        do throws(Thrown) {
            guard let method = try object.method(.known(.return)) else { return .absent }
            return try call(method, this: slots[0], [])
        } catch {
            if !reports, case .value = error { return .undefined }
            throw error
        }
    }

    // MARK: for-in

    func openKeys(_ value: Value) throws(Thrown) -> Value {
        if value.isNullish { return .undefined }
        return .object(KeyIterator(self, try toObject(value)))
    }

    func stepKeys(_ value: Value) throws(Thrown) -> Value? {
        guard case .object(let object) = value, let keys = object as? KeyIterator else { return nil }
        return try keys.step()
    }

    // MARK: yield*

    /// Passes what came on to the inner iterator; nothing where it is to return and the iterator knows no `return`.
    func delegate(_ slots: UnsafeMutablePointer<Value>, _ received: Value) throws(Thrown) -> Value? {
        guard case .object(let object) = slots[0] else { return .undefined }
        switch slots[3] {
        case .number(1):
            if let method = try object.method(.known(.throw)) {
                return try call(method, this: slots[0], [received])
            }
            // The inner iterator cannot be told, so it is closed.
            let error = typeError("The iterator does not provide a 'throw' method.")
            if let method = try object.method(.known(.return)) {
                let result = try call(method, this: slots[0], [])
                if !(object is AsyncFromSyncIterator), !result.isObject {
                    throw typeError("Iterator result \(describe(result)) is not an object")
                }
            }
            throw error
        case .number(2):
            guard let method = try object.method(.known(.return)) else { return nil }
            return try call(method, this: slots[0], [received])
        default:
            if case .number(let index) = slots[1] {
                let list = unsafeDowncast(object, to: ScriptArray.self)
                slots[1] = .number(index + 1)
                let isDone = index >= Double(list.length)
                return iteratorResult(isDone ? .undefined : try list.get(index: index), done: isDone)
            }
            return try call(slots[1], this: slots[0], [received])
        }
    }
}

/// What `for (... in object)` goes through: names of properties, those of prototypes too, each once, as long as they are
/// there.
final class KeyIterator: ScriptObject {
    private var holder: ScriptObject?
    private var keys: [PropertyKey] = []
    private var next = 0
    private var turns = 0
    private var visited: Set<PropertyKey> = []

    init(_ realm: Realm, _ object: ScriptObject) {
        holder = object
        next = -1
        super.init(realm, prototype: nil)
    }

    override func clear() {
        super.clear()
        holder = nil
    }

    func step() throws(Thrown) -> Value? {
        while let object = holder {
            if next < 0 {
                keys = try object.ownKeys()
                next = 0
            }
            while next < keys.count {
                let key = keys[next]
                next += 1
                try realm.spend()
                if key.isSymbol || visited.contains(key) { continue }
                guard let own = try object.ownProperty(key) else { continue }
                visited.insert(key)
                guard own.isEnumerable == true else { continue }
                if turns >= realm.limits.loopTurns { throw .ended(.limit(.loopTurns)) }
                turns += 1
                return realm.value(of: key)
            }
            holder = try object.getPrototype()
            next = -1
        }
        return nil
    }
}
