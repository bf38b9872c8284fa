import JSON

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Writes all records of a database as lines of JSON, as they are at one moment.
///
///     {"type":"Post","record":{"id":"1","title":"First","note":null}}
///
/// A field that is absent is not there, an explicit null is `null`, AWSJSON is the value itself. Models and records
/// come in the order of their creation. No schema is needed: the file says what is in it.
package final class RecordExport {
    /// How far it is.
    package struct Progress: Sendable, Equatable {
        package var recordCount = 0
        package let recordMax: Int
    }

    package let layout: DatabaseLayout
    private let reader: Reader

    /// Takes a reader of a database that is there. A server may use it at the same time.
    package init(_ reader: Reader) throws(StoreError) {
        self.reader = reader
        guard try reader.hasData(), let layout = try Migrator.storedLayout(in: reader.connection) else {
            throw StoreError(
                .unknownFormat, "database \(reader.connection.path): there is no data of Homeport in it")
        }
        self.layout = layout
    }

    package convenience init(path: String) throws(StoreError) { try self.init(.beside(path)) }

    /// Writes everything, and answers with the number of records.
    package func run(
        to descriptor: Int32, name: String, report: (Progress) -> Void = { _ in }
    ) throws(TransferError) -> Int {
        var progress: Progress
        do throws(StoreError) {
            try reader.beginTurn()
            progress = Progress(recordMax: try count())
        } catch { throw .store(error) }
        defer { try? reader.endTurn() }
        var buffer: [UInt8] = []
        buffer.reserveCapacity(StoreLimits.exportBufferBytes * 2)
        for table in layout.tables {
            let lines = RecordLines(table)
            // SQLite's rows know one kind of error only.
            var failure: TransferError?
            do throws(StoreError) {
                try reader.connection.query(lines.selection) { row throws(StoreError) in
                    lines.append(row, to: &buffer)
                    progress.recordCount += 1
                    guard buffer.count >= StoreLimits.exportBufferBytes else { return true }
                    do throws(TransferError) { try Self.write(&buffer, to: descriptor, name) } catch {
                        failure = error
                        return false
                    }
                    report(progress)
                    return true
                }
            } catch { throw .store(error) }
            if let failure { throw failure }
        }
        try Self.write(&buffer, to: descriptor, name)
        report(progress)
        return progress.recordCount
    }

    private func count() throws(StoreError) -> Int {
        var sum = 0
        for table in layout.tables {
            if case .integer(let count)? = try reader.connection.value(
                SQLText("SELECT count(*) FROM \(table.quotedName)"))
            {
                sum += Int(count)
            }
        }
        return sum
    }

    /// Writes what has gathered in a buffer, and empties it.
    package static func write(_ buffer: inout [UInt8], to descriptor: Int32, _ name: String) throws(TransferError) {
        var start = 0
        while start < buffer.count {
            let count = buffer[start...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unwritable("cannot write \(name): \(String(cString: strerror(errno)))") }
            start += count
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// The records of a table as lines.
///
/// Hot path: from SQLite's bytes straight into the buffer. Keys and what stands around them are made once.
private struct RecordLines {
    let selection: SQLText
    private let start: [UInt8]
    private let columns: [(kind: ColumnKind, key: [UInt8], mark: [UInt8])]

    init(_ table: TableLayout) {
        var start = Array(#"{"type":"#.utf8)
        JSONWriter.writeString(table.model, to: &start)
        start += Array(#","record":{"#.utf8)
        self.start = start
        columns = table.columns.map { column in
            var key: [UInt8] = []
            JSONWriter.writeKey(column.field, to: &key)
            return (column.kind, key, Array(",\(column.field),".utf8))
        }
        let names = [SQLName.nulls] + table.columns.map(\.name)
        selection = SQLText(
            "SELECT \(names.map(SQLName.quoted).joined(separator: ", ")) FROM \(table.quotedName) "
                + "ORDER BY \(SQLName.quoted(SQLName.row))", isOpen: true)
    }

    func append(_ row: borrowing Row, to buffer: inout [UInt8]) {
        buffer += start
        let nulls = row.isNull(0) ? [] : row.withText(0) { Array($0) }
        var isFirst = true
        for (index, column) in columns.enumerated() {
            let isNull = row.isNull(index + 1)
            if isNull, !nulls.indices.contains(where: { nulls[$0...].starts(with: column.mark) }) { continue }
            if !isFirst { buffer.append(UInt8(ascii: ",")) }
            isFirst = false
            buffer += column.key
            if isNull { JSONWriter.writeNull(to: &buffer) } else { append(row, index + 1, column.kind, to: &buffer) }
        }
        buffer += Array("}}\n".utf8)
    }

    private func append(_ row: borrowing Row, _ index: Int, _ kind: ColumnKind, to buffer: inout [UInt8]) {
        switch kind {
        case .text: row.withText(index) { JSONWriter.writeString($0, to: &buffer) }
        case .integer: JSONWriter.writeInteger(row.integer(index), to: &buffer)
        case .real: JSONWriter.writeDouble(row.real(index), to: &buffer)
        case .boolean: JSONWriter.writeBool(row.boolean(index), to: &buffer)
        case .list, .json, .object:
            let place = buffer.count
            row.withText(index) { buffer.append(contentsOf: $0) }
            // Somebody may have written the value with a tool, and in lines: between the parts of JSON they are spaces.
            for index in place..<buffer.count where buffer[index] == 0x0A || buffer[index] == 0x0D {
                buffer[index] = 0x20
            }
        }
    }
}
