// The rules for each type of frame (RFC 9113, section 6).

extension HTTP2Machine {
    typealias Flags = HTTP2FrameHeader.Flags

    /// A frame begins.
    func begin(_ header: HTTP2FrameHeader) throws(HTTP2ConnectionError) -> HTTP2Event? {
        guard header.count <= HTTP2Limits.frameBytes else {
            throw .badSize("a frame has more than \(HTTP2Limits.frameBytes) bytes")
        }
        if !hasSettings, header.kind != .settings || header.has(Flags.acknowledge) {
            throw .malformed("the first frame is not SETTINGS")
        }
        if let block, header.kind != .continuation || header.stream != block.stream {
            throw .malformed("a frame comes between the frames of a header block")
        }
        switch header.kind {
        case .data: return try beginData(header)
        case .headers: try beginHeaders(header)
        case .continuation: try beginContinuation(header)
        case .settings: try beginSettings(header)
        case .pushPromise: throw .malformed("a client promises nothing")
        case .priority: try beginFixed(header, of: 5, isOfStream: true)
        case .resetStream: try beginFixed(header, of: 4, isOfStream: true)
        case .windowUpdate: try beginFixed(header, of: 4, isOfStream: nil)
        case .ping: try beginFixed(header, of: 8, isOfStream: false)
        case .goAway:
            guard header.count >= 8 else { throw .badSize("GOAWAY has at least 8 bytes") }
            guard header.stream == 0 else { throw .malformed("GOAWAY belongs to no stream") }
            reading = .fixed(header, 8)
        case nil:
            try countEmptyFrame()
            reading = .skip(header.count)
        }
        return nil
    }

    /// A frame that always has so many bytes. `isOfStream`: whether it belongs to a stream; nil: it may.
    private func beginFixed(
        _ header: HTTP2FrameHeader, of count: Int, isOfStream: Bool?
    ) throws(HTTP2ConnectionError) {
        guard header.count == count else { throw .badSize("a frame of this type has \(count) bytes") }
        if let isOfStream, isOfStream != (header.stream != 0) {
            throw .malformed("a frame of this type belongs to \(isOfStream ? "a" : "no") stream")
        }
        reading = .fixed(header, count)
    }

    private func beginSettings(_ header: HTTP2FrameHeader) throws(HTTP2ConnectionError) {
        guard header.stream == 0 else { throw .malformed("SETTINGS belongs to no stream") }
        if header.has(Flags.acknowledge) {
            guard header.count == 0 else { throw .badSize("an acknowledgement of SETTINGS has no bytes") }
            try countEmptyFrame()
            reading = .header
            return
        }
        guard header.count % HTTP2Settings.entryBytes == 0 else {
            throw .badSize("SETTINGS has \(HTTP2Settings.entryBytes) bytes for each setting")
        }
        guard header.count <= HTTP2Limits.settingsOfFrame * HTTP2Settings.entryBytes else {
            throw .tooMuch("a SETTINGS frame has more than \(HTTP2Limits.settingsOfFrame) settings")
        }
        try countEmptyFrame()
        reading = .settings(left: header.count, settings)
    }

    func countedPadding(_ header: HTTP2FrameHeader) -> Int { header.has(Flags.padded) ? 1 : 0 }

    /// A frame that carries nothing, or nothing that is of use.
    func countEmptyFrame() throws(HTTP2ConnectionError) {
        guard emptyFrames.take(nowMilliseconds: now) else { throw .tooMuch("too many frames that carry nothing") }
    }

    // MARK: Bodies

    private func beginData(_ header: HTTP2FrameHeader) throws(HTTP2ConnectionError) -> HTTP2Event? {
        guard header.stream != 0 else { throw .malformed("DATA belongs to a stream") }
        guard header.count <= receiveWindow else {
            throw .init(.flowControlError, "more data than the connection's window has")
        }
        receiveWindow -= header.count
        returnToConnection(header.count)
        reading = .skip(header.count)
        switch streams.state(of: header.stream) {
        case .idle:
            throw .malformed("DATA comes before the head of its stream")
        case .closed, .forgotten:
            throw .init(.streamClosed, "DATA for a stream that is closed")
        case .resetByUs:
            if header.count < Self.fullFrameBytes { try countEmptyFrame() }
            return nil
        case .open(let place):
            guard !streams[place].isRemoteEnded else { return try fail(header.stream, .streamClosed) }
            guard header.count <= streams[place].receiveWindow else {
                return try fail(header.stream, .flowControlError)
            }
            streams[place].receiveWindow -= header.count
            if header.has(Flags.padded) {
                guard header.count >= 1 else { throw .badSize("DATA has no room for its padding") }
                reading = .fixed(header, 1)
                return nil
            }
            return try beginData(header, padding: 0, place)
        }
    }

    /// The data of a frame begins, whose padding is known.
    private func beginData(
        _ header: HTTP2FrameHeader, padding: Int, _ place: Int
    ) throws(HTTP2ConnectionError) -> HTTP2Event? {
        let count = header.count - countedPadding(header) - padding
        let endsStream = header.has(Flags.endStream)
        if count == 0, !endsStream { try countEmptyFrame() }
        if let rest = streams[place].bytesToCome {
            guard count <= rest, !endsStream || count == rest else {
                reading = .skip(count + padding)
                return try fail(header.stream, .protocolError)
            }
            streams[place].bytesToCome = rest - count
        }
        // No reader takes the padding.
        if header.count > count { taken(header.stream, header.count - count) }
        reading = .data(header.stream, left: count, padding: padding, endsStream: endsStream)
        return nil
    }

    // MARK: Frames of fixed size, and the first bytes of others

    /// The fixed bytes of a frame are there.
    func take(_ header: HTTP2FrameHeader, _ bytes: [UInt8]) throws(HTTP2ConnectionError) -> HTTP2Event? {
        switch header.kind {
        case .data:
            let padding = Int(bytes[0])
            guard padding < header.count else { throw .malformed("DATA has more padding than bytes") }
            guard let place = streams.place(of: header.stream) else { return nil }
            return try beginData(header, padding: padding, place)
        case .headers:
            try takeHeadersPrefix(header, bytes)
            return nil
        case .priority:
            try countEmptyFrame()
            return try checkDependency(header.stream, bytes.withUnsafeBytes { HTTP2FrameHeader.number($0, at: 0) })
        case .resetStream: return try takeReset(header.stream)
        case .ping:
            try countEmptyFrame()
            guard !header.has(Flags.acknowledge) else { return nil }
            HTTP2FrameHeader.append(.ping, flags: Flags.acknowledge, stream: 0, count: 8, to: &output)
            output.append(contentsOf: bytes)
            try countControl(HTTP2FrameHeader.count + 8)
            return nil
        case .windowUpdate:
            let increment = bytes.withUnsafeBytes { HTTP2FrameHeader.number($0, at: 0) } & 0x7FFF_FFFF
            return try takeWindowUpdate(header.stream, Int(increment))
        case .goAway: return .goAway
        case .settings, .pushPromise, .continuation, nil: return nil
        }
    }

    /// Priorities are not served. A stream that depends on itself is refused as the standard asks for.
    private func checkDependency(
        _ stream: UInt32, _ dependency: UInt32
    ) throws(HTTP2ConnectionError) -> HTTP2Event? {
        guard dependency & 0x7FFF_FFFF == stream else { return nil }
        guard streams.place(of: stream) != nil else { throw .malformed("a stream depends on itself") }
        return try fail(stream, .protocolError)
    }

    private func takeReset(_ stream: UInt32) throws(HTTP2ConnectionError) -> HTTP2Event? {
        switch streams.state(of: stream) {
        case .idle:
            throw .malformed("RST_STREAM comes before the head of its stream")
        case .closed, .resetByUs, .forgotten:
            try countEmptyFrame()
            return nil
        case .open(let place):
            streams.close(place, isResetByUs: false)
            try countReset()
            return .reset(stream)
        }
    }

    private func takeWindowUpdate(
        _ stream: UInt32, _ increment: Int
    ) throws(HTTP2ConnectionError) -> HTTP2Event? {
        try countEmptyFrame()
        guard stream != 0 else {
            guard increment > 0 else { throw .malformed("WINDOW_UPDATE adds nothing") }
            sendWindow += increment
            guard sendWindow <= HTTP2Settings.windowMax else {
                throw .init(.flowControlError, "the connection's window is beyond 2^31-1")
            }
            return .roomToSend
        }
        switch streams.state(of: stream) {
        case .idle:
            throw .malformed("WINDOW_UPDATE comes before the head of its stream")
        case .closed, .resetByUs, .forgotten:
            return nil
        case .open(let place):
            guard increment > 0 else { return try fail(stream, .protocolError) }
            streams[place].sendWindow += increment
            guard streams[place].sendWindow <= HTTP2Settings.windowMax else {
                return try fail(stream, .flowControlError)
            }
            return .roomToSend
        }
    }

    // MARK: Streams that end early

    /// Ends a stream because of what the client has sent.
    func fail(_ stream: UInt32, _ code: HTTP2ErrorCode) throws(HTTP2ConnectionError) -> HTTP2Event? {
        appendReset(stream, code)
        let place = streams.place(of: stream)
        if let place {
            streams.close(place, isResetByUs: true)
        } else {
            streams.remember(stream, isResetByUs: true)
        }
        try countReset()
        return place == nil ? nil : .reset(stream)
    }

    private func countReset() throws(HTTP2ConnectionError) {
        guard resets.take(nowMilliseconds: now) else { throw .tooMuch("too many streams end before their answer") }
    }

    func appendReset(_ stream: UInt32, _ code: HTTP2ErrorCode) {
        HTTP2FrameHeader.append(.resetStream, stream: stream, count: 4, to: &output)
        HTTP2FrameHeader.append(code.rawValue, to: &output)
    }
}
