extension Realm {
    /// Call
    package func call(_ function: ScriptObject, this: Value, _ arguments: [Value]) throws(Thrown) -> Value {
        var arguments = arguments
        let count = arguments.count
        let result: Result<Value, Thrown> = arguments.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else {
                return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { empty in
                    guard let start = empty.baseAddress else { return .success(.undefined) }
                    return attempt { () throws(Thrown) in
                        try call(function, this: this, start, count: 0, newTarget: nil)
                    }
                }
            }
            return attempt { () throws(Thrown) in
                try call(function, this: this, start, count: count, newTarget: nil)
            }
        }
        return try result.get()
    }

    /// The same with one argument, for hosts. Hot path: no list is made of it.
    func call(_ function: ScriptObject, with argument: Value) throws(Thrown) -> Value {
        var argument = argument
        let result: Result<Value, Thrown> = withUnsafeMutablePointer(to: &argument) { argument in
            attempt { () throws(Thrown) in
                try call(function, this: .undefined, argument, count: 1, newTarget: nil)
            }
        }
        return try result.get()
    }

    package func call(_ function: Value, this: Value, _ arguments: [Value]) throws(Thrown) -> Value {
        guard case .object(let object) = function, object.isCallable else {
            throw typeError("\(callSite(function)) is not a function")
        }
        return try call(object, this: this, arguments)
    }

    private func attempt(_ body: () throws(Thrown) -> Value) -> Result<Value, Thrown> {
        do throws(Thrown) {
            return .success(try body())
        } catch {
            return .failure(error)
        }
    }

    /// Construct
    package func construct(
        _ function: ScriptObject, _ arguments: [Value], newTarget: ScriptObject? = nil
    ) throws(Thrown) -> ScriptObject {
        guard function.isConstructor else { throw typeError("\(describe(.object(function))) is not a constructor") }
        var arguments = arguments + [.undefined]
        let count = arguments.count - 1
        let result: Result<Value, Thrown> = arguments.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return .success(.undefined) }
            return attempt { () throws(Thrown) in
                try call(function, this: .undefined, start, count: count, newTarget: newTarget ?? function)
            }
        }
        guard case .object(let object) = try result.get() else { throw typeError("Constructor returned no object") }
        return object
    }

    /// Calls any function from native code. The arguments stay where they are.
    func call(
        _ function: ScriptObject, this: Value, _ arguments: UnsafeMutablePointer<Value>, count: Int,
        newTarget: ScriptObject?
    ) throws(Thrown) -> Value {
        try enterNative()
        defer { leaveNative() }
        if function.state.contains(.isScriptFunction) {
            let function = unsafeDowncast(function, to: ScriptFunction.self)
            if newTarget == nil, function.code.isClass { throw classCall(function) }
            let frame = try frame(for: function, this: this, arguments, count: count, newTarget: newTarget)
            frame.returning = .leave
            frame.caller = current
            return try run(frame, nil)
        }
        return try callNative(function, this: this, arguments, count: count, newTarget: newTarget)
    }

    /// Calls a function that is no script function.
    func callNative(
        _ function: ScriptObject, this: Value, _ arguments: UnsafeMutablePointer<Value>, count: Int,
        newTarget: ScriptObject?
    ) throws(Thrown) -> Value {
        if function.state.contains(.isNativeFunction) {
            let function = unsafeDowncast(function, to: NativeFunction.self)
            do throws(Thrown) {
                return try function.body(
                    NativeCall(self, this: this, newTarget: newTarget, function: function, arguments, count: count))
            } catch {
                return try result(of: function, stoppedBy: error) { () throws(Thrown) in
                    try function.body(
                        NativeCall(
                            self, this: this, newTarget: newTarget, function: function, arguments, count: count))
                }
            }
        }
        if let bound = function as? BoundFunction, let target = bound.target {
            let all = Array(bound.arguments) + (0..<count).map { arguments[$0] }
            if let newTarget {
                return .object(try construct(target, all, newTarget: newTarget === function ? target : newTarget))
            }
            return try call(target, this: bound.this, all)
        }
        if let opaque = function as? OpaqueObject {
            let given = (0..<count).map { arguments[$0] }
            guard let newTarget else {
                let answer = opaque.following("()", by: .call(given))
                if case .object(let object as OpaqueObject) = answer { object.function = opaque }
                try host.calls(opaque, given, in: self)
                return answer
            }
            let made = OpaqueObject(self, origin: "new \(opaque.origin)()", from: opaque.module, by: .call(given))
            if newTarget !== opaque {
                made.isExtended = true
                made.prototype = try prototype(from: newTarget, .object)
            }
            try host.makes(made, of: opaque, given, in: self)
            return .object(made)
        }
        throw typeError("\(describe(.object(function))) is not a function")
    }

    func classCall(_ function: ScriptFunction) -> Thrown {
        let name = String(decoding: function.code.name, as: UTF16.self)
        return typeError("Class constructor\(name.isEmpty ? "s" : " " + name) cannot be invoked without 'new'")
    }

    /// A frame for a call, with its arguments in place.
    func frame(
        for function: ScriptFunction, this: Value, _ arguments: UnsafeMutablePointer<Value>, count: Int,
        newTarget: ScriptObject?
    ) throws(Thrown) -> Frame {
        sliceSteps &-= 1
        if sliceSteps < 0 { try endSlice() }
        if callDepth >= limits.callDepth { throw .ended(.limit(.callDepth)) }
        let code = function.code
        var this = this
        if let newTarget {
            this =
                code.isDerived
                ? .absent : .object(ScriptObject(self, prototype: try prototype(from: newTarget, .object)))
        }
        callDepth += 1
        let frame = frame(code, function.unit)
        frame.function = function
        frame.this = this
        frame.newTarget = newTarget
        for index in 0..<min(count, code.parameterCount) { frame.base[index] = arguments[index] }
        if code.keepsArguments { for index in 0..<count { frame.arguments.append(arguments[index]) } }
        if newTarget != nil { frame.returning = .construct }
        if code.isAsync, !code.isGenerator {
            frame.coroutine = Coroutine(PromiseObject(self, prototype: prototype(.promise)))
        }
        return frame
    }

    /// Goes on with a frame that waits.
    func resume(_ frame: Frame, _ resumption: Resumption) throws(Thrown) -> Value {
        try enterNative()
        defer { leaveNative() }
        callDepth += 1
        if callDepth > limits.callDepth {
            callDepth -= 1
            throw .ended(.limit(.callDepth))
        }
        frame.returning = .leave
        frame.caller = current
        frame.coroutine?.outcome = .running
        return try run(frame, resumption)
    }
}
