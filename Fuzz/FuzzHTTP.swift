// A libFuzzer target for the HTTP request parser. `Fuzz/run` builds and starts it.

/// What a parser said to some bytes, cut as the seed says.
private struct Outcome: Equatable {
    var lines: [String] = []
    var body: [UInt8] = []
    var error: HTTPParseError?

    init(_ bytes: [UInt8], cut seed: UInt8, limits: HTTPLimits) {
        var parser = HTTPRequestParser(limits: limits)
        var start = 0
        while start < bytes.count, error == nil {
            let count = seed == 0 ? bytes.count : min(bytes.count - start, 1 + Int(seed) * (start + 1) % 13)
            // A copy in a place of its own, so that the sanitizer sees a read beyond it.
            Array(bytes[start..<start + count]).withUnsafeBytes { take($0, with: &parser) }
            start += count
        }
    }

    private mutating func take(_ piece: UnsafeRawBufferPointer, with parser: inout HTTPRequestParser) {
        var rest = piece
        while true {
            switch parser.next(&rest) {
            case .needMore:
                precondition(rest.isEmpty, "bytes are left over")
                return
            case .head(let head):
                lines.append("\(head.method) \(head.path) ? \(head.query) \(head.authority ?? "") \(head.framing)")
                lines += head.fields.all.map { "\($0.name): \($0.value)" }
                precondition(head.fields.count <= 20, "a head has more fields than its limit")
            case .body(let piece):
                body += Array(piece)
            case .end:
                lines.append("end after \(body.count)")
            case .failure(let error):
                self.error = error
                return
            case .preface:
                self.error = .servesNoHTTP2
                return
            }
        }
    }
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTP(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var limits = HTTPLimits()
    limits.headBytes = 1000
    limits.headFields = 20
    let request = Array(bytes[1...])
    let whole = Outcome(request, cut: 0, limits: limits)
    let inPieces = Outcome(request, cut: bytes[0] | 1, limits: limits)
    precondition(whole == inPieces, "the answer depends on how the bytes are cut")
    return 0
}
