import Network

/// Calls that nobody waits for: each is made, and again a while later where the function has failed. On the loop of the
/// functions; what is still to be done when the server stops is not done. No source of the room `Delivery`: these are the calls that
/// the database could not keep.
final class LaterCalls: LoopBound, @unchecked Sendable {
    let loop: EventLoop
    private let call: @Sendable (FunctionRequest) async -> FunctionAnswer
    private let report: @Sendable (FunctionReport) -> Void
    private var count = 0
    private var bytes = 0
    private var isStopping = false

    init(
        on loop: EventLoop, report: @escaping @Sendable (FunctionReport) -> Void,
        call: @escaping @Sendable (FunctionRequest) async -> FunctionAnswer
    ) {
        self.loop = loop
        self.report = report
        self.call = call
    }

    /// Takes a call; the answer is why not.
    func take(_ request: FunctionRequest) -> FunctionRefusal? {
        checkLoop()
        guard !isStopping else { return .stopping }
        guard request.payload.count <= RuntimeLimits.eventBytesMax else {
            return .tooLarge(bytesMax: RuntimeLimits.eventBytesMax)
        }
        guard count < RuntimeLimits.laterMax, bytes + request.payload.count <= RuntimeLimits.waitingBytesMax else {
            return .tooMany
        }
        count += 1
        bytes += request.payload.count
        tryOut(request, RuntimeLimits.laterMilliseconds[...])
        return nil
    }

    func stop() {
        checkLoop()
        isStopping = true
    }

    private func tryOut(_ request: FunctionRequest, _ delays: ArraySlice<Int>) {
        Task(executorPreference: loop) { [self] in
            let answer = await call(request)
            if case .result = answer.outcome { return end(request) }
            guard let delay = delays.first, !isStopping else {
                tell(request, "an event is given up")
                return end(request)
            }
            tell(request, "an event is delivered again in \(delay / 1_000) seconds")
            _ = loop.schedule(at: loop.now.advanced(byMilliseconds: delay)) { [weak self] in
                guard let self, !isStopping else { return }
                tryOut(request, delays.dropFirst())
            }
        }
    }

    private func end(_ request: FunctionRequest) {
        count -= 1
        bytes -= request.payload.count
    }

    private func tell(_ request: FunctionRequest, _ text: String) {
        report(FunctionReport(level: .warning, function: request.name, request: nil, text: text))
    }
}
