/// One client's HTTP connection: carries out what the request parser finds, one request after the other.
///
///     head known ─▶ reception ─┬─ answer ────────────────────────────▶ written
///                              ├─ collect body ─▶ task ─▶ response ──▶ written ─▶ next request, or close
///                              ├─ task, body streams in ─▶ response ─▶ written
///                              └─ upgrade: the channel gets another handler
///
/// Requests of a pipeline are answered in order because the next one is parsed when the last one is done. Everything
/// here happens on the thread of the channel's loop.
final class HTTPServerConnection: ChannelHandler, @unchecked Sendable {
    // Safe to share: all methods run on the loop's thread; tasks that hold a connection prefer that loop.

    let channel: Channel
    let shard: HTTPServerShard
    private var parser: HTTPRequestParser
    var phase = Phase.idle
    var exchange: HTTPExchange?
    private var handler: Handler?
    private var receiver: HTTPBodyReceiver?
    private var task: Task<Void, Never>?
    /// Whether the task is of no use when the client has gone. One that only ended its side is taken for gone, too: most are,
    /// and no sign tells one from the other.
    private var isTaskForClient = false
    var waitsForContinue = false
    private var hasReadAll = false
    private var isStopping = false
    private var isParsing = false
    /// What came behind the request that is being answered.
    private var pending: [UInt8] = []
    private(set) var stream: HTTPBodyStream?
    /// How the body comes, and how the answer goes.
    var rate: TransferRate
    private var answerRate: TransferRate
    /// What the client had taken when the answer's rate was looked at, and since when it made the server wait then.
    private var deliveredBytes = 0
    private var watchedBlock: MonotonicTime?
    var bodyWriting: HTTPBodyWriting?

    /// What answers when the body is complete.
    private enum Handler {
        case task(HTTPHandler)
        case computation(@Sendable (HTTPRequest) -> HTTPReply)
        case response(HTTPResponse)
    }

    enum Phase {
        /// Between requests, or with a part of a head.
        case idle
        /// The body comes in; the handler waits for all of it.
        case collecting
        /// The handler runs; its request's body may still come in.
        case running(isBodyComplete: Bool)
        /// The answer is written and leaves.
        case answered
        /// Nothing more is read or answered.
        case ending
    }

    init(channel: Channel, shard: HTTPServerShard) {
        self.channel = channel
        self.shard = shard
        parser = HTTPRequestParser(limits: shard.limits)
        rate = TransferRate(shard.bodyBounds)
        answerRate = TransferRate(shard.answerBounds)
        channel.deadline = shard.loop.now.advanced(byMilliseconds: shard.limits.idleMilliseconds)
    }

    // MARK: Reading

    func channelDidRead(_ bytes: UnsafeRawBufferPointer) {
        switch phase {
        case .idle, .collecting, .running(isBodyComplete: false):
            parse(bytes)
        case .running(isBodyComplete: true), .answered:
            pending.append(contentsOf: bytes)
            if pending.count > shard.limits.pipelinedBytes { channel.pauseReading() }
        case .ending:
            break
        }
    }

    private func parse(_ bytes: UnsafeRawBufferPointer) {
        isParsing = true
        defer { isParsing = false }
        if exchange == nil, parser.isBetweenRequests, bytes.first == TLSSession.firstByte, !channel.isSecure {
            return fail(.speaksTLS)
        }
        var rest = bytes
        while true {
            switch parser.next(&rest) {
            case .head(let head):
                begin(head, hasBodyBegun: !rest.isEmpty)
            case .body(let piece):
                receive(piece)
            case .end:
                endOfRequest()
            case .failure(let error):
                return fail(error)
            case .needMore:
                return endOfBytes()
            }
            if channel.handler !== self {
                channel.handler?.channelDidRead(rest)
                return
            }
            switch phase {
            case .idle, .collecting, .running(isBodyComplete: false):
                continue
            case .running(isBodyComplete: true), .answered:
                pending.append(contentsOf: rest)
                return
            case .ending:
                return
            }
        }
    }

    /// All that has come is parsed: sets the deadline for what is expected next from the client.
    private func endOfBytes() {
        guard channel.holdIncoming(parser.heldBytes + (receiver?.heldBytes ?? 0)) else {
            return fail(
                HTTPParseError(
                    .serviceUnavailable,
                    "the server holds \(shard.limits.waitingBodyBytes) bytes of requests that are not complete, and takes no more"
                ))
        }
        switch phase {
        case .idle where !parser.isBetweenRequests:
            let latest = shard.loop.now.advanced(byMilliseconds: shard.limits.headMilliseconds)
            if exchange == nil {
                exchange = shard.exchange(for: nil, peer: channel.peer)
                channel.deadline = latest
            }
        case .collecting, .running(isBodyComplete: false):
            if channel.deadline == .never { channel.deadline = rate.begin(at: shard.loop.now) }
        case .idle where isStopping || hasReadAll:
            endIdle()
        default:
            break
        }
    }

    private func begin(_ head: HTTPRequestHead, hasBodyBegun: Bool) {
        var exchange = shard.exchange(for: head, peer: channel.peer)
        channel.deadline = .never
        waitsForContinue = head.expectsContinue && head.framing != .none && !hasBodyBegun
        let reception = shard.application.receive(
            head, from: channel.peer, isSecure: channel.isSecure, mark: &exchange.mark)
        self.exchange = exchange
        do throws(HTTPParseError) {
            try accept(head, as: reception)
        } catch {
            fail(error)
        }
    }

    private func accept(_ head: HTTPRequestHead, as reception: HTTPReception) throws(HTTPParseError) {
        switch reception {
        case .collect(let bodyMax, let handler):
            receiver = try HTTPBodyReceiver(collecting: head, upTo: bodyMax)
            collect(for: .task(handler))
        case .compute(let bodyMax, let computation):
            receiver = try HTTPBodyReceiver(collecting: head, upTo: bodyMax)
            collect(for: .computation(computation))
        case .stream(let bodyMax, let handler):
            let stream = HTTPBodyStream(waitingBytesMax: shard.limits.streamedBytes, source: self)
            receiver = try HTTPBodyReceiver(streaming: head, to: stream, upTo: bodyMax)
            self.stream = stream
            phase = .running(isBodyComplete: false)
            run(handler, body: .stream(stream))
        case .answer(let response):
            answer(response, at: head)
        case .upgrade(let upgrade):
            try takeOver(upgrade)
        }
    }

    private func collect(for handler: Handler) {
        self.handler = handler
        phase = .collecting
        if waitsForContinue { sendContinue() }
    }

    /// A short body is read and dropped, so that the connection can be used on; a long one ends with the connection.
    private func answer(_ response: HTTPResponse, at head: HTTPRequestHead) {
        if case .length(1...shard.limits.pipelinedBytes) = head.framing, !waitsForContinue {
            collect(for: .response(response))
        } else {
            phase = .running(isBodyComplete: head.framing == .none || head.framing == .length(0))
            respond(response)
        }
    }

    private func receive(_ piece: UnsafeRawBufferPointer) {
        exchange?.bodyBytesReceived += piece.count
        rate.moved(piece.count, at: shard.loop.now)
        waitsForContinue = false
        do throws(HTTPParseError) {
            try receiver?.append(piece)
        } catch {
            return fail(error)
        }
        if let stream, stream.isFull {
            channel.pauseReading()
            channel.deadline = .never
        }
    }

    private func endOfRequest() {
        channel.deadline = .never
        let receiver = self.receiver.take()
        _ = channel.holdIncoming(0)
        switch phase {
        case .collecting:
            do throws(HTTPParseError) {
                let body = try receiver?.finish() ?? []
                phase = .running(isBodyComplete: true)
                answerCollected(body)
            } catch {
                fail(error)
            }
        case .running:
            do throws(HTTPParseError) {
                _ = try receiver?.finish()
                phase = .running(isBodyComplete: true)
            } catch {
                fail(error)
            }
        case .idle, .answered, .ending:
            break
        }
    }

    // MARK: Answering

    private func answerCollected(_ body: [UInt8]) {
        let handler = self.handler.take()
        switch handler {
        case .task(let handler): run(handler, body: .bytes(body))
        case .computation(let compute):
            guard let request = request(body: .bytes(body)) else { return }
            switch compute(request) {
            case .now(let response): respond(response)
            case .later(let wait): run({ _ in await wait() }, request)
            case .whileWaited(let wait):
                run({ _ in await wait() }, request)
                isTaskForClient = true
                if hasReadAll { task?.cancel() }
            case .promised(let begin):
                begin { [self] response in channel.loop.execute { [self] in respond(response) } }
            }
        case .response(let response): respond(response)
        case nil: break
        }
    }

    private func request(body: HTTPRequestBody) -> HTTPRequest? {
        guard let exchange, let head = exchange.head else { return nil }
        return HTTPRequest(
            head: head, body: body, identifier: exchange.identifier, peer: channel.peer, isSecure: channel.isSecure,
            loop: channel.loop)
    }

    private func run(_ handler: @escaping HTTPHandler, body: HTTPRequestBody) {
        if let request = request(body: body) { run(handler, request) }
    }

    private func run(_ handler: @escaping HTTPHandler, _ request: HTTPRequest) {
        isTaskForClient = false
        task = Task(executorPreference: channel.loop) { [self] in
            let response = await handler(request)
            task = nil
            respond(response)
            if case .stream(_, let write) = response.body { await writeStream(write) }
        }
    }

    /// Answers a request that is no acceptable one. Where the next would begin is not known: the connection ends.
    private func fail(_ error: HTTPParseError) {
        _ = channel.holdIncoming(0)
        stream?.end(.failure(.unacceptable(error)))
        switch phase {
        case .answered, .ending:
            channel.close(.done)
        case .running where task != nil:
            // The handler learns it from the body's stream, and its answer is sent.
            receiver = nil
            channel.pauseReading()
            channel.deadline = .never
        default:
            if exchange == nil { exchange = shard.exchange(for: nil, peer: channel.peer) }
            receiver = nil
            phase = .running(isBodyComplete: false)
            respond(shard.application.answer(to: error))
        }
    }

    private func respond(_ response: HTTPResponse) {
        guard case .running = phase, let exchange else { return }
        if let compression = HTTPServerShard.longCompression(of: response, for: exchange.head) {
            compress(response, compression)
        } else {
            send(shard.compressed(response, for: exchange.head))
        }
    }

    /// Compresses the next piece of a long body, and sends all when it was the last.
    private func compress(_ response: HTTPResponse, _ compression: LongCompression) {
        guard case .running = phase, !channel.isClosed else { return }
        switch compression.next() {
        case .more: channel.loop.execute { [self] in compress(response, compression) }
        case .done(let bytes): send(HTTPServerShard.compressed(response, bytes))
        case .failed: send(response)
        }
    }

    private func send(_ response: HTTPResponse) {
        guard case .running(let isBodyComplete) = phase, var exchange else { return }
        let minorVersion = exchange.head?.minorVersion ?? 1
        let keepsAlive =
            isBodyComplete && !response.closesConnection && !isStopping && !hasReadAll
            && (exchange.head?.keepsAlive ?? false)
        exchange.status = response.status
        exchange.note = response.note
        exchange.reason = response.reason
        let plan = HTTPBodyPlan(response, head: exchange.head)
        let mustClose = !keepsAlive || plan.endsWithConnection
        let sent = channel.outgoingBytes
        channel.write { buffer in
            shard.writer.appendHead(
                response, framing: plan.framing, keepsAlive: !mustClose, minorVersion: minorVersion,
                identifier: exchange.identifier, date: shard.dateLine(), to: &buffer)
        }
        if !plan.bytes.isEmpty { channel.write(whole: plan.bytes) }
        exchange.bytesSent += channel.outgoingBytes - sent
        self.exchange = exchange
        if let file = plan.file?.send() {
            self.exchange?.bytesSent += file.remaining
            channel.send(file)
        }
        phase = .answered
        if let streamed = plan.streamed {
            bodyWriting = HTTPBodyWriting(streamed, closesAtEnd: mustClose)
        } else {
            answered(closes: mustClose)
        }
    }

    /// The whole answer is with the channel.
    func answered(closes: Bool) {
        finishExchange(isComplete: true)
        stream = nil
        receiver = nil
        guard !closes else {
            // A client that is still sending would lose the answer if the connection were closed under it.
            return end(isPeerSending: !hasReadAll)
        }
        phase = .answered
        // Answers that a client does not read must not pile up, and nothing may be written behind a file that is being
        // sent: then the next request waits until all have left.
        if channel.outgoingBytes <= shard.limits.streamedBytes, !channel.isSendingFile {
            takeNextRequest()
        } else {
            watchAnswer()
        }
    }

    /// Ends the connection when the client has all that was written, for which it has no more time than for any answer.
    func end(isPeerSending: Bool) {
        phase = .ending
        watchAnswer()
        channel.closeAfterFlush(isPeerSending: isPeerSending)
    }

    /// Begins to look at how the client takes what is written.
    private func watchAnswer() {
        watchedBlock = channel.blockedSince
        deliveredBytes = channel.deliveredBytes
        channel.deadline = answerRate.begin(at: shard.loop.now)
    }

    /// Time to look at it. While the client takes all, there is nothing to wait for.
    private func checkAnswer() {
        guard let blockedSince = channel.blockedSince else {
            // What is left of a long answer goes out in the turns that follow: only then is it known whether the client reads.
            guard channel.outgoingBytes == 0 else { return watchAnswer() }
            channel.deadline = .never
            return
        }
        guard watchedBlock == blockedSince else { return watchAnswer() }
        let delivered = channel.deliveredBytes
        answerRate.moved(delivered - deliveredBytes, at: shard.loop.now)
        deliveredBytes = delivered
        if let next = answerRate.check(at: shard.loop.now) { channel.deadline = next } else { channel.close(.timedOut) }
    }

    private func takeNextRequest() {
        phase = .idle
        channel.deadline = shard.loop.now.advanced(byMilliseconds: shard.limits.idleMilliseconds)
        channel.resumeReading()
        // Otherwise the loop that parses goes on by itself.
        guard !isParsing else { return }
        var bytes: [UInt8] = []
        swap(&bytes, &pending)
        bytes.withUnsafeBytes { parse($0) }
    }

    func finishExchange(isComplete: Bool) {
        guard var exchange else { return }
        self.exchange = nil
        exchange.ended = .now
        exchange.isComplete = isComplete
        shard.application.finished(exchange)
    }

    private func takeOver(_ upgrade: HTTPUpgrade) throws(HTTPParseError) {
        guard let identifier = exchange?.identifier, exchange?.head?.framing == HTTPBodyFraming.none else {
            throw .malformed("a request to change the protocol has no body")
        }
        exchange?.status = HTTPStatus(code: 101)
        channel.write { shard.writer.appendUpgrade(upgrade.fields, identifier: identifier, to: &$0) }
        finishExchange(isComplete: true)
        phase = .ending
        channel.deadline = .never
        _ = channel.holdIncoming(0)
        shard.channelIsUpgraded(channel)
        channel.handler = upgrade.takeOver(channel, identifier)
        if isStopping { channel.handler?.channelWillStop() }
    }

    // MARK: Ending

    func channelDidReadAll() {
        hasReadAll = true
        switch phase {
        case .idle:
            endIdle()
        case .collecting:
            finishExchange(isComplete: false)
            channel.close(.peerGone)
        case .running(isBodyComplete: false):
            stream?.end(.failure(.connectionClosed))
        case .running(isBodyComplete: true):
            if isTaskForClient { task?.cancel() }
        case .answered, .ending:
            break
        }
    }

    private func endIdle() {
        if exchange != nil, !hasReadAll {
            fail(HTTPParseError(.serviceUnavailable, "the server stops"))
        } else {
            exchange = nil
            end(isPeerSending: false)
        }
    }

    func channelWillStop() {
        isStopping = true
        guard case .idle = phase else { return }
        // A request that has already arrived is still answered.
        channel.readNow()
        if case .idle = phase, !channel.isClosed { endIdle() }
    }

    /// Answers that the server has no place for this connection.
    func refuse() {
        fail(
            HTTPParseError(
                .serviceUnavailable, "the server has \(shard.limits.connections) connections and takes no more"))
    }

    func channelDidWrite(_ count: Int) {
        // A stream that waited for its writer.
        if case .answered = phase, channel.deadline == .never { watchAnswer() }
    }

    func channelDidFlush() {
        bodyWriting?.resume()
        if case .answered = phase, bodyWriting == nil { takeNextRequest() }
    }

    func channelDidTimeOut() {
        switch phase {
        case .idle where exchange == nil && parser.isBetweenRequests:
            channel.close(.timedOut)
        case .idle:
            fail(HTTPParseError(.requestTimeout, "the request's head took too long"))
        case .collecting, .running(isBodyComplete: false):
            if let next = rate.check(at: shard.loop.now) {
                channel.deadline = next
            } else {
                fail(HTTPParseError(.requestTimeout, "the request's body came too slowly"))
            }
        case .answered, .ending:
            checkAnswer()
        case .running(isBodyComplete: true):
            break
        }
    }

    func channelDidClose(_ reason: ChannelCloseReason) {
        phase = .ending
        stream?.end(.failure(.connectionClosed))
        bodyWriting?.close()
        task?.cancel()
        task = nil
        handler = nil
        finishExchange(isComplete: false)
    }
}
