import TestSupport

@testable import HTTP2
@testable import Network

/// A client of HTTP/2 that sends exactly the frames it is told to.
final class HTTP2TestClient {
    let raw: RawClient
    private var rest: [UInt8] = []
    private var decoder = HPACKDecoder()

    struct Failure: Error {
        let description: String
    }

    struct Frame {
        let kind: UInt8
        let flags: UInt8
        let stream: UInt32
        let payload: [UInt8]

        var endsStream: Bool { kind < 2 && flags & 1 == 1 }
        /// The code of RST_STREAM.
        var code: UInt32? { kind == 3 ? payload.withUnsafeBytes { HTTP2FrameHeader.number($0, at: 0) } : nil }
    }

    /// An answer: its fields as text, its body, and the code of a reset if that ended it.
    struct Answer: Equatable {
        var fields = ""
        var body: [UInt8] = []
        var code: UInt32?

        var status: String { String(fields.dropFirst(":status: ".count).prefix(3)) }
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    init(port: UInt16, settings: [UInt8] = HTTP2TestClient.frame(4, 0, 0, [])) throws {
        raw = try RawClient(port: port)
        try raw.send(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + settings)
    }

    static func frame(_ kind: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        HTTP2FrameHeader.append(.data, flags: flags, stream: stream, count: payload.count, to: &bytes)
        bytes[3] = kind
        return bytes + payload
    }

    static func head(
        _ stream: UInt32, _ method: String = "GET", _ path: String, ends: Bool = true, _ fields: [(String, String)] = []
    ) -> [UInt8] {
        var block: [UInt8] = []
        let all = [(":method", method), (":scheme", "http"), (":path", path), (":authority", "a.example")] + fields
        for (name, value) in all {
            block.append(0)
            for text in [name, value] {
                HPACKInteger.append(text.utf8.count, prefixBits: 7, pattern: 0, to: &block)
                block += Array(text.utf8)
            }
        }
        return frame(1, ends ? 5 : 4, stream, block)
    }

    static func data(_ stream: UInt32, _ text: String, ends: Bool = false) -> [UInt8] {
        data(stream, Array(text.utf8), ends: ends)
    }

    static func data(_ stream: UInt32, _ bytes: [UInt8], ends: Bool = false) -> [UInt8] {
        frame(0, ends ? 1 : 0, stream, bytes)
    }

    static func window(_ stream: UInt32, _ count: UInt32) -> [UInt8] {
        var payload: [UInt8] = []
        HTTP2FrameHeader.append(count, to: &payload)
        return frame(8, 0, stream, payload)
    }

    func send(_ frames: [UInt8]...) throws { try raw.send(frames.flatMap { $0 }) }

    /// The next frame; nil at the end of the connection.
    func next() throws -> Frame? {
        while true {
            if rest.count >= 9 {
                let header = rest.withUnsafeBytes { HTTP2FrameHeader($0) }
                if rest.count >= 9 + header.count {
                    let frame = Frame(
                        kind: rest[3], flags: header.flags, stream: header.stream,
                        payload: Array(rest[9..<9 + header.count]))
                    rest.removeFirst(9 + header.count)
                    return frame
                }
            }
            guard let bytes = try raw.bytes(until: .now + .seconds(60)) else {
                throw Failure(description: "no frame has come")
            }
            if bytes.isEmpty { return nil }
            rest += bytes
        }
    }

    /// The answer of a stream. Frames of others are read over.
    func answer(_ stream: UInt32) throws -> Answer { try answers([stream])[0] }

    /// The answers of several, which come in any order.
    func answers(_ streams: [UInt32]) throws -> [Answer] {
        var answers = [Answer](repeating: Answer(), count: streams.count)
        var left = streams.count
        while left > 0 {
            guard let frame = try next() else { throw Failure(description: "the connection has ended") }
            guard let place = streams.firstIndex(of: frame.stream) else { continue }
            switch frame.kind {
            case 0: answers[place].body += frame.payload
            case 1:
                let fields = try frame.payload.withUnsafeBufferPointer { bytes throws(HPACKError) in
                    try decoder.decode(UnsafeRawBufferPointer(bytes), limits: HTTP2Limits())
                }
                answers[place].fields += fields.entries.map {
                    String(decoding: fields.name(of: $0), as: UTF8.self) + ": "
                        + String(decoding: fields.value(of: $0), as: UTF8.self) + "\n"
                }.joined()
            case 3:
                answers[place].code = frame.code
                left -= 1
            default: break
            }
            if frame.endsStream { left -= 1 }
        }
        return answers
    }

    /// Reads until the connection ends, and answers the code of the last GOAWAY.
    func readToGoAway() throws -> UInt32? {
        var code: UInt32?
        while let frame = try next() {
            if frame.kind == 7 { code = frame.payload.withUnsafeBytes { HTTP2FrameHeader.number($0, at: 4) } }
        }
        return code
    }
}
