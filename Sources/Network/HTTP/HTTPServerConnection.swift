/// One client's HTTP connection: carries out on its channel what the parser and the machine answer, one request after the
/// other.
///
///     head known ─▶ reception ─┬─ answer ────────────────────────────▶ written
///                              ├─ collect body ─▶ task ─▶ response ──▶ written ─▶ next request, or close
///                              ├─ task, body streams in ─▶ response ─▶ written
///                              └─ upgrade: the channel gets another handler
///
/// Everything here happens on the thread of the channel's loop.
final class HTTPServerConnection: ChannelHandler, LoopBound, @unchecked Sendable {
    let channel: Channel
    let shard: HTTPServerShard
    private var parser: HTTPRequestParser
    private var machine: HTTPConnectionMachine
    /// The request that has begun, and what is known of its answer, for the log.
    private var exchange: HTTPExchange?
    private var handler: Handler?
    private var receiver: HTTPBodyReceiver?
    private var stream: HTTPBodyStream?
    private var task: Task<Void, Never>?
    /// Gives up the answer that somebody else makes, where nothing is lost by that.
    private var giveUp: (@Sendable () -> Void)?
    private var bodyWriting: HTTPBodyWriting?
    private var isParsing = false
    /// The bytes behind the request that is being answered.
    private var pending: [UInt8] = []

    /// The handler that answers when the body is complete.
    private enum Handler {
        case task(HTTPHandler)
        case computation(@Sendable (HTTPRequest) -> HTTPReply)
        case response(HTTPResponse)
    }

    init(channel: Channel, shard: HTTPServerShard) {
        self.channel = channel
        self.shard = shard
        parser = HTTPRequestParser(limits: shard.limits, unreadField: shard.unreadField, remembering: shard.heads)
        machine = HTTPConnectionMachine(shard.rules, now: shard.loop.now)
        channel.deadline = machine.deadline
    }

    var loop: EventLoop { shard.loop }

    private var now: MonotonicTime { loop.now }

    private var outgoing: HTTPAnswerWatch.Outgoing {
        HTTPAnswerWatch.Outgoing(
            waitingBytes: channel.outgoingBytes, deliveredBytes: channel.deliveredBytes,
            blockedSince: channel.blockedSince)
    }

    // MARK: Reading

    func channelDidRead(_ bytes: UnsafeRawBufferPointer) {
        switch machine.reading {
        case .parse:
            parse(bytes)
        case .keep:
            pending.append(contentsOf: bytes)
            if machine.kept(pending.count) == .pauseReading { channel.pauseReading() }
        case .drop:
            break
        }
    }

    private func parse(_ bytes: UnsafeRawBufferPointer) {
        isParsing = true
        defer { isParsing = false }
        if machine.isIdle, bytes.first == TLSSession.firstByte, !channel.isSecure { return fail(.speaksTLS) }
        if machine.isIdle, shard.refusesPlain(channel) { return fail(.speaksPlainHTTP) }
        var rest = bytes
        while true {
            switch parser.next(&rest) {
            case .head(let head): begin(head, hasBodyBegun: !rest.isEmpty)
            case .body(let piece): receive(piece)
            case .end: endOfRequest()
            case .failure(let error): return fail(error)
            case .needMore: return endOfBytes()
            case .preface: becomeHTTP2()
            }
            if channel.handler !== self {
                channel.handler?.channelDidRead(rest)
                return
            }
            switch machine.reading {
            case .parse: continue
            case .keep: return pending.append(contentsOf: rest)
            case .drop: return
            }
        }
    }

    /// The client speaks HTTP/2: in clear because it knows that the server does, over TLS because both have agreed.
    private func becomeHTTP2() {
        guard !channel.isSecure || channel.hasAgreedHTTP2 else { return fail(.servesNoHTTP2) }
        let isStopping = machine.isStopping
        let connection = handOver()
        connection.begin()
        if isStopping { connection.channelWillStop() }
    }

    private func handOver() -> HTTP2Connection {
        exchange = nil
        _ = channel.holdIncoming(0)
        machine.closed()
        let connection = HTTP2Connection(channel: channel, shard: shard)
        channel.handler = connection
        return connection
    }

    /// All that has come is parsed.
    private func endOfBytes() {
        guard channel.holdIncoming(parser.heldBytes + (receiver?.heldBytes ?? 0)) else {
            return fail(
                HTTPParseError(
                    .serviceUnavailable,
                    "the server holds \(shard.limits.waitingBodyBytes) bytes of requests that are not complete, and takes no more"
                ))
        }
        switch machine.receivedAll(isBetweenRequests: parser.isBetweenRequests, outgoing: outgoing, now: now) {
        case .beginRequest: exchange = shard.exchange(for: nil, peer: channel.peer)
        case .end: return end(isPeerSending: false)
        case .nothing: break
        }
        updateDeadline()
    }

    private func begin(_ head: HTTPRequestHead, hasBodyBegun: Bool) {
        if channel.isSecure, channel.hasAgreedHTTP2 { return handOver().refusePreface() }
        var exchange = shard.exchange(for: head, peer: channel.peer)
        let reception = shard.application.receive(
            head, from: channel.peer, isSecure: channel.isSecure, mark: &exchange.mark)
        self.exchange = exchange
        let form = HTTPConnectionMachine.Head(
            framing: head.framing, expectsContinue: head.expectsContinue, hasBodyBegun: hasBodyBegun)
        if form.waitsForNothing { sendContinue() }
        do throws(HTTPParseError) {
            try accept(head, form, as: reception)
        } catch {
            fail(error)
        }
    }

    private func accept(
        _ head: HTTPRequestHead, _ form: HTTPConnectionMachine.Head, as reception: HTTPReception
    ) throws(HTTPParseError) {
        switch reception {
        case .collect(let bodyMax, let handler):
            try collect(head, form, upTo: bodyMax, for: .task(handler))
        case .compute(let bodyMax, let computation):
            try collect(head, form, upTo: bodyMax, for: .computation(computation))
        case .stream(let bodyMax, let handler):
            let stream = HTTPBodyStream(waitingBytesMax: shard.limits.streamedBytes, source: self, on: loop)
            receiver = try HTTPBodyReceiver(streaming: head, to: stream, upTo: bodyMax)
            self.stream = stream
            machine.streams(form)
            if let request = request(body: .stream(stream)) { run(handler, request) }
        case .answer(let response):
            switch machine.answersAtOnce(form) {
            case .collect: handler = .response(response)
            case .respond: respond(response)
            }
        case .upgrade(let upgrade):
            switch machine.upgrades(form) {
            case .takeOver: takeOver(upgrade)
            case .refuse(let error): throw error
            }
        }
    }

    private func collect(
        _ head: HTTPRequestHead, _ form: HTTPConnectionMachine.Head, upTo bodyMax: Int, for handler: Handler
    ) throws(HTTPParseError) {
        receiver = try HTTPBodyReceiver(collecting: head, upTo: bodyMax)
        self.handler = handler
        if machine.collects(form) == .sendContinue { sendContinue() }
    }

    private func sendContinue() {
        channel.write { shard.writer.appendContinue(to: &$0) }
    }

    private func receive(_ piece: UnsafeRawBufferPointer) {
        exchange?.bodyBytesReceived += piece.count
        machine.receivedBody(piece.count, now: now)
        do throws(HTTPParseError) {
            try receiver?.append(piece)
        } catch {
            return fail(error)
        }
        if let stream, stream.isFull, machine.bodyIsFull() == .pauseReading {
            channel.pauseReading()
            updateDeadline()
        }
    }

    private func endOfRequest() {
        let receiver = self.receiver.take()
        stream?.trailer = parser.trailer
        _ = channel.holdIncoming(0)
        let action = machine.receivedEnd()
        updateDeadline()
        do throws(HTTPParseError) {
            // A stream learns of its end by this.
            let (body, sentDigest) = try receiver?.finish() ?? ([], nil)
            if action == .answerCollected { answerCollected(body, sentDigest: sentDigest) }
        } catch {
            fail(error)
        }
    }

    // MARK: Answering

    private func answerCollected(_ body: [UInt8], sentDigest: [UInt8]?) {
        switch handler.take() {
        case .task(let handler):
            if let request = request(body: .bytes(body), sentDigest: sentDigest) { run(handler, request) }
        case .computation(let compute):
            guard let request = request(body: .bytes(body), sentDigest: sentDigest) else { return }
            switch compute(request) {
            case .now(let response): respond(response)
            case .later(let wait): run({ _ in await wait() }, request)
            case .whileWaited(let wait): run({ _ in await wait() }, request, endsWithClient: true)
            case .promised(let begin):
                begin { [self] response in channel.loop.execute { [self] in respond(response) } }
            case .promisedWhileWaited(let begin):
                let action = machine.taskBegins(endsWithClient: true)
                let giveUp = begin { [self] response in
                    channel.loop.execute { [self] in
                        self.giveUp = nil
                        machine.taskEnded()
                        respond(response)
                    }
                }
                self.giveUp = giveUp
                if action == .cancel { giveUp() }
            }
        case .response(let response): respond(response)
        case nil: break
        }
    }

    private func request(body: HTTPRequestBody, sentDigest: [UInt8]? = nil) -> HTTPRequest? {
        guard let identifier = exchange?.identifier, let head = exchange?.head else { return nil }
        return HTTPRequest(
            head: head, body: body, identifier: identifier, peer: channel.peer, isSecure: channel.isSecure,
            loop: channel.loop, sentDigest: sentDigest)
    }

    private func run(_ handler: @escaping HTTPHandler, _ request: HTTPRequest, endsWithClient: Bool = false) {
        let action = machine.taskBegins(endsWithClient: endsWithClient)
        task = Task(executorPreference: channel.loop) { [self] in
            let response = await handler(request)
            task = nil
            machine.taskEnded()
            respond(response)
            if case .stream(_, let write) = response.body { await writeStream(write) }
        }
        if action == .cancel { task?.cancel() }
    }

    /// Answers a request that is no acceptable one. Where the next would begin is not known: the connection ends.
    private func fail(_ error: HTTPParseError) {
        if channel.isSecure, channel.hasAgreedHTTP2 { return handOver().refusePreface() }
        _ = channel.holdIncoming(0)
        stream?.end(.failure(.unacceptable(error)))
        switch machine.failed() {
        case .answer:
            if exchange == nil { exchange = shard.exchange(for: nil, peer: channel.peer) }
            receiver = nil
            respond(shard.application.answer(to: error, for: exchange?.head))
        case .tellReader:
            receiver = nil
            channel.pauseReading()
            updateDeadline()
        case .close:
            channel.close(.done)
        }
    }

    private func respond(_ response: HTTPResponse) {
        checkLoop()
        guard machine.wantsAnswer, exchange != nil else { return }
        if response.dropsConnection { return channel.close(.done) }
        // Hot path: an answer that is sent as it is is not copied.
        let head = exchange?.head
        guard HTTPServerShard.isCompressible(response, for: head) else { return send(response) }
        if let compression = HTTPServerShard.longCompression(of: response, for: head) {
            compress(response, compression)
        } else {
            send(shard.compressed(response, for: head))
        }
    }

    /// Compresses the next piece of a long body, and sends all when it was the last.
    private func compress(_ response: HTTPResponse, _ compression: LongCompression) {
        guard machine.wantsAnswer else { return }
        switch compression.next() {
        case .more: channel.loop.execute { [self] in compress(response, compression) }
        case .done(let bytes): send(HTTPServerShard.compressed(response, bytes))
        case .failed: send(response)
        }
    }

    private func send(_ response: HTTPResponse) {
        guard let identifier = exchange?.identifier else { return }
        let head = exchange?.head
        let plan = HTTPBodyPlan(response, head: head)
        let isLast = response.closesConnection || plan.endsWithConnection || !(head?.keepsAlive ?? false)
        guard case .write(let closes) = machine.answerBegins(closes: isLast) else { return }
        let before = channel.outgoingBytes
        let (status, fields, date) = (response.status, response.fields, shard.dateLine())
        channel.write { buffer in
            shard.writer.appendHead(
                status, fields, framing: plan.framing, keepsAlive: !closes, minorVersion: head?.minorVersion ?? 1,
                identifier: identifier, date: date, to: &buffer)
        }
        if !plan.bytes.isEmpty { channel.write(whole: plan.bytes) }
        var sent = channel.outgoingBytes - before
        if let file = plan.file?.send() {
            sent += file.remaining
            channel.send(file)
        }
        // Hot path: the exchange is changed where it is.
        exchange?.noteAnswer(response, bytesSent: sent)
        if let streamed = plan.streamed {
            bodyWriting = HTTPBodyWriting(streamed)
        } else {
            answerEnds(isComplete: true)
        }
    }

    /// The answer is with the channel, or will never be complete.
    private func answerEnds(isComplete: Bool) {
        finishExchange(isComplete: isComplete)
        stream = nil
        receiver = nil
        // Nothing may be written behind a file that is being sent.
        let hasRoom = channel.outgoingBytes <= shard.limits.streamedBytes && !channel.isSendingFile
        switch machine.answerEnds(isComplete: isComplete, hasRoom: hasRoom, outgoing: outgoing, now: now) {
        case .takeNextRequest: takeNextRequest()
        case .wait: updateDeadline()
        case .end(let isPeerSending): end(isPeerSending: isPeerSending)
        }
    }

    private func takeNextRequest() {
        updateDeadline()
        channel.resumeReading()
        // Otherwise the loop that parses goes on by itself.
        guard !isParsing else { return }
        var bytes: [UInt8] = []
        swap(&bytes, &pending)
        bytes.withUnsafeBytes { parse($0) }
    }

    private func finishExchange(isComplete: Bool) {
        guard var exchange = exchange.take() else { return }
        exchange.ended = .now
        exchange.isComplete = isComplete
        shard.application.finished(exchange)
    }

    private func takeOver(_ upgrade: HTTPUpgrade) {
        guard let identifier = exchange?.identifier else { return }
        exchange?.status = HTTPStatus(code: 101)
        channel.write { shard.writer.appendUpgrade(upgrade.fields, identifier: identifier, to: &$0) }
        finishExchange(isComplete: true)
        updateDeadline()
        _ = channel.holdIncoming(0)
        shard.channelIsUpgraded(channel)
        channel.handler = upgrade.takeOver(channel, identifier)
        if machine.isStopping { channel.handler?.channelWillStop() }
    }

    // MARK: Ending

    /// Ends the connection when the client has all that was written.
    private func end(isPeerSending: Bool) {
        updateDeadline()
        channel.closeAfterFlush(isPeerSending: isPeerSending)
    }

    func channelDidReadAll() {
        switch machine.readAll(outgoing: outgoing, now: now) {
        case .end:
            // Of a request whose head never came there is nothing to say.
            exchange = nil
            end(isPeerSending: false)
        case .abandon:
            finishExchange(isComplete: false)
            channel.close(.peerGone)
        case .endBody: stream?.end(.failure(.connectionClosed))
        case .cancelTask:
            task?.cancel()
            giveUp?()
        case .nothing: bodyWriting?.clientEndedItsSide?()
        }
    }

    func channelWillStop() {
        guard machine.stop() == .read else { return }
        channel.readNow()
        switch machine.stopped(outgoing: outgoing, now: now) {
        case .end: end(isPeerSending: false)
        case .refuse(let error): fail(error)
        case .nothing: break
        }
    }

    /// Answers that the server has no place for this connection.
    func refuse() {
        fail(
            HTTPParseError(
                .serviceUnavailable, "the server has \(shard.limits.connections) connections and takes no more"))
    }

    func channelDidWrite(_ count: Int) {
        if machine.wrote(outgoing: outgoing, now: now) == .watch { updateDeadline() }
    }

    func channelDidFlush() {
        bodyWriting?.resume()
        if machine.flushed(now: now) == .takeNextRequest { takeNextRequest() }
    }

    func channelDidTimeOut() {
        switch machine.timeIsUp(outgoing: outgoing, now: now) {
        case .wait: updateDeadline()
        case .refuse(let error): fail(error)
        case .close: channel.close(.timedOut)
        }
    }

    func channelDidClose(_ reason: ChannelCloseReason) {
        machine.closed()
        stream?.end(.failure(.connectionClosed))
        bodyWriting?.close()
        bodyWriting?.clientEndedItsSide?()
        task?.cancel()
        task = nil
        giveUp?()
        giveUp = nil
        handler = nil
        finishExchange(isComplete: false)
    }

    /// Not once the machine has come to its end: a channel that lingers has a deadline of its own.
    private func updateDeadline() {
        channel.deadline = machine.deadline
    }
}

// MARK: Bodies that are read or written while the request runs

extension HTTPServerConnection: HTTPBodySource, HTTPBodySink {
    func keepsBehind(_ count: Int) { channel.holdBehind(count) }

    func whenClientEndsItsSide(_ call: @escaping @Sendable () -> Void) {
        checkLoop()
        if machine.hasReadAll { call() } else { bodyWriting?.clientEndedItsSide = call }
    }

    func bodyIsWanted() {
        checkLoop()
        if machine.bodyIsWanted() == .sendContinue { sendContinue() }
    }

    func bodyHasRoom() {
        checkLoop()
        guard machine.bodyHasRoom(now: now) == .resumeReading else { return }
        channel.resumeReading()
        updateDeadline()
    }

    /// Sends a piece of a streamed answer and waits while too much of it is still here.
    func writeBody(_ bytes: [UInt8]) async throws(HTTPBodyError) {
        checkLoop()
        guard !channel.isClosed, var writing = bodyWriting else { throw .connectionClosed }
        let pieces = writing.frame(bytes)
        bodyWriting = writing
        let before = channel.outgoingBytes
        channel.write { $0.append(contentsOf: pieces) }
        exchange?.bytesSent += channel.outgoingBytes - before
        while channel.outgoingBytes > shard.limits.streamedBytes {
            await withCheckedContinuation { bodyWriting?.wait($0) ?? $0.resume() }
            if channel.isClosed { throw .connectionClosed }
        }
    }

    private func writeStream(_ write: @Sendable (HTTPBodyWriter) async throws -> Void) async {
        checkLoop()
        guard let before = bodyWriting else { return }
        var isComplete = before.isBodiless
        if !isComplete {
            do {
                try await write(HTTPBodyWriter(sink: self))
                isComplete = bodyWriting?.isComplete ?? false
            } catch {
                isComplete = false
            }
        }
        guard !channel.isClosed, let writing = bodyWriting else { return }
        bodyWriting = nil
        if isComplete, !writing.end.isEmpty { channel.write { $0.append(contentsOf: writing.end) } }
        answerEnds(isComplete: isComplete)
    }
}
