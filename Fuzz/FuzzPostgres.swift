// A libFuzzer target for the messages of a PostgreSQL server. `Fuzz/run` builds and starts it.

/// What became of some bytes, cut as the seed says: the messages, and a trip with two questions that takes them.
private struct Outcome: Equatable {
    var lines: [String] = []
    var rows = 0
    var violation: PostgresViolation?
    var tripViolation: PostgresViolation?

    init(_ bytes: [UInt8], cut seed: UInt8, limits: PostgresLimits) {
        var frames = MessageFrames(limits: limits)
        frames.isSignedIn = true
        var trip = TripProgress(limits: limits)
        for _ in 0..<2 {
            _ = trip.expect(PreparedStatement(PostgresStatement("SELECT 1"), name: "s"), isParsed: true)
        }
        var start = 0
        while start < bytes.count, violation == nil {
            let count = seed == 0 ? bytes.count : min(bytes.count - start, 1 + Int(seed) * (start + 1) % 13)
            // A copy in a place of its own, so that the sanitizer sees a read beyond it.
            Array(bytes[start..<start + count]).withUnsafeBytes { frames.receive($0) }
            start += count
            take(&frames, &trip, limits)
        }
        precondition(trip.answers.count <= 2, "there are more answers than questions")
        for answer in trip.answers {
            if let parts = answer.parts(2) {
                precondition(parts.reduce(0) { $0 + $1.rowCount } == answer.rowCount, "parts have other rows")
            }
            for row in 0..<answer.rowCount {
                for column in 0..<answer.columns.count {
                    rows += answer[row].bytes(column)?.count ?? 0
                    _ = try? answer[row].integer(column)
                    _ = try? answer[row].text(column)
                }
            }
        }
    }

    private mutating func take(_ frames: inout MessageFrames, _ trip: inout TripProgress, _ limits: PostgresLimits) {
        while true {
            do throws(PostgresViolation) {
                guard let frame = try frames.next() else { return }
                let bytes = frames.bytes(of: frame)
                precondition(bytes.count <= limits.rowMessageBytes, "a message is longer than its limit")
                lines.append("\(frame.kind) \(bytes.count)")
                if frame.kind != .dataRow {
                    let message = try ServerMessage(frame.kind, bytes, limits: limits)
                    if tripViolation == nil {
                        tripViolation = Self.violation { () throws(PostgresViolation) in
                            try trip.take(message, frame.kind)
                        }
                    }
                } else if tripViolation == nil {
                    tripViolation = Self.violation { () throws(PostgresViolation) in
                        try bytes.withUnsafeBufferPointer { row throws(PostgresViolation) in
                            try trip.take(row: UnsafeRawBufferPointer(row))
                        }
                    }
                }
            } catch {
                violation = error
                return
            }
        }
    }

    private static func violation(_ body: () throws(PostgresViolation) -> Void) -> PostgresViolation? {
        do throws(PostgresViolation) {
            try body()
            return nil
        } catch {
            return error
        }
    }
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPostgres(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var limits = PostgresLimits()
    limits.rowMessageBytes = 1_000
    limits.messageBytes = 1_000
    let messages = Array(bytes[1...])
    let whole = Outcome(messages, cut: 0, limits: limits)
    let inPieces = Outcome(messages, cut: bytes[0] | 1, limits: limits)
    precondition(whole == inPieces, "the outcome depends on how the bytes are cut")
    return 0
}
