import CSQLite

/// A prepared statement, finalized when it goes.
struct Statement: ~Copyable {
    private let handle: OpaquePointer
    private let path: String

    init(_ sql: String, on connection: OpaquePointer, path: String) throws(StoreError) {
        var handle: OpaquePointer?
        var text = sql
        let count = text.utf8.count
        let code = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_prepare_v3(
                    connection, $0.baseAddress, Int32(clamping: count), UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
            }
        }
        guard code == SQLITE_OK else { throw StoreError(code: code, connection: connection, path: path) }
        guard let handle else { throw StoreError(.unexpected, "an empty statement was prepared") }
        self.handle = handle
        self.path = path
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Binds values to the parameters from the first on, then those of assignments. Their texts lie in the room until the statement is
    /// `reset`.
    func bind(
        _ values: [StoredValue], before assignments: [RecordChange.Assignment], in room: BoundTexts
    ) throws(StoreError) {
        let count = values.count
        for index in 0..<count { try bind(values[index], at: index, in: room) }
        for index in 0..<assignments.count { try bind(assignments[index].value, at: count + index, in: room) }
    }

    /// Binds a value to the parameter at an index from 0.
    private func bind(_ value: StoredValue, at index: Int, in room: BoundTexts) throws(StoreError) {
        let place = Int32(clamping: index + 1)
        let code =
            switch value {
            case .null: sqlite3_bind_null(handle, place)
            case .integer(let integer): sqlite3_bind_int64(handle, place, integer)
            case .real(let real): sqlite3_bind_double(handle, place, real)
            case .text(var text):
                text.withUTF8 { bytes in
                    bytes.withMemoryRebound(to: CChar.self) { bindText($0, at: place, in: room) }
                }
            case .utf8(let bytes):
                bytes.withUnsafeBytes { bindText($0.bindMemory(to: CChar.self), at: place, in: room) }
            case .blob(let bytes):
                bytes.withUnsafeBytes { bindBlob($0, at: place) }
            }
        guard code == SQLITE_OK else { throw error(code) }
    }

    // A null pointer would bind NULL, not an empty text.
    private func bindText(_ text: UnsafeBufferPointer<CChar>, at place: Int32, in room: BoundTexts) -> Int32 {
        guard let base = text.baseAddress else { return homeport_sqlite_bind_text(handle, place, "", 0) }
        if let kept = room.kept(base, text.count) {
            return homeport_sqlite_bind_kept_text(handle, place, kept, UInt64(text.count))
        }
        return homeport_sqlite_bind_text(handle, place, base, UInt64(text.count))
    }

    private func bindBlob(_ bytes: UnsafeRawBufferPointer, at place: Int32) -> Int32 {
        guard let base = bytes.baseAddress else { return sqlite3_bind_zeroblob(handle, place, 0) }
        return homeport_sqlite_bind_blob(handle, place, base, UInt64(bytes.count))
    }

    /// Goes to the next row, and says whether there is one.
    func step() throws(StoreError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        case let code: throw error(code)
        }
    }

    /// Makes it ready for other values. What `step` failed with is not said again.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    var row: Row { Row(handle) }

    private func error(_ code: Int32) -> StoreError {
        let connection = sqlite3_db_handle(handle)
        let extended = sqlite3_extended_errcode(connection)
        return StoreError(code: extended & 0xFF == code & 0xFF ? extended : code, connection: connection, path: path)
    }
}
