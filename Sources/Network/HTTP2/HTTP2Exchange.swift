import HTTP2

/// A request that came by HTTP/2 and its answer: what `HTTPServerConnection` is for one request of HTTP/1.1 at a time, for one stream.
final class HTTP2Exchange: LoopBound, @unchecked Sendable {
    let stream: UInt32
    let connection: HTTP2Connection
    var loop: EventLoop { connection.loop }
    var shard: HTTPServerShard { connection.shard }
    var machine: HTTP2Machine { connection.machine }
    var now: MonotonicTime { loop.now }

    var record: HTTPExchange
    private var handler: Handler?
    private var receiver: HTTPBodyReceiver?
    private var body: HTTPBodyStream?
    var task: Task<Void, Never>?
    /// Gives up the answer that somebody else makes, where nothing is lost by that.
    private var giveUp: (@Sendable () -> Void)?
    /// True while somebody makes the answer.
    var isWorking = false
    /// True if that goes on though the stream was cancelled.
    private var isDetached = false
    private var endsWithClient = false
    private var awaitsContinue = false
    /// True if the request is complete, or is not read any more.
    private var isRead = false
    private var rate: TransferRate
    private var bodyDeadline = MonotonicTime.never
    private var heldBytes = 0
    /// The bytes of the body that were given to its stream, and those that the client got back for its window.
    private var passedBytes = 0
    private var returnedBytes = 0

    var hasAnswer = false
    /// True if the answer is complete and the rest of the request is read and dropped: some clients read no answer before they have sent all.
    private(set) var isDraining = false
    private var drainedBytes = 0
    private var drainEnd = MonotonicTime.never
    private(set) var isOver = false
    var outgoing = HTTP2OutgoingBody()
    var writing: Writing?
    var answerRate: TransferRate
    var answerDeadline = MonotonicTime.never
    /// The bytes that the answer's writer keeps.
    var keptBytes = 0

    private enum Handler {
        case task(HTTPHandler)
        case computation(@Sendable (HTTPRequest) -> HTTPReply)
        case response(HTTPResponse)
    }

    /// An answer that is written piece by piece.
    struct Writing {
        /// The bytes that are still to come of a promised length.
        var left: Int?
        var waiting: CheckedContinuation<Void, Never>?
        /// The writer, who wants to know when the client has ended its side.
        var clientEndedItsSide: (@Sendable () -> Void)?
    }

    init(_ stream: UInt32, on connection: HTTP2Connection) {
        self.stream = stream
        self.connection = connection
        record = connection.shard.exchange(for: nil, peer: connection.channel.peer)
        rate = TransferRate(connection.shard.rules.body)
        answerRate = TransferRate(connection.shard.rules.answer)
    }

    // MARK: Reading

    func begin(_ head: HTTPRequestHead, endsStream: Bool) {
        record = shard.exchange(for: head, peer: connection.channel.peer)
        awaitsContinue = head.expectsContinue && !endsStream
        if !endsStream { bodyDeadline = rate.begin(at: now) }
        let reception = shard.application.receive(
            head, from: connection.channel.peer, isSecure: connection.channel.isSecure, mark: &record.mark)
        do throws(HTTPParseError) {
            try accept(head, reception, endsStream: endsStream)
        } catch {
            return refuse(error, endsStream: endsStream)
        }
        if endsStream { receiveEnd() }
    }

    private func accept(
        _ head: HTTPRequestHead, _ reception: HTTPReception, endsStream: Bool
    ) throws(HTTPParseError) {
        switch reception {
        case .collect(let bodyMax, let handler):
            receiver = try HTTPBodyReceiver(collecting: head, upTo: bodyMax)
            self.handler = .task(handler)
            sendContinue()
        case .compute(let bodyMax, let computation):
            receiver = try HTTPBodyReceiver(collecting: head, upTo: bodyMax)
            handler = .computation(computation)
            sendContinue()
        case .stream(let bodyMax, let handler):
            let body = HTTPBodyStream(waitingBytesMax: shard.limits.streamedBytes, source: self, on: loop)
            receiver = try HTTPBodyReceiver(streaming: head, to: body, upTo: bodyMax)
            self.body = body
            if let request = request(body: .stream(body)) { run(handler, request) }
        case .answer(let response):
            // A short body is read and dropped: some clients take an answer before it for a failure.
            if case .length(let count) = head.framing, count <= shard.limits.pipelinedBytes, !awaitsContinue,
                !endsStream
            {
                handler = .response(response)
            } else {
                respond(response)
            }
        case .upgrade:
            throw HTTPParseError(.notImplemented, "the protocol of a connection of HTTP/2 does not change")
        }
    }

    /// Answers a request that is no acceptable one.
    func refuse(_ error: HTTPParseError, endsStream: Bool) {
        isRead = isRead || endsStream
        fail(error)
    }

    func receive(_ piece: UnsafeRawBufferPointer) {
        if isDraining { return drain(piece.count) }
        guard !isRead else { return }
        record.bodyBytesReceived += piece.count
        rate.moved(piece.count, at: now)
        awaitsContinue = false
        do throws(HTTPParseError) {
            try receiver?.append(piece)
        } catch {
            return fail(error)
        }
        passedBytes += piece.count
        if body == nil { machine.taken(stream, piece.count) }
        guard hold((receiver?.heldBytes ?? 0)) else {
            return fail(
                HTTPParseError(
                    .serviceUnavailable,
                    "the server holds \(shard.limits.waitingBodyBytes) bytes of requests that are not complete, and takes no more"
                ))
        }
    }

    func receive(_ trailer: HPACKFields) {
        guard !isRead, let body else { return }
        do throws(HTTPParseError) {
            body.trailer = try HTTPTrailer(trailer, bytesMax: shard.limits.trailerBytes)
        } catch {
            fail(error)
        }
    }

    func receiveEnd() {
        if isDraining { isOver = true }
        guard !isRead else { return }
        isRead = true
        bodyDeadline = .never
        let receiver = self.receiver.take()
        _ = hold(body == nil ? 0 : heldBytes)
        do throws(HTTPParseError) {
            // A stream learns of its end by this.
            let (bytes, sentDigest) = try receiver?.finish() ?? ([], nil)
            answerCollected(bytes, sentDigest: sentDigest)
        } catch {
            fail(error)
        }
    }

    private func hold(_ count: Int) -> Bool {
        let before = heldBytes
        heldBytes = count
        return connection.holds(count, insteadOf: before)
    }

    private func sendContinue() {
        guard awaitsContinue else { return }
        awaitsContinue = false
        connection.channel.write { machine.appendHead(stream, status: 100, lines: [], endsStream: false, to: &$0) }
    }

    // MARK: Answering

    private func answerCollected(_ bytes: [UInt8], sentDigest: [UInt8]?) {
        switch handler.take() {
        case .task(let handler):
            if let request = request(body: .bytes(bytes), sentDigest: sentDigest) { run(handler, request) }
        case .computation(let compute):
            guard let request = request(body: .bytes(bytes), sentDigest: sentDigest) else { return }
            switch compute(request) {
            case .now(let response): respond(response)
            case .later(let wait): run({ _ in await wait() }, request)
            case .whileWaited(let wait):
                endsWithClient = true
                run({ _ in await wait() }, request)
            case .promised(let begin):
                isWorking = true
                begin { [self] response in
                    loop.execute { [self] in
                        workEnded()
                        respond(response)
                    }
                }
            case .promisedWhileWaited(let begin):
                endsWithClient = true
                isWorking = true
                giveUp = begin { [self] response in
                    loop.execute { [self] in
                        giveUp = nil
                        workEnded()
                        respond(response)
                    }
                }
            }
        case .response(let response): respond(response)
        case nil: break
        }
    }

    private func request(body: HTTPRequestBody, sentDigest: [UInt8]? = nil) -> HTTPRequest? {
        guard let head = record.head else { return nil }
        return HTTPRequest(
            head: head, body: body, identifier: record.identifier, peer: connection.channel.peer,
            isSecure: connection.channel.isSecure, loop: loop, sentDigest: sentDigest)
    }

    private func run(_ handler: @escaping HTTPHandler, _ request: HTTPRequest) {
        isWorking = true
        task = Task(executorPreference: loop) { [self] in
            let response = await handler(request)
            respond(response)
            if case .stream(_, let write) = response.body { await writeStream(write) }
            task = nil
            workEnded()
        }
    }

    func workEnded() {
        isWorking = false
        if isDetached { machine.workEnded() }
        isDetached = false
    }

    /// The body is not acceptable.
    private func fail(_ error: HTTPParseError) {
        bodyDeadline = .never
        receiver = nil
        isRead = true
        _ = hold(0)
        body?.end(.failure(.unacceptable(error)))
        if hasAnswer {
            end(.protocolError)
        } else if !isWorking {
            handler = nil
            respond(shard.application.answer(to: error, for: record.head))
        }
    }

    // MARK: Ending

    /// The answer is complete.
    func finish() {
        guard !isOver, !isDraining else { return }
        release(isComplete: true)
        guard machine.isReceiving(stream) else {
            isOver = true
            return
        }
        isDraining = true
        // Who waits for leave sends nothing without it.
        if awaitsContinue { return endDraining() }
        drainEnd = now.advanced(byMilliseconds: shard.limits.lingerMilliseconds)
        bodyDeadline = min(drainEnd, now.advanced(byMilliseconds: shard.limits.lingerSilenceMilliseconds))
    }

    private func drain(_ count: Int) {
        drainedBytes += count
        guard drainedBytes <= shard.limits.lingerBytes else { return endDraining() }
        machine.taken(stream, count)
        bodyDeadline = min(drainEnd, now.advanced(byMilliseconds: shard.limits.lingerSilenceMilliseconds))
    }

    /// The rest of the request is not wanted any longer.
    func endDraining() {
        guard isDraining, !isOver else { return }
        machine.reset(stream, .noError)
        connection.isBodyCutOff = true
        bodyDeadline = .never
        isOver = true
    }

    /// Ends the stream before its answer is complete.
    func end(_ code: HTTP2ErrorCode) {
        guard !isOver, !isDraining else { return }
        machine.reset(stream, code)
        close()
    }

    /// The stream is over, by the client or by what it has sent. Nobody waits for the answer.
    func cancel() {
        guard !isOver else { return }
        close()
        task?.cancel()
        giveUp?()
        if isWorking {
            isDetached = true
            machine.workGoesOn()
        }
    }

    /// The connection is gone.
    func abandon() {
        guard !isOver else { return }
        close()
        task?.cancel()
        giveUp?()
    }

    private func close() {
        isOver = true
        if !isDraining { release(isComplete: false) }
        bodyDeadline = .never
    }

    /// Lets go of all that the request holds, and reports it.
    private func release(isComplete: Bool) {
        (bodyDeadline, answerDeadline) = (.never, .never)
        isRead = true
        receiver = nil
        handler = nil
        outgoing = HTTP2OutgoingBody()
        _ = hold(0)
        body?.end(.failure(.connectionClosed))
        body = nil
        writing?.waiting?.resume()
        if !isComplete { writing?.clientEndedItsSide?() }
        writing = nil
        record.ended = .now
        record.isComplete = isComplete
        shard.application.finished(record)
    }

    /// The client sends nothing more, on any stream.
    func clientHasLeft() {
        if isDraining {
            isOver = true
        } else if !isRead {
            body?.end(.failure(.connectionClosed))
            if body == nil { cancel() }
        } else if endsWithClient {
            task?.cancel()
            giveUp?()
        } else {
            writing?.clientEndedItsSide?()
        }
    }

    // MARK: Time

    var deadline: MonotonicTime { min(bodyDeadline, answerDeadline) }

    func timeIsUp() {
        if isDraining { return endDraining() }
        if now >= bodyDeadline {
            if let body, body.waitingBytes > 0 {
                // Its reader is behind, and the client may have to wait for it.
                bodyDeadline = rate.begin(at: now)
            } else if let next = rate.check(at: now) {
                bodyDeadline = next
            } else {
                return fail(HTTPParseError(.requestTimeout, "the request's body came too slowly"))
            }
        }
        if now >= answerDeadline {
            guard let next = answerRate.check(at: now) else { return end(.cancel) }
            answerDeadline = next
        }
    }
}

// MARK: A body that is read while the request runs

extension HTTP2Exchange: HTTPBodySource {
    func bodyIsWanted() {
        checkLoop()
        sendContinue()
    }

    func bodyHasRoom() {
        checkLoop()
        guard let body, !isRead else { return }
        let taken = passedBytes - body.waitingBytes - returnedBytes
        guard taken > 0 else { return }
        returnedBytes += taken
        _ = hold(body.waitingBytes)
        machine.taken(stream, taken)
        connection.flushOutput()
    }
}
