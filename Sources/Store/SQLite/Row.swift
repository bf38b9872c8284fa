import CSQLite

/// The row that a statement is at, of a file or of a server's answer. It must not outlive the step to the next one: it is handed to a
/// closure.
///
/// Hot path: a response is written from these accessors, value by value, without a tree in between.
package struct Row: ~Copyable {
    /// SQLite's statement, or the rows of a server's answer, which the walk over them keeps.
    private let handle: OpaquePointer
    /// What comes before the caller's columns.
    private let offset: Int32
    private let isOfServer: Bool

    init(_ handle: OpaquePointer) { self.init(handle, offset: 0, isOfServer: false) }

    init(_ rows: ServerRows) {
        self.init(OpaquePointer(Unmanaged.passUnretained(rows).toOpaque()), offset: 0, isOfServer: true)
    }

    private init(_ handle: OpaquePointer, offset: Int32, isOfServer: Bool) {
        self.handle = handle
        self.offset = offset
        self.isOfServer = isOfServer
    }

    /// The same row without the columns before.
    package func from(column: Int) -> Row { Row(handle, offset: Int32(column), isOfServer: isOfServer) }

    /// Asked where `isOfServer` alone. The walk over the rows keeps them, so no question counts who does.
    @inline(__always)
    private func rows<Answer>(_ question: (ServerRows) -> Answer) -> Answer {
        Unmanaged<ServerRows>.fromOpaque(UnsafeRawPointer(handle))._withUnsafeGuaranteedRef(question)
    }

    private func place(_ column: Int) -> Int32 { Int32(truncatingIfNeeded: column) &+ offset }

    package func isNull(_ column: Int) -> Bool {
        if isOfServer { return rows { $0.isNull(place(column)) } }
        return sqlite3_column_type(handle, place(column)) == SQLITE_NULL
    }

    package func integer(_ column: Int) -> Int64 {
        if isOfServer { return rows { $0.integer(place(column)) } }
        return sqlite3_column_int64(handle, place(column))
    }

    package func real(_ column: Int) -> Double {
        if isOfServer { return rows { $0.real(place(column)) } }
        return sqlite3_column_double(handle, place(column))
    }

    package func boolean(_ column: Int) -> Bool { integer(column) != 0 }

    /// The bytes of a text, valid UTF-8, for the time of the closure. Empty for NULL.
    package func withText<Answer>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
        if isOfServer { return body(rows { $0.text(place(column)) }) }
        // The pointer comes first: asking for it may convert the value, and only then is the count right.
        let text = sqlite3_column_text(handle, place(column))
        let count = text == nil ? 0 : Int(sqlite3_column_bytes(handle, place(column)))
        return body(UnsafeRawBufferPointer(start: text, count: count))
    }

    /// The same for a text that may be missing: false for NULL, and the closure is not called. One question less than
    /// asking `isNull` first.
    package func withTextIfAny(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        if isOfServer { return withServerTextIfAny(column, body) }
        guard let text = sqlite3_column_text(handle, place(column)) else { return false }
        return body(UnsafeRawBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, place(column)))))
    }

    /// A function of its own: what it needs would be made room for in each question to a file.
    private func withServerTextIfAny(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        let text = rows { $0.text(place(column)) }
        return text.baseAddress == nil ? false : body(text)
    }

    package func text(_ column: Int) -> String {
        withText(column) { String(decoding: $0, as: UTF8.self) }
    }

    package func blob(_ column: Int) -> [UInt8] { withBlob(column) { Array($0) } }

    /// The bytes of a blob, for the time of the closure. Empty for NULL.
    package func withBlob<Answer>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
        if isOfServer { return body(rows { $0.bytes(place(column)) }) }
        let start = sqlite3_column_blob(handle, place(column))
        let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, place(column)))
        return body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// A copy of the value.
    package func value(_ column: Int) -> StoredValue {
        if isOfServer { return rows { $0.value(place(column)) } }
        switch sqlite3_column_type(handle, place(column)) {
        case SQLITE_INTEGER: return .integer(integer(column))
        case SQLITE_FLOAT: return .real(real(column))
        case SQLITE_TEXT: return .text(text(column))
        case SQLITE_BLOB: return .blob(blob(column))
        default: return .null
        }
    }
}
