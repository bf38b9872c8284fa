// Functions: the app's own functions, in processes of their own, and nothing of who calls them.
//
//     Settings/    a function as it is set: its program or its handler, its limits, the variables of its processes
//     Calls/       a call, its outcome, why there was none
//     Runtime/     Lambda's Runtime API: what a runtime may ask for (a pure machine), a listener for each process
//     Processes/   programs as processes: their start, their output, their end; the crew of a function
//     Bootstraps/  our own runtimes for Node and Python, as texts
//
// The way through: `Functions.invoke` puts an `PendingInvocation` into the queue of its `FunctionCrew`; that gives it to a
// `FunctionProcess` that is free, or starts one; the process's `RuntimeListener` hands the event to the runtime that asks for it,
// and takes the answer.
//
// `DESIGN.md` beside this file says what must stay true.

import Crypto
import JSON
import Network
import Synchronization

/// The functions of an app. All of it happens on a loop of its own, so that no result of six megabytes and no start of a
/// process holds up a request.
package final class Functions: LoopBound, @unchecked Sendable {
    // Safe to share: what changes is touched on the loop alone, but for `isClosed` and `names`, which are Mutexes.
    package let loop: EventLoop
    private let names: Mutex<Set<String>>
    private var crews: [String: FunctionCrew] = [:]
    /// Those of functions that are gone, whose last calls are not.
    private var leaving: [FunctionCrew] = []
    private let surroundings: FunctionSurroundings
    private let report: @Sendable (FunctionReport) -> Void
    /// The newest calls and lines, for people.
    package let journal = FunctionJournal()
    private var later: LaterCalls?
    let groups = GroupGuard()
    private var isStopping = false
    private var whenEmpty: (() -> Void)?
    private let isClosed = Mutex(false)
    private let keeper = Mutex<Keeper?>(nil)

    /// Keeps events of asynchronous calls until functions have taken them, also after the end of this process.
    private struct Keeper: Sendable {
        let keep: @Sendable (FunctionRequest) async -> FunctionRefusal?
    }

    /// Nothing is started before it is called.
    ///
    /// - Parameter report: is told what goes to the log, on the loop.
    package init(
        _ functions: [FunctionSettings], _ surroundings: FunctionSurroundings,
        report: @escaping @Sendable (FunctionReport) -> Void
    ) throws(SystemError) {
        loop = try EventLoop(index: 0)
        names = Mutex(Set(functions.map(\.name)))
        self.surroundings = surroundings
        let report: @Sendable (FunctionReport) -> Void = { [journal] line in
            journal.add(line)
            report(line)
        }
        self.report = report
        for function in functions {
            crews[function.name] = FunctionCrew(of: function, surroundings, in: self, report: report)
        }
        later = LaterCalls(on: loop, report: report) { [weak self] request in
            guard let self else { return FunctionAnswer(id: "", outcome: .refused(.stopping), tail: []) }
            return await invoke(request)
        }
        try loop.start()
    }

    /// Has somebody keep the events that nobody waits for, who calls functions with them. Without, they are kept in memory.
    package func keepEvents(_ keep: @escaping @Sendable (FunctionRequest) async -> FunctionRefusal?) {
        keeper.withLock { $0 = Keeper(keep: keep) }
    }

    /// Calls a function because it is time. The event is kept; where it cannot be kept, the function is called at least once. From
    /// any thread.
    package func begin(byClock request: FunctionRequest) {
        guard let keeper = keeper.withLock({ $0 }) else {
            return loop.execute { [self] in _ = later?.take(request) }
        }
        Task(executorPreference: loop) { [weak self] in
            if await keeper.keep(request) != nil { _ = self?.later?.take(request) }
        }
    }

    package func has(_ name: String) -> Bool { names.withLock { $0.contains(name) } }

    /// Goes on with these functions in the place of those that were. A call that runs ends as it has begun; the next one of a
    /// function that is set otherwise by now gets a new process, and one that is gone is not there. From any thread.
    package func adopt(_ functions: [FunctionSettings]) {
        names.withLock { $0 = Set(functions.map(\.name)) }
        loop.execute { [self] in
            guard !isStopping else { return }
            journal.keep(only: Set(functions.map(\.name)))
            var kept: [String: FunctionCrew] = [:]
            for function in functions {
                let crew = crews.removeValue(forKey: function.name)
                crew?.adopt(function)
                kept[function.name] = crew ?? FunctionCrew(of: function, surroundings, in: self, report: report)
            }
            for crew in crews.values {
                crew.refuseAll(.notThere(crew.function.name))
                crew.renew()
            }
            leaving += crews.values.filter { !$0.processes.isEmpty }
            crews = kept
        }
    }

    // MARK: Calls

    /// Calls a function and waits for what comes of it. From any thread; who is cancelled has given up.
    package func invoke(_ request: FunctionRequest) async -> FunctionAnswer {
        let id = UUIDText.random()
        let caller = WaitingCaller(loop)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isClosed = isClosed.withLock { isClosed in
                    // Under the lock: behind what is put here the loop goes on.
                    if !isClosed {
                        loop.execute { [self] in begin(request, id, caller) { continuation.resume(returning: $0) } }
                    }
                    return isClosed
                }
                if isClosed {
                    continuation.resume(returning: FunctionAnswer(id: id, outcome: .refused(.stopping), tail: []))
                }
            }
        } onCancel: {
            loop.execute { caller.giveUp() }
        }
    }

    /// Has a function called, and again where it fails; the answer is why not. Nobody waits for what comes of it.
    package func invokeLater(_ request: FunctionRequest) async -> FunctionRefusal? {
        guard has(request.name) else { return .notThere(request.name) }
        if let keeper = keeper.withLock({ $0 }) { return await keeper.keep(request) }
        return await withCheckedContinuation { continuation in
            let isClosed = isClosed.withLock { isClosed in
                if !isClosed {
                    loop.execute { [self] in continuation.resume(returning: later?.take(request) ?? nil) }
                }
                return isClosed
            }
            if isClosed { continuation.resume(returning: .stopping) }
        }
    }

    private func begin(
        _ request: FunctionRequest, _ id: String, _ caller: WaitingCaller,
        _ deliver: @escaping @Sendable (FunctionAnswer) -> Void
    ) {
        checkLoop()
        func refuse(_ refusal: FunctionRefusal) {
            deliver(FunctionAnswer(id: id, outcome: .refused(refusal), tail: []))
        }
        guard let crew = crews[request.name] else { return refuse(.notThere(request.name)) }
        guard !isStopping else { return refuse(.stopping) }
        guard request.payload.count <= RuntimeLimits.payloadBytesMax else {
            return refuse(.tooLarge(bytesMax: RuntimeLimits.payloadBytesMax))
        }
        let waitingBytes = crews.values.reduce(0) { $0 + $1.waitingBytes }
        guard waitingBytes + request.payload.count <= RuntimeLimits.waitingBytesMax else { return refuse(.tooMany) }
        let tail = TailReading()
        let began = Timestamp.now.millisecondsSince1970
        let invocation = PendingInvocation(request.payload, clientContext: request.clientContext, id: id) {
            [journal] outcome in
            caller.hasAnswer()
            journal.add(id, of: request, began: began, outcome)
            deliver(FunctionAnswer(id: id, outcome: outcome, tail: tail.invocation?.tail ?? []))
        }
        tail.invocation = invocation
        caller.wait(for: invocation, milliseconds: request.timeoutMilliseconds)
        if !invocation.isAnswered { crew.take(invocation) }
    }

    /// An invocation as its own answer sees it.
    private final class TailReading {
        weak var invocation: PendingInvocation?
    }

    // MARK: Processes

    /// Has functions started anew, whose sources have changed: calls that run end on the old ones, and the next ones get the new.
    package func renew() {
        loop.execute { [self] in for crew in crews.values { crew.renew() } }
    }

    private var processes: Int { (crews.values + leaving).reduce(0) { $0 + $1.processes.count } }

    /// Returns whether there may be one more process. Where not, one that is free has to go for it, and its end is told.
    func mayStart() -> Bool {
        checkLoop()
        guard !isStopping else { return false }
        guard areAllTaken else { return true }
        // The end of one is told, and then there is place.
        guard !(crews.values + leaving).contains(where: { $0.processes.contains(where: \.isEnding) }) else {
            return false
        }
        let oldest = crews.values.min { ($0.freeSince ?? .never) < ($1.freeSince ?? .never) }
        oldest?.endOldest()
        return false
    }

    func hasEnded() {
        checkLoop()
        leaving.removeAll { $0.processes.isEmpty }
        if isStopping {
            if processes == 0 { whenEmpty?() }
        } else {
            // First those that have none.
            for crew in crews.values where crew.isWithoutPlace { crew.goOn() }
            for crew in crews.values { crew.goOn() }
        }
    }

    private var areAllTaken: Bool { processes >= RuntimeLimits.processesMax }

    /// Returns whether one that has become free has to go for a function that has none: else that waited until all of another's calls
    /// are done.
    func isPlaceWanted(beside crew: FunctionCrew) -> Bool {
        areAllTaken && crews.values.contains { $0 !== crew && $0.isWithoutPlace }
            && !crews.values.contains { $0.processes.contains(where: \.isEnding) }
    }

    /// One is free. Who waits for a place may have it.
    func isFree() {
        guard areAllTaken, !isStopping else { return }
        for crew in crews.values where crew.hasWaiting { crew.goOn() }
    }

    // MARK: End

    /// Nothing more will be called but by what runs already: processes that are free end. From any thread, and nobody waits.
    package func beginToStop() {
        loop.execute { [self] in
            for crew in crews.values { crew.endFree() }
        }
    }

    /// Ends all processes, and waits until none is left. Not on a loop.
    package func stop() {
        guard
            !isClosed.withLock({ isClosed in
                defer { isClosed = true }
                return isClosed
            })
        else { return }
        loop.wait { [self] in await end() }
        loop.stop()
        loop.join()
    }

    private func end() async {
        checkLoop()
        isStopping = true
        later?.stop()
        for crew in crews.values + leaving { crew.stop() }
        guard processes > 0 else { return groups.end() }
        await withCheckedContinuation { continuation in
            whenEmpty = { [self] in
                whenEmpty = nil
                continuation.resume()
            }
        }
        groups.end()
    }
}
