import CSystem
import JSON

/// A message of AWS's event streams (`application/vnd.amazon.eventstream`):
///
///     length of all │ of the headers │ CRC of those │ headers │ payload │ CRC of everything before
package struct EventStreamMessage: Sendable, Equatable {
    package struct Header: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    package let headers: [Header]
    package let payload: [UInt8]

    package static let contentType = "application/vnd.amazon.eventstream"
    static let preludeBytes = 12
    static let checksumBytes = 4

    init(headers: [Header], payload: [UInt8]) {
        self.headers = headers
        self.payload = payload
    }

    /// An event of that name.
    package init(event name: String, _ value: JSONValue) {
        self.init(
            headers: [
                Header(name: ":event-type", value: name), Header(name: ":content-type", value: "application/json"),
                Header(name: ":message-type", value: "event"),
            ], payload: JSONWriter.bytes(of: value))
    }

    /// An event of that name whose payload is bytes, of whatever kind.
    package init(event name: String, bytes: [UInt8]) {
        self.init(
            headers: [
                Header(name: ":event-type", value: name),
                Header(name: ":content-type", value: "application/octet-stream"),
                Header(name: ":message-type", value: "event"),
            ], payload: bytes)
    }

    /// The message that ends a failed stream.
    package init(_ error: LanguageError) {
        // The names of errors begin in lower case in streams.
        let name = String(error.type.prefix(1)).lowercased() + error.type.dropFirst()
        self.init(
            headers: [
                Header(name: ":exception-type", value: name), Header(name: ":content-type", value: "application/json"),
                Header(name: ":message-type", value: "exception"),
            ], payload: JSONWriter.bytes(of: error.body))
    }

    package func header(_ name: String) -> String? {
        headers.first { ByteText($0.name) == ByteText(name) }?.value
    }

    /// The type of values that are texts.
    private static let textType: UInt8 = 7

    package var bytes: [UInt8] {
        var head: [UInt8] = []
        for header in headers {
            let name = header.name.utf8.prefix(Int(UInt8.max))
            let value = header.value.utf8.prefix(Int(Int16.max))
            head.append(UInt8(name.count))
            head.append(contentsOf: name)
            head.append(Self.textType)
            head.append(UInt8(value.count >> 8))
            head.append(UInt8(value.count & 0xFF))
            head.append(contentsOf: value)
        }
        var bytes: [UInt8] = []
        let count = Self.preludeBytes + head.count + payload.count + Self.checksumBytes
        bytes.reserveCapacity(count)
        Self.append(UInt32(clamping: count), to: &bytes)
        Self.append(UInt32(clamping: head.count), to: &bytes)
        Self.append(Self.checksum(of: bytes[...]), to: &bytes)
        bytes.append(contentsOf: head)
        bytes.append(contentsOf: payload)
        Self.append(Self.checksum(of: bytes[...]), to: &bytes)
        return bytes
    }

    private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
        for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress else { return 0 }
            return UInt32(truncatingIfNeeded: homeport_crc(homeport_crc32, 0, start, buffer.count))
        }
    }
}
