import HTTP2

// The answer of an exchange: made as for HTTP/1.1, and sent in frames as far as the client's windows go.

extension HTTP2Exchange {
    // MARK: Answering

    func respond(_ response: HTTPResponse) {
        checkLoop()
        guard !isOver, !hasAnswer else { return }
        if response.dropsConnection { return connection.channel.close(.done) }
        if let compression = HTTPServerShard.longCompression(of: response, for: record.head) {
            compress(response, compression)
        } else {
            send(shard.compressed(response, for: record.head))
        }
    }

    private func compress(_ response: HTTPResponse, _ compression: LongCompression) {
        guard !isOver else { return }
        switch compression.next() {
        case .more: loop.execute { [self] in compress(response, compression) }
        case .done(let bytes): send(HTTPServerShard.compressed(response, bytes))
        case .failed: send(response)
        }
    }

    private func send(_ response: HTTPResponse) {
        guard !isOver, !hasAnswer else { return }
        hasAnswer = true
        let plan = HTTPBodyPlan(response, head: record.head)
        record.status = response.status
        record.note = response.note
        record.reason = response.reason
        if !plan.bytes.isEmpty { outgoing.append(plan.bytes) }
        if let file = plan.file {
            // Without a descriptor for it, the answer cannot be what its head would say.
            guard let sending = file.send() else { return end(.internalError) }
            outgoing.append(sending)
        }
        var isWritten = false
        if let streamed = plan.streamed {
            switch streamed {
            case .none: break
            case .length(let count): (isWritten, writing) = (true, Writing(left: count))
            case .chunked, .untilClose: (isWritten, writing) = (true, Writing())
            }
        }
        outgoing.isComplete = !isWritten
        let lines = shard.writer.lines(
            response, framing: plan.framing, identifier: record.identifier, date: shard.dateLine())
        let endsStream = !isWritten && outgoing.isEmpty
        let sent = connection.channel.outgoingBytes
        connection.channel.write {
            machine.appendHead(stream, status: response.status.code, lines: lines, endsStream: endsStream, to: &$0)
        }
        record.bytesSent += connection.channel.outgoingBytes - sent
        if response.closesConnection { connection.leave() }
        if endsStream { finish() }
        connection.wantsToSend()
    }

    // MARK: Sending

    /// True if there is something to send, or the end.
    var hasToSend: Bool { hasAnswer && !isOver && !isDraining && (!outgoing.isEmpty || outgoing.isComplete) }

    /// The bytes that wait here, with those that the writer keeps.
    var waitingBytes: Int { outgoing.bytes + keptBytes }

    /// True if the client takes nothing of what waits.
    var isRefused: Bool { answerDeadline != .never }

    /// Sends a frame, as far as the client's windows go. False if nothing was sent.
    func sendFrame() -> Bool {
        guard let sendable = machine.sendableBytes(stream) else {
            cancel()
            return false
        }
        guard sendable > 0 || outgoing.isEmpty else {
            if answerDeadline == .never { answerDeadline = answerRate.begin(at: now) }
            return false
        }
        guard let piece = outgoing.next(sendable) else {
            // A file that has become shorter cannot be completed.
            end(.internalError)
            return false
        }
        answerRate.moved(piece.count, at: now)
        let isLast = outgoing.isComplete && outgoing.isEmpty
        connection.channel.write { machine.appendData(stream, piece, endsStream: isLast, to: &$0) }
        record.bytesSent += piece.count
        if outgoing.isEmpty { answerDeadline = .never }
        if isLast { finish() } else { resumeWriter() }
        return true
    }

    private func resumeWriter() {
        guard outgoing.bytes <= shard.limits.streamedBytes, let waiting = writing?.waiting else { return }
        writing?.waiting = nil
        waiting.resume()
    }
}

// MARK: An answer that is written while the request runs

extension HTTP2Exchange: HTTPBodySink {
    func keepsBehind(_ count: Int) { keptBytes = count }

    func whenClientEndsItsSide(_ call: @escaping @Sendable () -> Void) {
        checkLoop()
        if connection.hasReadAll { call() } else { writing?.clientEndedItsSide = call }
    }

    /// Sends a piece of a streamed answer and waits while too much of it is still here.
    func writeBody(_ bytes: [UInt8]) async throws(HTTPBodyError) {
        checkLoop()
        guard !isOver, let writing else { throw .connectionClosed }
        var piece = bytes
        if let left = writing.left {
            // More than the promised length is cut off.
            if piece.count > left { piece = Array(piece.prefix(left)) }
            self.writing?.left = left - piece.count
        }
        if !piece.isEmpty { outgoing.append(piece) }
        connection.pump()
        while !isOver, outgoing.bytes > shard.limits.streamedBytes {
            await withCheckedContinuation { self.writing?.waiting = $0 }
        }
        if isOver { throw .connectionClosed }
    }

    func writeStream(_ write: @Sendable (HTTPBodyWriter) async throws -> Void) async {
        checkLoop()
        guard !isOver, writing != nil else { return }
        var isComplete = false
        do {
            try await write(HTTPBodyWriter(sink: self))
            isComplete = (writing?.left ?? 0) == 0
        } catch {
            isComplete = false
        }
        guard !isOver else { return }
        if isComplete {
            outgoing.isComplete = true
            connection.pump()
        } else {
            // Only that tells the client that something is missing.
            end(.internalError)
            connection.pump()
        }
    }
}
