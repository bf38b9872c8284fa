/// A generator.
final class GeneratorObject: ScriptObject {
    private var frame: Frame?
    private var isRunning = false

    init(_ realm: Realm, _ frame: Frame, prototype: ScriptObject) {
        self.frame = frame
        super.init(realm, prototype: prototype)
        charge(frame.bytes)
    }

    override func clear() {
        super.clear()
        frame = nil
    }

    override var className: String { "Generator" }

    /// GeneratorResume and GeneratorResumeAbrupt
    func resume(_ resumption: Resumption) throws(Thrown) -> Value {
        if isRunning { throw realm.typeError("Generator is already running") }
        guard let frame, let coroutine = frame.coroutine else {
            switch resumption {
            case .next: return realm.iteratorResult(.undefined, done: true)
            case .throw(let value): throw .value(value)
            case .return(let value): return realm.iteratorResult(value, done: true)
            }
        }
        if !coroutine.isDetached {
            // It has not begun, so there is nothing that would see an error or an end.
            switch resumption {
            case .next: coroutine.isDetached = true
            case .throw(let value):
                self.frame = nil
                throw .value(value)
            case .return(let value):
                self.frame = nil
                return realm.iteratorResult(value, done: true)
            }
        }
        isRunning = true
        defer { isRunning = false }
        do throws(Thrown) {
            let value = try realm.resume(frame, resumption)
            if coroutine.outcome == .completed {
                self.frame = nil
                return realm.iteratorResult(value, done: true)
            }
            // `yield*` passes the results of the inner iterator as they are.
            if frame.next > 0, frame.code.instructions[frame.next - 1].operation == .yieldRaw { return value }
            return realm.iteratorResult(value, done: false)
        } catch {
            self.frame = nil
            throw error
        }
    }
}

/// A generator that may wait. Its requests are answered one after the other.
final class AsyncGeneratorObject: ScriptObject {
    private struct Request {
        let resumption: Resumption
        let capability: PromiseCapability
    }

    private enum Phase {
        case start, suspended, running, awaitingReturn, completed
    }

    private var frame: Frame?
    private var phase = Phase.start
    private var requests: [Request] = []

    init(_ realm: Realm, _ frame: Frame, prototype: ScriptObject) {
        self.frame = frame
        super.init(realm, prototype: prototype)
        charge(frame.bytes)
    }

    override func clear() {
        super.clear()
        frame = nil
        requests = []
    }

    override var className: String { "AsyncGenerator" }

    func enqueue(_ resumption: Resumption, _ capability: PromiseCapability) throws(Thrown) {
        requests.append(Request(resumption: resumption, capability: capability))
        if phase != .running && phase != .awaitingReturn { try work() }
    }

    /// Answers requests until it has to wait or there are none.
    private func work() throws(Thrown) {
        while let request = requests.first {
            try realm.spend()
            if phase == .start, case .next = request.resumption {
            } else if phase == .start {
                phase = .completed
                frame = nil
            }
            if phase == .completed {
                switch request.resumption {
                case .next: try answer(.success((.undefined, true)))
                case .throw(let value): try answer(.failure(value))
                case .return(let value):
                    try awaitReturn(value)
                    return
                }
                continue
            }
            try step(request.resumption)
            if phase == .running { return }
        }
    }

    /// Runs its code up to the next stop.
    private func step(_ resumption: Resumption) throws(Thrown) {
        guard let frame, let coroutine = frame.coroutine else {
            phase = .completed
            return
        }
        phase = .running
        coroutine.object = self
        coroutine.isDetached = true
        let value: Value
        do throws(Thrown) {
            value = try realm.resume(frame, resumption)
        } catch {
            phase = .completed
            self.frame = nil
            coroutine.object = nil
            guard case .value(let reason) = error else { throw error }
            try answer(.failure(reason))
            return
        }
        switch coroutine.outcome {
        case .awaiting, .running: break
        case .suspended:
            phase = .suspended
            coroutine.object = nil
            try answer(.success((value, false)))
        case .completed:
            phase = .completed
            self.frame = nil
            try answer(.success((value, true)))
        }
    }

    /// What it waited for is there.
    func goOn(_ resumption: Resumption) throws(Thrown) {
        try step(resumption)
        if phase != .running && phase != .awaitingReturn { try work() }
    }

    private enum Answer {
        case success((Value, Bool))
        case failure(Value)
    }

    private func answer(_ answer: Answer) throws(Thrown) {
        guard !requests.isEmpty else { return }
        let request = requests.removeFirst()
        switch answer {
        case .success((let value, let isDone)):
            try request.capability.resolve(realm.iteratorResult(value, done: isDone))
        case .failure(let reason): try request.capability.reject(reason)
        }
    }

    /// AsyncGeneratorAwaitReturn
    private func awaitReturn(_ value: Value) throws(Thrown) {
        phase = .awaitingReturn
        let promise: ScriptObject
        do throws(Thrown) {
            promise = try realm.promiseResolve(realm.constructor(.promise), value)
        } catch {
            guard case .value(let reason) = error else { throw error }
            phase = .completed
            try answer(.failure(reason))
            return try work()
        }
        (promise as? PromiseObject)?.react(
            .native { [self] (_, state) throws(Thrown) in
                phase = .completed
                switch state {
                case .fulfilled(let value): try answer(.success((value, true)))
                case .rejected(let reason): try answer(.failure(reason))
                case .pending: break
                }
                try work()
            })
    }
}

extension Realm {
    func makeGenerator(_ frame: Frame) throws(Thrown) -> Value {
        let isAsync = frame.code.isAsync
        var parent = prototype(isAsync ? .asyncGenerator : .generator)
        if let function = frame.function, case .object(let own) = try function.get(.prototype) { parent = own }
        let coroutine = Coroutine(nil)
        coroutine.outcome = .suspended
        frame.coroutine = coroutine
        return .object(
            isAsync
                ? AsyncGeneratorObject(self, frame, prototype: parent)
                : GeneratorObject(self, frame, prototype: parent))
    }
}
