// A libFuzzer target for the frames and header blocks of HTTP/2. `Fuzz/run` builds and starts it.

/// What a machine said to some bytes, cut as the seed says.
private struct Outcome: Equatable {
    var lines: [String] = []
    var bodies: [UInt32: Int] = [:]
    var error: HTTP2ConnectionError?

    init(_ bytes: [UInt8], cut seed: UInt8, limits: HTTP2Limits) {
        let machine = HTTP2Machine(
            limits: limits, prefaceBytesSeen: HTTP2Machine.preface.utf8CodeUnitCount, nowMilliseconds: 0)
        var start = 0
        while start < bytes.count, error == nil {
            let count = seed == 0 ? bytes.count : min(bytes.count - start, 1 + Int(seed) * (start + 1) % 13)
            // A copy in a place of its own, so that the sanitizer sees a read beyond it.
            Array(bytes[start..<start + count]).withUnsafeBytes { take($0, with: machine) }
            start += count
        }
        var sent: [UInt8] = []
        machine.takeOutput(into: &sent)
        lines.append("\(sent)")
        precondition(machine.heldBytes <= 4 * limits.headerBlockBytes, "a header block takes more than its limit")
        precondition(machine.openStreams <= limits.concurrentStreams, "more streams are open than the limit")
    }

    private mutating func take(_ piece: UnsafeRawBufferPointer, with machine: HTTP2Machine) {
        var position = 0
        do throws(HTTP2ConnectionError) {
            while let event = try machine.next(piece, at: &position, nowMilliseconds: 0) {
                switch event {
                case .head(let stream, let request, let ends):
                    lines.append("\(stream) \(request.fields.bytes) \(ends)")
                    precondition(request.fields.entries.count <= 20, "a head has more fields than its limit")
                case .data(let stream, let data): bodies[stream, default: 0] += data.count
                case .trailer(let stream, let fields): lines.append("\(stream) \(fields.bytes)")
                case .end(let stream): lines.append("\(stream) end after \(bodies[stream] ?? 0)")
                case .reset(let stream): lines.append("\(stream) reset")
                case .headTooLarge(let stream, _): lines.append("\(stream) too large")
                case .roomToSend, .goAway: lines.append("other")
                }
            }
            precondition(position == piece.count, "bytes are left over")
        } catch {
            self.error = error
        }
    }
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTP2(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var limits = HTTP2Limits()
    limits.headerListBytes = 1000
    limits.headerFields = 20
    limits.concurrentStreams = 4
    // The client's first SETTINGS, which all else needs.
    let frames: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0] + bytes[1...]
    let whole = Outcome(frames, cut: 0, limits: limits)
    let inPieces = Outcome(frames, cut: bytes[0] | 1, limits: limits)
    precondition(whole == inPieces, "the answer depends on how the bytes are cut")

    // The same bytes as a header block of their own.
    var decoder = HPACKDecoder()
    for _ in 0..<2 {
        _ = bytes.withUnsafeBufferPointer { try? decoder.decode(UnsafeRawBufferPointer($0), limits: limits) }
        precondition(decoder.heldBytes <= 2 * HTTP2Limits.tableBytes, "a table takes more than its limit")
    }
    return 0
}
