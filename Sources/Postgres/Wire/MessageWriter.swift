/// Writes the messages of a client, one behind the other.
struct MessageWriter {
    private(set) var bytes: [UInt8] = []

    /// What stands before a message's length.
    private enum Kind {
        static let bind = UInt8(ascii: "B")
        static let close = UInt8(ascii: "C")
        static let copyData = UInt8(ascii: "d")
        static let copyDone = UInt8(ascii: "c")
        static let describe = UInt8(ascii: "D")
        static let execute = UInt8(ascii: "E")
        static let parse = UInt8(ascii: "P")
        static let password = UInt8(ascii: "p")
        static let sync = UInt8(ascii: "S")
        static let terminate = UInt8(ascii: "X")
    }

    /// The version of the protocol, 3.0, and the requests that stand in its place.
    private enum Request {
        static let startup: UInt32 = 3 << 16
        static let cancel: UInt32 = 80_877_102
        static let tls: UInt32 = 80_877_103
    }

    var isEmpty: Bool { bytes.isEmpty }

    mutating func removeAll() { bytes = [] }

    // MARK: Messages

    mutating func startup(_ parameters: [(name: String, value: String)]) {
        message(nil) { writer in
            writer.uint32(Request.startup)
            for parameter in parameters {
                writer.text(parameter.name)
                writer.text(parameter.value)
            }
            writer.bytes.append(0)
        }
    }

    mutating func tlsRequest() { message(nil) { $0.uint32(Request.tls) } }

    mutating func cancelRequest(process: UInt32, secret: UInt32) {
        message(nil) { writer in
            writer.uint32(Request.cancel)
            writer.uint32(process)
            writer.uint32(secret)
        }
    }

    /// A password, or a digest of it, with the zero at its end.
    mutating func password(_ text: [UInt8]) {
        message(Kind.password) { writer in
            writer.bytes += text
            writer.bytes.append(0)
        }
    }

    mutating func saslBegin(mechanism: String, _ first: [UInt8]) {
        message(Kind.password) { writer in
            writer.text(mechanism)
            writer.uint32(UInt32(first.count))
            writer.bytes += first
        }
    }

    mutating func saslResponse(_ response: [UInt8]) { message(Kind.password) { $0.bytes += response } }

    mutating func parse(_ statement: PostgresStatement, name: String) {
        message(Kind.parse) { writer in
            writer.text(name)
            writer.text(statement.text)
            writer.uint16(UInt16(clamping: statement.parameters.count))
            for type in statement.parameters { writer.uint32(type.rawValue) }
        }
    }

    mutating func describe(statement name: String) {
        message(Kind.describe) { writer in
            writer.bytes.append(UInt8(ascii: "S"))
            writer.text(name)
        }
    }

    mutating func close(statement name: String) {
        message(Kind.close) { writer in
            writer.bytes.append(UInt8(ascii: "S"))
            writer.text(name)
        }
    }

    /// All values of the answer come in binary form.
    mutating func bind(statement name: String, _ values: [PostgresValue]) {
        message(Kind.bind) { writer in
            writer.bytes.append(0)  // The portal without a name.
            writer.text(name)
            writer.uint16(UInt16(clamping: values.count))
            for value in values { writer.uint16(value.type == .jsonb ? 0 : 1) }
            writer.uint16(UInt16(clamping: values.count))
            for value in values { writer.value(value) }
            writer.uint16(1)
            writer.uint16(1)
        }
    }

    /// At most so many rows; 0: all.
    mutating func execute(rowsMax: Int32) {
        message(Kind.execute) { writer in
            writer.bytes.append(0)
            writer.uint32(UInt32(bitPattern: rowsMax))
        }
    }

    /// The rows of a COPY, all of them.
    mutating func copy(_ rows: [UInt8]) {
        message(Kind.copyData) { $0.bytes += rows }
        message(Kind.copyDone) { _ in }
    }

    mutating func sync() { message(Kind.sync) { _ in } }

    mutating func terminate() { message(Kind.terminate) { _ in } }

    /// Messages that another writer has written.
    mutating func append(_ other: MessageWriter) { bytes += other.bytes }

    // MARK: Fields

    private mutating func message(_ kind: UInt8?, _ fields: (inout MessageWriter) -> Void) {
        if let kind { bytes.append(kind) }
        withLength(countsItself: true, fields)
    }

    /// Writes a length, and what has it.
    private mutating func withLength(countsItself: Bool, _ fields: (inout MessageWriter) -> Void) {
        let start = bytes.count
        uint32(0)
        fields(&self)
        // Who asks has checked that it fits.
        let length = UInt32(clamping: bytes.count - start - (countsItself ? 0 : 4))
        for place in 0..<4 { bytes[start + place] = UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32(place))) }
    }

    private mutating func value(_ value: PostgresValue) {
        switch value {
        case .null: uint32(AnswerRows.nullLength)
        case .bool(let value):
            uint32(1)
            bytes.append(value ? 1 : 0)
        case .int4(let value):
            uint32(4)
            uint32(UInt32(bitPattern: value))
        case .int8(let value), .timestamptz(let value): uint64(UInt64(bitPattern: value))
        case .float8(let value): uint64(value.bitPattern)
        case .text(let value), .jsonb(let value):
            uint32(UInt32(clamping: value.utf8.count))
            bytes += value.utf8
        case .bytea(let value):
            uint32(UInt32(clamping: value.count))
            bytes += value
        case .array(let type, let values): array(of: type, values)
        }
    }

    /// An array of one dimension; without a value it has none.
    private mutating func array(of type: PostgresType, _ values: [PostgresValue]) {
        let hasNulls = values.contains { if case .null = $0 { true } else { false } }
        withLength(countsItself: false) { writer in
            writer.uint32(values.isEmpty ? 0 : 1)
            writer.uint32(hasNulls ? 1 : 0)
            writer.uint32(type.rawValue)
            if values.isEmpty { return }
            writer.uint32(UInt32(clamping: values.count))
            writer.uint32(1)
            for value in values { writer.value(value) }
        }
    }

    /// The body of a row.
    mutating func row(_ values: [PostgresValue]) {
        uint16(UInt16(clamping: values.count))
        for value in values { self.value(value) }
    }

    private mutating func text(_ text: String) {
        bytes += text.utf8
        bytes.append(0)
    }

    private mutating func uint16(_ value: UInt16) {
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
        bytes.append(UInt8(truncatingIfNeeded: value))
    }

    private mutating func uint32(_ value: UInt32) {
        uint16(UInt16(truncatingIfNeeded: value >> 16))
        uint16(UInt16(truncatingIfNeeded: value))
    }

    /// A value of eight bytes behind its length.
    private mutating func uint64(_ value: UInt64) {
        uint32(8)
        uint32(UInt32(truncatingIfNeeded: value >> 32))
        uint32(UInt32(truncatingIfNeeded: value))
    }
}
