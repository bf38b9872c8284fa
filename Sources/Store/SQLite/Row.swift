import CSQLite

/// The row that a statement is at, of a file or of a server's answer. It must not outlive the step to the next one: it is handed to a
/// closure.
///
/// Hot path: a response is written from these accessors, value by value, without a tree in between.
package struct Row: ~Copyable {
    private enum Source {
        case file(OpaquePointer)
        /// The walk over the rows keeps them.
        case server(Unmanaged<ServerRows>)
    }

    private let source: Source
    /// What comes before the caller's columns.
    private let offset: Int32

    init(_ handle: OpaquePointer) {
        source = .file(handle)
        offset = 0
    }

    init(_ rows: ServerRows) {
        source = .server(.passUnretained(rows))
        offset = 0
    }

    private init(_ source: Source, offset: Int32) {
        self.source = source
        self.offset = offset
    }

    /// The same row without the columns before.
    package func from(column: Int) -> Row { Row(source, offset: Int32(column)) }

    private func place(_ column: Int) -> Int32 { Int32(truncatingIfNeeded: column) &+ offset }

    package func isNull(_ column: Int) -> Bool {
        switch source {
        case .file(let handle): sqlite3_column_type(handle, place(column)) == SQLITE_NULL
        case .server(let rows): rows.takeUnretainedValue().isNull(place(column))
        }
    }

    package func integer(_ column: Int) -> Int64 {
        switch source {
        case .file(let handle): sqlite3_column_int64(handle, place(column))
        case .server(let rows): rows.takeUnretainedValue().integer(place(column))
        }
    }

    package func real(_ column: Int) -> Double {
        switch source {
        case .file(let handle): sqlite3_column_double(handle, place(column))
        case .server(let rows): rows.takeUnretainedValue().real(place(column))
        }
    }

    package func boolean(_ column: Int) -> Bool { integer(column) != 0 }

    /// The bytes of a text, valid UTF-8, for the time of the closure. Empty for NULL.
    package func withText<Answer>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
        body(textBytes(column))
    }

    /// The bytes of a text; without an address for NULL.
    private func textBytes(_ column: Int) -> UnsafeRawBufferPointer {
        switch source {
        case .file(let handle):
            // The pointer comes first: asking for it may convert the value, and only then is the count right.
            let text = sqlite3_column_text(handle, place(column))
            let count = text == nil ? 0 : Int(sqlite3_column_bytes(handle, place(column)))
            return UnsafeRawBufferPointer(start: text, count: count)
        case .server(let rows): return rows.takeUnretainedValue().text(place(column))
        }
    }

    /// The same for a text that may be missing: false for NULL, and the closure is not called. One question less than
    /// asking `isNull` first.
    package func withTextIfAny(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        switch source {
        case .file(let handle):
            guard let text = sqlite3_column_text(handle, place(column)) else { return false }
            return body(UnsafeRawBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, place(column)))))
        case .server(let rows):
            let text = rows.takeUnretainedValue().text(place(column))
            return text.baseAddress == nil ? false : body(text)
        }
    }

    package func text(_ column: Int) -> String {
        withText(column) { String(decoding: $0, as: UTF8.self) }
    }

    package func blob(_ column: Int) -> [UInt8] { withBlob(column) { Array($0) } }

    /// The bytes of a blob, for the time of the closure. Empty for NULL.
    package func withBlob<Answer>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
        let bytes: UnsafeRawBufferPointer
        switch source {
        case .file(let handle):
            let start = sqlite3_column_blob(handle, place(column))
            let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, place(column)))
            bytes = UnsafeRawBufferPointer(start: start, count: count)
        case .server(let rows): bytes = rows.takeUnretainedValue().bytes(place(column))
        }
        return body(bytes)
    }

    /// A copy of the value.
    package func value(_ column: Int) -> StoredValue {
        switch source {
        case .file(let handle):
            switch sqlite3_column_type(handle, place(column)) {
            case SQLITE_INTEGER: .integer(integer(column))
            case SQLITE_FLOAT: .real(real(column))
            case SQLITE_TEXT: .text(text(column))
            case SQLITE_BLOB: .blob(blob(column))
            default: .null
            }
        case .server(let rows): rows.takeUnretainedValue().value(place(column))
        }
    }
}
