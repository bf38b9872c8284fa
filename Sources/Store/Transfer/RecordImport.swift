import Blueprint
import JSON
import Synchronization

/// Reads records from lines of JSON into a store.
///
///     {"type":"Post","record":{"id":"1","title":"First"}}
///
/// Lines go in batches, each a transaction that also says how far the file is read. After an interruption the same
/// file goes on behind the last batch that was kept; any other input starts at its beginning, and records that are
/// there already are passed over, so that repeating an import changes nothing.
package struct RecordImport {
    /// The time of creation and change of records that have none, so that a file written by hand needs no more than the
    /// input of a mutation.
    package struct Moment: Sendable, Equatable {
        /// As an `AWSDateTime` has it.
        package let text: String
        /// Since 1970.
        package let milliseconds: Int64

        package init(text: String, milliseconds: Int64) {
            self.text = text
            self.milliseconds = milliseconds
        }
    }

    package struct Options: Sendable {
        package var now: Moment
        /// Takes everything that a column can hold, as stored data may have it from an earlier schema.
        package var isLenient = false
        /// Replaces records that are there.
        package var replaces = false

        package init(now: Moment, isLenient: Bool = false, replaces: Bool = false) {
            self.now = now
            self.isLenient = isLenient
            self.replaces = replaces
        }
    }

    /// How far it is.
    package struct Progress: Sendable, Equatable {
        package var bytes = 0
        /// Nil for a stream.
        package var bytesMax: Int?
        package var lineCount = 0
    }

    /// What came of it.
    package struct Outcome: Sendable, Equatable {
        /// Records that were made, or replaced.
        package let createdCount: Int
        /// Records that were there, and stayed as they were.
        package let presentCount: Int
        /// Lines that an earlier, interrupted import had read.
        package let resumedLineCount: Int
    }

    private let store: Store
    private let options: Options
    private let check: ValueCheck?
    private let forms: [ByteText: RecordForm]

    package init(into store: Store, of blueprint: Blueprint, _ options: Options) {
        self.store = store
        self.options = options
        check = options.isLenient ? nil : ValueCheck(blueprint)
        var forms: [ByteText: RecordForm] = [:]
        for model in blueprint.models {
            guard let table = store.layout.table(of: model) else { continue }
            let form = RecordForm(model, table)
            forms[model.name] = form
            // What an export calls it, which knows no schema.
            if forms[model.storedName] == nil { forms[model.storedName] = form }
        }
        self.forms = forms
    }

    /// Imports a file, from where an import of it was interrupted.
    package func run(
        file path: String, isSeed: Bool = false, report: (Progress) -> Void = { _ in }
    ) throws(TransferError) -> Outcome {
        let identity = FileIdentity(path)
        var progress = ImportProgress(of: identity, isSeed: isSeed)
        if let identity, let unfinished = try unfinished(), unfinished.file == identity,
            unfinished.offset <= identity.byteCount
        {
            progress = unfinished
            progress.isSeed = isSeed
        }
        var reader = try LineReader(opening: path, at: progress.offset, lineCount: progress.lineCount)
        return try run(&reader, progress, report)
    }

    /// Imports a stream to its end.
    package func run(
        descriptor: Int32, name: String, report: (Progress) -> Void = { _ in }
    ) throws(TransferError) -> Outcome {
        var reader = LineReader(reading: descriptor, name: name)
        return try run(&reader, ImportProgress(of: nil, isSeed: false), report)
    }

    /// The import that was interrupted, if one was.
    func unfinished() throws(TransferError) -> ImportProgress? {
        do throws(StoreError) {
            return try ImportProgress.unfinished(in: store.readerBeside().connection)
        } catch { throw .store(error) }
    }

    private func run(
        _ reader: inout LineReader, _ start: ImportProgress, _ report: (Progress) -> Void
    ) throws(TransferError) -> Outcome {
        let intake = RecordIntake(into: store)
        let counts = ImportCounts(start)
        var progress = Progress(bytes: start.offset, bytesMax: start.file?.byteCount, lineCount: start.lineCount)
        do throws(TransferError) {
            while true {
                let line = reader.lineCount + 1
                let name = reader.name
                let isRead = try reader.next { bytes throws(TransferError) in
                    do throws(ValueProblem) { try read(bytes, line, into: intake) } catch {
                        throw .line(line, file: name, error.description)
                    }
                }
                guard isRead else { break }
                if intake.isFull {
                    try submit(intake, reader.offset, reader.lineCount, counts)
                    progress.bytes = reader.offset
                    progress.lineCount = reader.lineCount
                    report(progress)
                }
            }
        } catch {
            // What stands before the line that is wrong is kept, so that a second try need not read it again.
            if case .line(let line, _, _) = error { try? submit(intake, nil, line - 1, counts) }
            try? intake.finish()
            throw error
        }
        try submit(intake, reader.offset, reader.lineCount, counts, isLast: true)
        do throws(StoreError) { try intake.finish() } catch { throw .store(error) }
        progress.bytes = reader.offset
        progress.lineCount = reader.lineCount
        report(progress)
        return counts.outcome(resumedLineCount: start.lineCount)
    }

    private func read(_ line: UnsafeRawBufferPointer, _ number: Int, into intake: RecordIntake) throws(ValueProblem) {
        guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return }
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONReader.value(of: line, limits: JSONLimits(bytesMax: StoreLimits.importLineBytesMax))
        } catch {
            // Another format altogether, such as CSV: what is wrong with one column is of no help.
            let form =
                line.first == UInt8(ascii: "{") ? "" : #"; a line is JSON, such as {"type": "MODEL", "record": {…}}"#
            throw ValueProblem(
                "column \(error.position.column): expected \(error.expected), found \(error.found)\(form)")
        }
        guard let type = json["type"]?.string, let record = json["record"]?.object else {
            throw ValueProblem(#"expected {"type": "MODEL", "record": {…}}, found \#(Self.described(json))"#)
        }
        guard let form = forms[type] else {
            throw ValueProblem(
                "there is no model \"\(type)\"."
                    + ValueProblem.suggestion(for: type, among: forms.keys.sorted().map(\.string)))
        }
        if let other = json.object?.keys.first(where: { $0 != "type" && $0 != "record" }) {
            throw ValueProblem(#"expected "type" and "record", found "\#(other)" too"#)
        }
        let values = try form.values(of: record, line: number, check: check, at: options.now)
        let row = RecordIntake.Row(
            sql: options.replaces ? form.replacement : form.insertion, values: values, table: form.table, log: form.log)
        intake.add(row, bytes: line.count)
    }

    private static func described(_ json: JSONValue) -> String {
        guard let object = json.object else { return json.kind }
        return "an object with " + (object.isEmpty ? "nothing" : object.keys.prefix(5).joined(separator: ", "))
            + " in it"
    }

    /// Hands a batch to the writer. Without an offset the next import starts at the beginning.
    private func submit(
        _ intake: RecordIntake, _ offset: Int?, _ lineCount: Int, _ counts: ImportCounts, isLast: Bool = false
    ) throws(TransferError) {
        do throws(StoreError) {
            try intake.submit { session, made throws(StoreError) in
                let created = made.count { $0 }
                let progress = counts.adding(
                    created: created, present: made.count - created, offset: offset, lineCount: lineCount)
                try session.note(isLast ? nil : progress)
            }
        } catch { throw .store(error) }
    }
}

/// What an import has done so far. Only the writer's thread changes it, in the order of the batches.
private final class ImportCounts: Sendable {
    private let progress: Mutex<ImportProgress>

    init(_ start: ImportProgress) {
        progress = Mutex(start)
    }

    func adding(created: Int, present: Int, offset: Int?, lineCount: Int) -> ImportProgress {
        progress.withLock { progress in
            progress.createdCount += created
            progress.presentCount += present
            progress.lineCount = lineCount
            progress.offset = offset ?? 0
            if offset == nil { progress.file = nil }
            return progress
        }
    }

    func outcome(resumedLineCount: Int) -> RecordImport.Outcome {
        progress.withLock {
            RecordImport.Outcome(
                createdCount: $0.createdCount, presentCount: $0.presentCount, resumedLineCount: resumedLineCount)
        }
    }
}
