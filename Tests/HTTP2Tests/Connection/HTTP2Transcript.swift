@testable import HTTP2

/// A connection that is fed with frames, and what it said.
struct HTTP2Transcript {
    var machine: HTTP2Machine
    private(set) var lines: [String] = []
    private(set) var error: HTTP2ConnectionError?
    var now: UInt64 = 0

    /// A connection behind its preface and the client's first SETTINGS.
    init(_ limits: HTTP2Limits = HTTP2Limits(), settings: [UInt8]? = Frame.settings([])) {
        machine = HTTP2Machine(limits: limits, nowMilliseconds: 0)
        machine.output = []
        if let settings {
            feed(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + settings)
            machine.output = []
            lines = []
        }
    }

    mutating func feed(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var position = 0
            do throws(HTTP2ConnectionError) {
                while error == nil, let event = try machine.next(bytes, at: &position, nowMilliseconds: now) {
                    lines.append(Self.text(of: event))
                }
            } catch {
                self.error = error
            }
        }
    }

    /// All events, then what the machine sends, then its error.
    var text: String {
        var lines = self.lines
        var sent: [UInt8] = []
        machine.takeOutput(into: &sent)
        lines += Frame.texts(of: sent)
        if let error { lines.append("error \(error.code)") }
        return lines.joined(separator: ", ")
    }

    static func text(of event: HTTP2Event) -> String {
        switch event {
        case .head(let stream, let request, let endsStream):
            let path = request.path.map { String(decoding: request.fields.value(of: $0), as: UTF8.self) } ?? ""
            let method = String(decoding: request.fields.value(of: request.method), as: UTF8.self)
            return "\(stream) \(method) \(path)\(endsStream ? " end" : "")"
        case .headTooLarge(let stream, let endsStream): return "\(stream) too large\(endsStream ? " end" : "")"
        case .data(let stream, let bytes): return "\(stream) data \(bytes.count)"
        case .trailer(let stream, let fields): return "\(stream) trailer \(fields.text)"
        case .end(let stream): return "\(stream) end"
        case .reset(let stream): return "\(stream) reset"
        case .roomToSend: return "room"
        case .goAway: return "go away"
        }
    }
}

/// Frames as a client sends them.
enum Frame {
    static func frame(_ kind: UInt8, _ flags: UInt8 = 0, _ stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        HTTP2FrameHeader.append(.data, flags: flags, stream: stream, count: payload.count, to: &bytes)
        bytes[3] = kind
        return bytes + payload
    }

    static func settings(_ entries: [(UInt16, UInt32)]) -> [UInt8] {
        var payload: [UInt8] = []
        for (identifier, value) in entries {
            payload += [UInt8(identifier >> 8), UInt8(identifier & 255)]
            HTTP2FrameHeader.append(value, to: &payload)
        }
        return frame(4, 0, 0, payload)
    }

    static func block(_ fields: [(String, String)]) -> [UInt8] {
        var block: [UInt8] = []
        for (name, value) in fields {
            block.append(0)
            for text in [name, value] {
                HPACKInteger.append(text.utf8.count, prefixBits: 7, pattern: 0, to: &block)
                block += Array(text.utf8)
            }
        }
        return block
    }

    static let get: [(String, String)] = [
        (":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "a.example"),
    ]
    static let post: [(String, String)] = [
        (":method", "POST"), (":scheme", "http"), (":path", "/"), (":authority", "a.example"),
    ]

    /// A request's head. Flags: 1 ends the stream, 4 the block.
    static func head(_ stream: UInt32, flags: UInt8 = 5, _ fields: [(String, String)] = get) -> [UInt8] {
        frame(1, flags, stream, block(fields))
    }

    static func data(_ stream: UInt32, _ count: Int, ends: Bool = false) -> [UInt8] {
        frame(0, ends ? 1 : 0, stream, [UInt8](repeating: 0x61, count: count))
    }

    static func reset(_ stream: UInt32) -> [UInt8] { frame(3, 0, stream, [0, 0, 0, 8]) }

    static func ping() -> [UInt8] { frame(6, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8]) }

    static func window(_ stream: UInt32, _ increment: UInt32) -> [UInt8] {
        var payload: [UInt8] = []
        HTTP2FrameHeader.append(increment, to: &payload)
        return frame(8, 0, stream, payload)
    }

    /// The frames that the server has sent, each in a few words.
    static func texts(of bytes: [UInt8]) -> [String] {
        var texts: [String] = []
        var rest = bytes[...]
        while rest.count >= 9 {
            let header = Array(rest.prefix(9)).withUnsafeBytes { HTTP2FrameHeader($0) }
            let payload = Array(rest.dropFirst(9).prefix(header.count))
            rest = rest.dropFirst(9 + header.count)
            let number = payload.count >= 4 ? payload.withUnsafeBytes { HTTP2FrameHeader.number($0, at: 0) } : 0
            let end = header.flags & 1 == 1 ? " end" : ""
            switch header.kind {
            case .data: texts.append(">\(header.stream) data \(header.count)\(end)")
            case .headers: texts.append(">\(header.stream) head\(end)")
            case .continuation: texts.append(">\(header.stream) more")
            case .resetStream:
                texts.append(">\(header.stream) \(HTTP2ErrorCode(rawValue: number).map { "\($0)" } ?? "?")")
            case .settings: texts.append(header.flags & 1 == 1 ? ">settings ok" : ">settings")
            case .ping: texts.append(">pong")
            case .windowUpdate: texts.append(">\(header.stream) window \(number)")
            case .goAway: texts.append(">go away \(number)")
            default: texts.append(">unknown")
            }
        }
        return texts
    }
}
