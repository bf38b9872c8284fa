// Header blocks: HEADERS with its CONTINUATION frames, and the streams that they open or end.

extension HTTP2Machine {
    func beginHeaders(_ header: HTTP2FrameHeader) throws(HTTP2ConnectionError) {
        guard header.stream & 1 == 1 else { throw .malformed("a client's streams have odd numbers") }
        let prefix = countedPadding(header) + (header.has(Flags.priority) ? 5 : 0)
        guard header.count >= prefix else { throw .badSize("HEADERS has no room for its padding or its priority") }
        headsBegun &+= 1
        block = Block(stream: header.stream, endsStream: header.has(Flags.endStream))
        if prefix > 0 {
            reading = .fixed(header, prefix)
        } else {
            reading = .fragment(left: header.count, padding: 0, endsBlock: header.has(Flags.endHeaders))
        }
    }

    /// The bytes before the fragment are there.
    func takeHeadersPrefix(_ header: HTTP2FrameHeader, _ bytes: [UInt8]) throws(HTTP2ConnectionError) {
        let padding = header.has(Flags.padded) ? Int(bytes[0]) : 0
        let left = header.count - bytes.count - padding
        guard left >= 0 else { throw .malformed("HEADERS has more padding than bytes") }
        if header.has(Flags.priority) {
            let dependency = bytes.withUnsafeBytes { HTTP2FrameHeader.number($0, at: countedPadding(header)) }
            block?.dependsOnItself = dependency & 0x7FFF_FFFF == header.stream
        }
        reading = .fragment(left: left, padding: padding, endsBlock: header.has(Flags.endHeaders))
    }

    func beginContinuation(_ header: HTTP2FrameHeader) throws(HTTP2ConnectionError) {
        guard let known = block else { throw .malformed("CONTINUATION continues no header block") }
        guard known.continuations < limits.continuationFrames else {
            throw .tooMuch("a header block has more than \(limits.continuationFrames) CONTINUATION frames")
        }
        guard known.bytes.count + header.count <= limits.headerBlockBytes else {
            throw .tooMuch("a header block has more than \(limits.headerBlockBytes) bytes")
        }
        block?.continuations += 1
        reading = .fragment(left: header.count, padding: 0, endsBlock: header.has(Flags.endHeaders))
    }

    /// A header block is complete.
    func endBlock() throws(HTTP2ConnectionError) -> HTTP2Event? {
        guard let block else { return nil }
        self.block = nil
        let fields: HPACKFields
        do throws(HPACKError) {
            fields = try block.bytes.withUnsafeBufferPointer { bytes throws(HPACKError) in
                try decoder.decode(UnsafeRawBufferPointer(bytes), limits: limits)
            }
        } catch {
            guard error == .tooLarge else { throw .init(.compressionError, "a header block cannot be decoded") }
            throw .tooMuch("the fields of a request take more than \(limits.headerListTimesMax) times their limit")
        }
        switch streams.state(of: block.stream) {
        case .idle: return try open(block, fields)
        case .open(let place): return try endBody(block, fields, place)
        case .resetByUs: return nil
        case .closed: throw .init(.streamClosed, "HEADERS for a stream that is closed")
        case .forgotten: throw .malformed("HEADERS for a stream below those that were opened")
        }
    }

    private func open(_ block: Block, _ fields: HPACKFields) throws(HTTP2ConnectionError) -> HTTP2Event? {
        let stream = block.stream
        streams.use(stream)
        if lastServed != nil {
            // The client learns by GOAWAY that this one is not served.
            streams.remember(stream, isResetByUs: true)
            return nil
        }
        if block.dependsOnItself { return try fail(stream, .protocolError) }
        guard streams.open.count + detached < limits.concurrentStreams else {
            try countEmptyFrame()
            appendReset(stream, .refusedStream)
            streams.remember(stream, isResetByUs: true)
            return nil
        }
        var opened = HTTP2Stream(
            identifier: stream, sendWindow: settings.initialWindow,
            // Streams may come before the client knows how large the window is.
            receiveWindow: max(limits.streamWindowBytes, 65_535), isRemoteEnded: block.endsStream)
        if fields.isTooLarge {
            streams.append(opened)
            return .headTooLarge(stream, endsStream: block.endsStream)
        }
        let request: HTTP2RequestFields
        do throws(HTTP2RequestFields.Problem) {
            request = try HTTP2RequestFields(fields)
        } catch {
            return try fail(stream, .protocolError)
        }
        if block.endsStream, let length = request.contentLength, length > 0 {
            return try fail(stream, .protocolError)
        }
        opened.bytesToCome = request.contentLength
        streams.append(opened)
        return .head(stream, request, endsStream: block.endsStream)
    }

    /// The fields behind a body.
    private func endBody(
        _ block: Block, _ fields: HPACKFields, _ place: Int
    ) throws(HTTP2ConnectionError) -> HTTP2Event? {
        let stream = block.stream
        guard !streams[place].isRemoteEnded else { return try fail(stream, .streamClosed) }
        guard block.endsStream, streams[place].bytesToCome ?? 0 == 0, !block.dependsOnItself else {
            return try fail(stream, .protocolError)
        }
        guard !fields.isTooLarge else { return try fail(stream, .enhanceYourCalm) }
        do throws(HTTP2RequestFields.Problem) {
            _ = try HTTP2RequestFields.checkRegular(fields, from: 0)
        } catch {
            return try fail(stream, .protocolError)
        }
        endsNext(stream)
        return .trailer(stream, fields)
    }
}
