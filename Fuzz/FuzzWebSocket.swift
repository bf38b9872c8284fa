// A libFuzzer target for the WebSocket frame parser and for inflating messages. `Fuzz/run` builds and starts it.

/// What a parser said to some bytes, cut as the seed says.
private struct Outcome: Equatable {
    var events: [WebSocketParser.Event] = []
    var violation: WebSocketViolation?

    init(_ bytes: [UInt8], cut seed: UInt8, settings: WebSocketSettings, isCompressionAgreed: Bool) {
        var parser = WebSocketParser(role: .server, settings: settings, isCompressionAgreed: isCompressionAgreed)
        var start = 0
        while start < bytes.count {
            let count = seed == 0 ? bytes.count : min(bytes.count - start, 1 + Int(seed) * (start + 1) % 13)
            // A copy in a place of its own, so that the sanitizer sees a read beyond it.
            Array(bytes[start..<start + count]).withUnsafeBytes { piece in
                var position = 0
                do throws(WebSocketViolation) {
                    while let event = try parser.next(piece, at: &position) { events.append(event) }
                    precondition(position == piece.count, "bytes are left over")
                } catch {
                    precondition(violation == nil, "a parser that has failed goes on")
                    violation = error
                }
            }
            start += count
        }
    }
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWebSocket(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var settings = WebSocketSettings()
    settings.messageBytesMax = 3000
    settings.messageFramesMax = 6
    let isAgreed = bytes[0] & 1 == 1
    let frames = Array(bytes[1...])
    let whole = Outcome(frames, cut: 0, settings: settings, isCompressionAgreed: isAgreed)
    let inPieces = Outcome(frames, cut: bytes[0] | 1, settings: settings, isCompressionAgreed: isAgreed)
    precondition(whole == inPieces, "the answer depends on how the bytes are cut")

    var pool = CompressionPool()
    for case .message(let message) in whole.events {
        precondition(message.bytes.count <= settings.messageBytesMax, "a message is longer than its limit")
        guard let inflated = try? message.inflated(by: &pool, bytesMax: settings.messageBytesMax) else { continue }
        precondition(inflated.bytes.count <= settings.messageBytesMax, "a message is longer than its limit")
        if inflated.kind == .text {
            precondition(String(validating: inflated.bytes, as: UTF8.self) != nil, "text is not UTF-8")
        }
    }
    return 0
}
