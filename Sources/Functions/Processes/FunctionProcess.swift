import CSystem
import Crypto
import Glibc
import JSON
import Network
import Threads

/// The owner of a function's processes.
protocol FunctionProcessOwner: AnyObject {
    /// It asks for work.
    func isReady(_ process: FunctionProcess)
    /// It will never ask for any.
    func hasFailedToStart(_ process: FunctionProcess, _ failure: StartFailure)
    /// It is gone, with all that it had.
    func hasEnded(_ process: FunctionProcess)
}

/// A process of a function: its listener, the program, its output, and the one call that it is doing.
///
///     listener ─▶ program ─▶ asks for work ─▶ call ─▶ answer ─▶ asks for work ─▶ … ─▶ end
///
/// It is reaped in one place, where its end is told, and all of its group is killed before that: while it is not reaped, nobody else
/// has its number.
final class FunctionProcess: RuntimeHost, LoopBound, @unchecked Sendable {
    let loop: EventLoop
    let function: FunctionSettings
    private let surroundings: FunctionSurroundings
    private weak var owner: (any FunctionProcessOwner)?
    private let groups: GroupGuard
    private let report: @Sendable (FunctionReport) -> Void
    private var machine = RuntimeMachine()
    private var listener: RuntimeListener?
    /// The request for work that is held.
    private var question: (@Sendable (HTTPResponse) -> Void)?
    private var invocation: PendingInvocation?
    private var number: Int32?
    private var life: DescriptorWatch?
    private var output: DescriptorWatch?
    private var lines = OutputLines()
    private var timer: TimerToken?
    private var usedBytes: UInt64 = 0
    private var began = MonotonicTime(nanoseconds: 0)
    /// True if it has come as far as to ask for work.
    var hasWorked = false
    /// True if its program is not what it would be by now.
    var isOutdated = false
    /// It gets no more work.
    private(set) var isEnding = false
    private var isOver = false

    init(
        of function: FunctionSettings, _ surroundings: FunctionSurroundings, owner: any FunctionProcessOwner,
        under groups: GroupGuard, on loop: EventLoop, report: @escaping @Sendable (FunctionReport) -> Void
    ) {
        self.function = function
        self.surroundings = surroundings
        self.owner = owner
        self.groups = groups
        self.loop = loop
        self.report = report
    }

    // MARK: Start

    func start() {
        checkLoop()
        let listener = RuntimeListener(self)
        self.listener = listener
        setTimer(milliseconds: RuntimeLimits.startMilliseconds) { [self] in
            failToStart(.timedOut)
            end(SIGKILL)
        }
        Task(executorPreference: loop) { [self] in
            do throws(SystemError) {
                let address = try await listener.start { [self] in tell(.warning, "\($0)") }
                guard !isEnding else { return close() }
                try spawn(address)
            } catch {
                failToStart(.impossible("it cannot be started: \(error)"))
                close()
            }
        }
    }

    private func spawn(_ address: String) throws(SystemError) {
        let variables = FunctionEnvironment.variables(
            of: function, surroundings, runtimeAddress: address, logStream: Self.logStream())
        let program: FunctionProgram
        do throws(FunctionProgram.Fault) {
            program = try FunctionProgram(
                of: function, path: variables["PATH"] ?? "", runtimes: surroundings.folder,
                isProgram: { access($0, X_OK) == 0 })
        } catch {
            failToStart(.impossible(error.message))
            return close()
        }
        if case .handler(let place) = function.program {
            try Bootstrap.of(place.language).write(to: surroundings.folder)
        }
        let process = try SpawnedProcess.start(
            program, variables: variables, folder: function.folder,
            memoryBytes: memoryBytes + RuntimeLimits.reservedMemoryBytes)
        number = process.number
        groups.add(process.number)
        let (output, life) = process.descriptors()
        // From here on it has an end that is told, whatever comes.
        self.life = try DescriptorWatch(FileDescriptor(owning: life), on: loop) { [self] in hasEnded() }
        self.output = try DescriptorWatch(FileDescriptor(owning: output), on: loop) { [self] in readOutput() }
    }

    /// The private memory that the process may use.
    private var memoryBytes: UInt64 { UInt64(function.memoryMegabytes) << 20 + RuntimeLimits.runtimeMemoryBytes }

    /// From its first event on each process of the group has its memory, and what its runtime has set aside without writing there.
    private func holdMemory() {
        guard let number else { return }
        // A handler has a process alone; what a command runs may be a shell, which has the program below it.
        var members = [number]
        if case .handler = function.program {} else { members = ProcessGroup.members(of: number) }
        for member in members {
            guard let use = MemoryUse(of: member) else { continue }
            let reserved = min(use.reservedBytes, RuntimeLimits.reservedMemoryBytes)
            _ = homeport_limit_memory(member, memoryBytes + reserved)
        }
    }

    private func failToStart(_ failure: StartFailure) {
        guard !isEnding else { return }
        isEnding = true
        let level: FunctionReport.Level = failure == .ended(.signalled(Int(SIGTERM))) ? .info : .warning
        tell(level, failure.sentence)
        owner?.hasFailedToStart(self, failure)
    }

    private static func logStream() -> String {
        let day = String(Timestamp.now.text.prefix(10)).replacing(bytesOf: "-", with: "/")
        return "\(day)/[\(FunctionEnvironment.version)]"
            + UUIDText.random().replacing(bytesOf: "-", with: "")
    }

    // MARK: Runtime

    func isAsked(_ deliver: @escaping @Sendable (HTTPResponse) -> Void) {
        checkLoop()
        switch machine.next() {
        case .refuse(let refusal): deliver(RuntimeListener.answer(refusal))
        case .wait(let ended):
            // It has given up the one before.
            question?(RuntimeListener.answer(.state(from: "Ready", to: "Ready")))
            question = deliver
            cancelTimer()
            if ended != nil { finish() }
            guard !isEnding else { return }
            if !hasWorked { holdMemory() }
            owner?.isReady(self)
        }
    }

    func refusal(ofAnswerTo id: String) -> RuntimeRefusal? { machine.refusal(ofAnswerTo: id) }

    func isAnswered(_ id: String, _ outcome: FunctionOutcome) -> RuntimeRefusal? {
        checkLoop()
        if let refusal = machine.answer(id) { return refusal }
        invocation?.outcome = outcome
        return nil
    }

    func isTold(startError: [UInt8]) -> RuntimeRefusal? {
        checkLoop()
        if let refusal = machine.failStart() { return refusal }
        failToStart(.told(startError))
        setTimer(milliseconds: RuntimeLimits.endMilliseconds) { [self] in end(SIGKILL) }
        return nil
    }

    // MARK: Calls

    /// Gives it a call; false where it can take none.
    func begin(_ invocation: PendingInvocation) -> Bool {
        checkLoop()
        guard !isEnding, let question, machine.begin(invocation.id) else { return false }
        self.question = nil
        self.invocation = invocation
        began = .now
        let milliseconds = function.timeoutSeconds * 1_000
        setTimer(milliseconds: milliseconds) { [self] in timeIsUp() }
        note(.debug, "START RequestId: \(invocation.id) Version: \(FunctionEnvironment.version)")
        // The runtime compares it with the machine's time.
        let deadline = SystemClock.machine.milliseconds + Int64(milliseconds)
        question(RuntimeEvent.response(for: invocation, arn: surroundings.arn(of: function.name), deadline: deadline))
        return true
    }

    private func timeIsUp() {
        guard let invocation else { return }
        note(.warning, "Task timed out after \(function.timeoutSeconds).00 seconds")
        invocation.outcome = .failed(FunctionFailure.timedOut(invocation.id, seconds: function.timeoutSeconds))
        isEnding = true
        finish()
        end(SIGKILL)
    }

    /// The call is over.
    private func finish() {
        guard let invocation else { return }
        if let dropped = lines.endOfCall() { note(.info, dropped) }
        let milliseconds = Double(MonotonicTime.now.nanoseconds(since: began)) / 1_000_000
        note(.debug, "END RequestId: \(invocation.id)")
        note(
            .debug,
            "REPORT RequestId: \(invocation.id)\tDuration: \(Self.decimal(milliseconds)) ms\tBilled Duration: "
                + "\(Int(milliseconds.rounded(.up))) ms\tMemory Size: \(function.memoryMegabytes) MB\tMax Memory Used: "
                + "\(memoryUsed()) MB")
        self.invocation = nil
        invocation.finish(invocation.outcome ?? .failed([]))
    }

    /// The most that the process has had at the end of a call, in megabytes.
    private func memoryUsed() -> UInt64 {
        if let use = number.flatMap(MemoryUse.init(of:)) { usedBytes = max(usedBytes, use.residentBytes) }
        let (megabytes, rest) = usedBytes.quotientAndRemainder(dividingBy: 1 << 20)
        return megabytes + (rest > 0 ? 1 : 0)
    }

    private static func decimal(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
    }

    // MARK: Output

    private func readOutput() {
        guard let output else { return }
        var pieces: [String] = []
        let goesOn = output.read { pieces = lines.append($0, now: loop.now) }
        for line in pieces { note(.info, line) }
        if !goesOn { closeOutput() }
    }

    private func closeOutput() {
        for line in lines.finish() { note(.info, line) }
        output?.stop()
        output = nil
    }

    private func note(_ level: FunctionReport.Level, _ text: String) {
        invocation?.note(line: text)
        tell(level, text)
    }

    private func tell(_ level: FunctionReport.Level, _ text: String) {
        report(FunctionReport(level: level, function: function.name, request: invocation?.id, text: text))
    }

    // MARK: End

    /// Ends it: asks its group to, and sees to it.
    func end() {
        checkLoop()
        guard !isEnding else { return }
        isEnding = true
        end(SIGTERM)
        setTimer(milliseconds: RuntimeLimits.endMilliseconds) { [self] in end(SIGKILL) }
    }

    private func end(_ signal: Int32) {
        isEnding = true
        if let number { kill(-number, signal) }
    }

    /// The program has ended.
    private func hasEnded() {
        checkLoop()
        guard let number else { return }
        // What it has started and left behind goes with it. It is a group as long as it is not reaped.
        kill(-number, SIGKILL)
        groups.remove(number)
        let code = homeport_take_end_of_process(number)
        guard code >= 0 else { return }
        self.number = nil
        let ending = ProcessEnding(code: Int(code))
        readRest()
        if let invocation {
            if invocation.outcome == nil {
                tell(.warning, ending.sentence)
                invocation.outcome = .failed(FunctionFailure.ended(invocation.id, ending))
            }
            finish()
        } else if machine.state == .started {
            failToStart(.ended(ending))
        } else if !isEnding {
            tell(.info, "a process that was waiting has ended: \(ending.sentence)")
        }
        isEnding = true
        close()
    }

    /// The most that a pipe holds, in pieces of a loop's buffer.
    private static let restPieces = 32

    private func readRest() {
        for _ in 0..<Self.restPieces {
            guard let output else { return }
            var isThere = false
            var pieces: [String] = []
            let goesOn = output.read {
                isThere = true
                pieces = lines.append($0, now: loop.now)
            }
            for line in pieces { note(.info, line) }
            guard goesOn, isThere else { break }
        }
        closeOutput()
    }

    private func close() {
        guard !isOver else { return }
        isOver = true
        isEnding = true
        cancelTimer()
        if let number {
            // There is nobody who would hear of its end.
            kill(-number, SIGKILL)
            groups.remove(number)
            waitpid(number, nil, 0)
            self.number = nil
        }
        life?.stop()
        life = nil
        closeOutput()
        question = nil
        let listener = listener
        self.listener = nil
        Task(executorPreference: loop) { [self] in
            await listener?.stop()
            owner?.hasEnded(self)
        }
    }

    // MARK: Time

    private func setTimer(milliseconds: Int, _ action: @escaping () -> Void) {
        cancelTimer()
        // Not from the beginning of the turn: what began it may have been long.
        timer = loop.schedule(at: MonotonicTime.now.advanced(byMilliseconds: milliseconds)) { [self] in
            timer = nil
            action()
        }
    }

    private func cancelTimer() {
        if let timer { loop.cancel(timer) }
        timer = nil
    }
}
