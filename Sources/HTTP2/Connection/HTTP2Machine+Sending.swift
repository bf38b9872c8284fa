// The answers: heads and data as frames, within the client's windows.

extension HTTP2Machine {
    /// True if there is something to send of what the protocol itself has to say.
    package var hasOutput: Bool { !output.isEmpty }

    /// Appends that to what leaves for the client.
    package func takeOutput(into buffer: inout [UInt8]) {
        guard !output.isEmpty else { return }
        buffer.append(contentsOf: output)
        output = []
    }

    /// Appends the head of an answer.
    ///
    /// - Parameter lines: its fields as lines of HTTP/1.1.
    package func appendHead(
        _ stream: UInt32, status: Int, lines: [UInt8], endsStream: Bool, to buffer: inout [UInt8]
    ) {
        guard let place = streams.place(of: stream), !streams[place].isLocalEnded else { return }
        takeOutput(into: &buffer)
        var fields: [UInt8] = []
        fields.reserveCapacity(lines.count + 16)
        encoder.beginBlock(&fields)
        HPACKEncoder.append(status: status, to: &fields)
        lines.withUnsafeBufferPointer { HPACKEncoder.append(lines: $0, to: &fields) }
        appendBlock(fields, stream, flags: endsStream ? Flags.endStream : 0, to: &buffer)
        if endsStream { endLocal(place) }
    }

    private func appendBlock(_ fields: [UInt8], _ stream: UInt32, flags: UInt8, to buffer: inout [UInt8]) {
        let countMax = min(settings.frameBytes, HTTP2Limits.sentFrameBytes)
        var (start, kind, flags) = (0, HTTP2FrameHeader.Kind.headers, flags)
        repeat {
            let count = min(countMax, fields.count - start)
            if start + count == fields.count { flags |= Flags.endHeaders }
            HTTP2FrameHeader.append(kind, flags: flags, stream: stream, count: count, to: &buffer)
            buffer.append(contentsOf: fields[start..<start + count])
            start += count
            (kind, flags) = (.continuation, 0)
        } while start < fields.count
    }

    /// The bytes of a stream that may be sent in a frame now; nil if the stream is over.
    package func sendableBytes(_ stream: UInt32) -> Int? {
        guard let place = streams.place(of: stream), !streams[place].isLocalEnded else { return nil }
        return max(
            0, min(sendWindow, streams[place].sendWindow, min(settings.frameBytes, HTTP2Limits.sentFrameBytes)))
    }

    /// Appends a frame of data: not more than `sendableBytes`.
    package func appendData(
        _ stream: UInt32, _ bytes: ArraySlice<UInt8>, endsStream: Bool, to buffer: inout [UInt8]
    ) {
        guard let place = streams.place(of: stream), !streams[place].isLocalEnded else { return }
        takeOutput(into: &buffer)
        HTTP2FrameHeader.append(
            .data, flags: endsStream ? Flags.endStream : 0, stream: stream, count: bytes.count, to: &buffer)
        buffer.append(contentsOf: bytes)
        sendWindow -= bytes.count
        streams[place].sendWindow -= bytes.count
        // The client answers data with windows, and some with pings.
        if bytes.count >= Self.fullFrameBytes { emptyFrames.give(3) }
        if endsStream { endLocal(place) }
    }

    /// Frames of data with fewer bytes carry next to nothing: a client with small windows makes the server send many.
    static let fullFrameBytes = 512

    private func endLocal(_ place: Int) {
        streams[place].isLocalEnded = true
        closeIfEnded(place)
    }

    /// Ends a stream before its end, for the server's own reasons. NO_ERROR where the answer is complete and the rest of the request is
    /// not wanted.
    package func reset(_ stream: UInt32, _ code: HTTP2ErrorCode) {
        guard let place = streams.place(of: stream) else { return }
        streams.close(place, isResetByUs: true)
        appendReset(stream, code)
    }

    /// Returns whether the client may still send on a stream.
    package func isReceiving(_ stream: UInt32) -> Bool {
        streams.place(of: stream).map { !streams[$0].isRemoteEnded } ?? false
    }

    /// Tells the client to open no more streams. Those that are open are served to their end where there is no error.
    package func goAway(_ code: HTTP2ErrorCode, _ reason: String = "") {
        guard lastServed == nil || code != .noError else { return }
        let last = lastServed ?? streams.last
        lastServed = last
        let text = Array(reason.utf8.prefix(Self.reasonBytesMax))
        HTTP2FrameHeader.append(.goAway, stream: 0, count: 8 + text.count, to: &output)
        HTTP2FrameHeader.append(last, to: &output)
        HTTP2FrameHeader.append(code.rawValue, to: &output)
        output.append(contentsOf: text)
    }

    private static let reasonBytesMax = 256

    /// The work of a stream that was cancelled has not ended: it counts as a stream until it has.
    package func workGoesOn() { detached += 1 }

    package func workEnded() { detached = max(0, detached - 1) }
}
