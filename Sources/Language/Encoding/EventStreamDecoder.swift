/// Finds the messages of an event stream in bytes that come piece by piece.
package struct EventStreamDecoder {
    private var waiting: [UInt8] = []

    package init() {}

    /// Why bytes are no such stream.
    package struct Malformed: Error {
        package let reason: String
    }

    /// The messages that are complete now.
    package mutating func decode(_ bytes: some Collection<UInt8>) throws(Malformed) -> [EventStreamMessage] {
        waiting.append(contentsOf: bytes)
        var messages: [EventStreamMessage] = []
        var start = 0
        while let message = try message(from: &start) { messages.append(message) }
        waiting.removeFirst(start)
        return messages
    }

    /// True if all that has come was whole messages.
    package var isAtEnd: Bool { waiting.isEmpty }

    private func message(from start: inout Int) throws(Malformed) -> EventStreamMessage? {
        let rest = waiting[start...]
        guard rest.count >= EventStreamMessage.preludeBytes else { return nil }
        let count = Int(Self.number(rest, at: 0))
        let headBytes = Int(Self.number(rest, at: 4))
        let least = EventStreamMessage.preludeBytes + EventStreamMessage.checksumBytes
        guard Self.number(rest, at: 8) == EventStreamMessage.checksum(of: rest.prefix(8)) else {
            throw Malformed(reason: "the checksum of a message's head is wrong")
        }
        guard count >= least, count <= LanguageLimits.eventBytesMax, headBytes <= count - least else {
            throw Malformed(reason: "a message says that it has \(count) bytes, \(headBytes) of them headers")
        }
        guard rest.count >= count else { return nil }
        let whole = rest.prefix(count)
        guard Self.number(whole, at: count - 4) == EventStreamMessage.checksum(of: whole.dropLast(4)) else {
            throw Malformed(reason: "the checksum of a message is wrong")
        }
        let head = whole.dropFirst(EventStreamMessage.preludeBytes).prefix(headBytes)
        start += count
        return EventStreamMessage(
            headers: try Self.headers(head),
            payload: Array(whole.dropFirst(EventStreamMessage.preludeBytes + headBytes).dropLast(4)))
    }

    /// Those whose values are texts; the others are passed over.
    private static func headers(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> [EventStreamMessage.Header] {
        var headers: [EventStreamMessage.Header] = []
        var rest = bytes
        func take(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
            guard rest.count >= count else { throw Malformed(reason: "a message's headers end in the middle of one") }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        func count(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
        while !rest.isEmpty {
            let name = try take(count(take(1)))
            switch try take(1).first {
            case 0, 1: break
            case 2: _ = try take(1)
            case 3: _ = try take(2)
            case 4: _ = try take(4)
            case 5, 8: _ = try take(8)
            case 6: _ = try take(count(take(2)))
            case 7:
                let value = try take(count(take(2)))
                headers.append(
                    EventStreamMessage.Header(
                        name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self)))
            case 9: _ = try take(16)
            default: throw Malformed(reason: "a message has a header of an unknown type")
            }
        }
        return headers
    }

    private static func number(_ bytes: ArraySlice<UInt8>, at offset: Int) -> UInt32 {
        bytes.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
