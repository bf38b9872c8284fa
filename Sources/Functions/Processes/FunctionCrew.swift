import Network

/// The processes of one function, and the calls that wait for them. On the loop of the functions.
///
///     call ─▶ waiting ─▶ process that is free, else a new one up to the function's number ─▶ answer
final class FunctionCrew: FunctionProcessOwner {
    private(set) var function: FunctionSettings
    private let surroundings: FunctionSurroundings
    private let report: @Sendable (FunctionReport) -> Void
    private unowned let functions: Functions
    private var waiting: [PendingInvocation] = []
    private(set) var waitingBytes = 0
    private(set) var processes: [FunctionProcess] = []
    /// Those that are free, the one that has worked last behind.
    private var free: [(process: FunctionProcess, since: MonotonicTime)] = []
    private var starting = 0
    /// The handler's file as it was when it was called last.
    private var mark: SourceMark?
    private var delay = StartDelay()
    private var alarm: TimerToken?

    init(
        of function: FunctionSettings, _ surroundings: FunctionSurroundings, in functions: Functions,
        report: @escaping @Sendable (FunctionReport) -> Void
    ) {
        self.function = function
        self.surroundings = surroundings
        self.functions = functions
        self.report = report
    }

    // MARK: Calls

    func take(_ invocation: PendingInvocation) {
        renewIfEdited()
        guard waiting.count < RuntimeLimits.waitingMax else { return invocation.finish(.refused(.tooMany)) }
        waiting.append(invocation)
        waitingBytes += invocation.payload.count
        goOn()
    }

    /// Gives waiting calls to those who are free, and starts whom they need.
    func goOn() {
        while let next = nextWaiting() {
            if let process = free.popLast()?.process {
                if process.begin(next) { takeFirst() }
                continue
            }
            guard starting < waiting.count, count < function.concurrency else { return }
            guard functions.loop.now >= delay.until else { return startLater() }
            guard functions.mayStart() else { return }
            start()
        }
    }

    /// True if there are calls, and no process that will ever do them.
    var isWithoutPlace: Bool { !waiting.isEmpty && processes.isEmpty }
    var hasWaiting: Bool { !waiting.isEmpty }

    /// The first call that somebody waits for.
    private func nextWaiting() -> PendingInvocation? {
        while let first = waiting.first {
            if !first.isAnswered { return first }
            takeFirst()
        }
        return nil
    }

    private func takeFirst() {
        waitingBytes -= waiting.removeFirst().payload.count
    }

    /// The processes that do calls, or will.
    private var count: Int { processes.count { !$0.isEnding } }

    private func start() {
        let process = FunctionProcess(
            of: function, surroundings, owner: self, under: functions.groups, on: functions.loop, report: report)
        processes.append(process)
        starting += 1
        process.start()
    }

    private func startLater() {
        guard alarm == nil else { return }
        alarm = functions.loop.schedule(at: delay.until) { [weak self] in
            self?.alarm = nil
            self?.goOn()
        }
    }

    /// Answers all calls that wait.
    func refuseAll(_ refusal: FunctionRefusal) {
        let refused = waiting
        waiting = []
        waitingBytes = 0
        for invocation in refused { invocation.finish(.refused(refusal)) }
    }

    // MARK: Processes

    /// Ends processes whose program or handler is another one by now: at once those that are free, the others behind their call.
    func renew() {
        for process in processes { process.isOutdated = true }
        endFree()
    }

    /// Goes on with other settings: processes that were started by the former ones end behind their calls.
    func adopt(_ settings: FunctionSettings) {
        guard settings != function else { return }
        if settings.program != function.program { mark = nil }
        function = settings
        delay = StartDelay()
        renew()
        goOn()
    }

    /// A handler that has been edited is called as it is now. What it imports is for those to tell who watch a project.
    private func renewIfEdited() {
        guard case .handler(let place) = function.program else { return }
        let now = SourceMark(place.file)
        if mark != now, mark != nil { renew() }
        mark = now
    }

    func isReady(_ process: FunctionProcess) {
        if !process.hasWorked {
            starting -= 1
            process.hasWorked = true
            delay.succeeded()
        }
        guard !process.isOutdated, !functions.isPlaceWanted(beside: self) else {
            process.end()
            return goOn()
        }
        free.append((process, functions.loop.now))
        goOn()
        functions.isFree()
    }

    func hasFailedToStart(_ process: FunctionProcess, _ failure: StartFailure) {
        starting -= 1
        delay.failed(now: functions.loop.now)
        // Nobody else will do what waits: it has waited for this.
        let isAlone = processes.allSatisfy { $0 === process || $0.isEnding }
        let count = isAlone ? waiting.count : min(1, waiting.count)
        let failed = Array(waiting.prefix(count))
        for invocation in failed {
            takeFirst()
            invocation.finish(failure.outcome(for: invocation.id, of: function))
        }
        goOn()
    }

    func hasEnded(_ process: FunctionProcess) {
        processes.removeAll { $0 === process }
        free.removeAll { $0.process === process }
        functions.hasEnded()
    }

    /// Since when the process that has been free for longest is; nil: none is.
    var freeSince: MonotonicTime? { free.first?.since }

    /// Ends those that are free: nothing new will come.
    func endFree() {
        let ended = free
        free = []
        for entry in ended { entry.process.end() }
    }

    /// Ends the process that has been free for longest.
    func endOldest() {
        guard !free.isEmpty else { return }
        free.removeFirst().process.end()
    }

    func stop() {
        if let alarm { functions.loop.cancel(alarm) }
        alarm = nil
        free = []
        refuseAll(.stopping)
        for process in processes { process.end() }
    }
}
