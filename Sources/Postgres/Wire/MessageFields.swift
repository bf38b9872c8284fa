/// Reads the fields of one message, one behind the other, and never beyond its end.
struct MessageFields {
    private let kind: MessageKind
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>, of kind: MessageKind) {
        rest = bytes
        self.kind = kind
    }

    var problem: PostgresViolation { .badBody(kind: kind.rawValue) }

    /// How many bytes are left.
    var count: Int { rest.count }

    mutating func bytes(_ count: Int) throws(PostgresViolation) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest.count else { throw problem }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func byte() throws(PostgresViolation) -> UInt8 {
        guard let byte = rest.popFirst() else { throw problem }
        return byte
    }

    mutating func uint16() throws(PostgresViolation) -> UInt16 {
        try bytes(2).reduce(0) { $0 << 8 | UInt16($1) }
    }

    mutating func uint32() throws(PostgresViolation) -> UInt32 {
        try bytes(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The bytes before the next zero, which is passed too.
    mutating func textBytes() throws(PostgresViolation) -> ArraySlice<UInt8> {
        guard let end = rest.firstIndex(of: 0) else { throw problem }
        defer { rest = rest[(end + 1)...] }
        return rest[..<end]
    }

    /// The same as text, at most so many bytes of it. Bytes that are no UTF-8 are replaced.
    mutating func text(max: Int = .max) throws(PostgresViolation) -> String {
        String(decoding: try textBytes().prefix(max), as: UTF8.self)
    }

    /// All that is left.
    mutating func remainder() -> ArraySlice<UInt8> {
        defer { rest = [] }
        return rest
    }

    /// Throws where something is left.
    func end() throws(PostgresViolation) {
        guard rest.isEmpty else { throw problem }
    }
}
