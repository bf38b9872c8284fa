// Bodies that are read or written while the request runs.

extension HTTPServerConnection: HTTPBodySource {
    func bodyIsWanted() {
        if waitsForContinue { sendContinue() }
    }

    func sendContinue() {
        waitsForContinue = false
        channel.write { shard.writer.appendContinue(to: &$0) }
    }

    func bodyHasRoom() {
        guard case .running(isBodyComplete: false) = phase else { return }
        channel.resumeReading()
        if channel.deadline == .never { channel.deadline = rate.begin(at: shard.loop.now) }
    }

    /// Sends a piece of a streamed answer and waits while too much of it is still here.
    func writeBody(_ bytes: [UInt8]) async throws(HTTPBodyError) {
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

    func writeStream(_ write: @Sendable (HTTPBodyWriter) async throws -> Void) async {
        guard let before = bodyWriting else { return }
        var isComplete = before.isBodiless
        if !isComplete {
            do {
                try await write(HTTPBodyWriter(connection: self))
                isComplete = bodyWriting?.isComplete ?? false
            } catch {
                isComplete = false
            }
        }
        guard !channel.isClosed, let writing = bodyWriting else { return }
        bodyWriting = nil
        guard isComplete else {
            // The client was promised more: only the end of the connection tells it that this is not all.
            finishExchange(isComplete: false)
            return end(isPeerSending: false)
        }
        let end = writing.end
        if !end.isEmpty { channel.write { $0.append(contentsOf: end) } }
        answered(closes: writing.closesAtEnd)
    }
}
