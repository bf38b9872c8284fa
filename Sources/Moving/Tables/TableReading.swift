import Crypto
import Items
import JSON

/// The items of one file of a table, in their order.
package struct TableReading {
    private let source: TableFile

    /// The outcome of reading: how many items there were, and how many did not come.
    package struct Outcome: Sendable {
        /// Items, and lines that are none.
        package var count = 0
        /// True if the last page says that more follow.
        package var isCut = false
    }

    package init(_ source: TableFile) {
        self.source = source
    }

    /// Hands each line or element to the closure, with its number from 1 on, those before `start` left out. The closure stops the reading by
    /// throwing.
    ///
    /// - Parameter rows: reads a line as a row of its model; nil for one that has to be read as an item.
    /// - Throws: what is wrong with the file: it is damaged, or not the one that its manifest means.
    package func run<Failure: Error>(
        behind start: Int = 0, rows: (UnsafeRawBufferPointer) -> MovedItem? = { _ in nil },
        wrong: (MovingFault) -> Failure,
        _ body: (Int, Int, Result<TableLine, TableLine.Misfit>) throws(Failure) -> Void
    ) throws(Failure) -> Outcome {
        var stop: Failure?
        do throws(MovingFault) {
            return try read(behind: start, rows) { number, bytes, line throws(MovingFault) in
                do throws(Failure) { try body(number, bytes, line) } catch {
                    stop = error
                    throw MovingFault(source.path, "stopped")
                }
            }
        } catch { throw stop ?? wrong(error) }
    }

    /// Compares the file with what its manifest says of it, before anything of it is used.
    package func verify() throws(MovingFault) {
        guard let expected = source.md5 else { return }
        let found = try SourceFile.md5(of: source.path)
        guard expected == found else {
            throw MovingFault(
                .unreadable, source.path,
                "its MD5 is \(Base64.text(of: found, .standard)), and the manifest says "
                    + "\(Base64.text(of: expected, .standard)): copy the file again")
        }
    }

    private func read(
        behind start: Int, _ rows: (UnsafeRawBufferPointer) -> MovedItem?,
        _ body: (Int, Int, Result<TableLine, TableLine.Misfit>) throws(MovingFault) -> Void
    ) throws(MovingFault) -> Outcome {
        var outcome = Outcome()
        let file = try SourceFile(source.path)
        switch source.form {
        case .lines:
            var lines = SourceLines(file)
            while try lines.next({ bytes throws(MovingFault) in
                guard !SourceLines.isBlank(bytes) else { return }
                outcome.count += 1
                guard outcome.count > start else { return }
                try body(
                    outcome.count, bytes.count,
                    Result { () throws(TableLine.Misfit) in
                        if let row = rows(bytes) { return .row(row) }
                        return try TableLine(json: bytes)
                    })
            }) {}
        case .ion:
            var lines = SourceLines(file)
            while try lines.next({ bytes throws(MovingFault) in
                guard bytes.contains(where: { $0 > 0x20 }) else { return }
                let read = Result { () throws(TableLine.Misfit) in try TableLine.lines(ion: bytes) }
                let entries: [Result<TableLine, TableLine.Misfit>]
                switch read {
                case .success(let lines): entries = lines.map { .success($0) }
                case .failure(let misfit): entries = [.failure(misfit)]
                }
                for entry in entries {
                    outcome.count += 1
                    if outcome.count > start { try body(outcome.count, bytes.count / entries.count, entry) }
                }
            }) {}
        case .pages:
            var elements = SourceElements(file)
            while try elements.next({ list, bytes throws(MovingFault) in
                guard list == "Items" || list.isEmpty else { return }
                outcome.count += 1
                guard outcome.count > start else { return }
                try body(
                    outcome.count, bytes.count,
                    Result { () throws(TableLine.Misfit) in try TableLine.element(bytes) })
            }) {}
            outcome.isCut =
                elements.others["LastEvaluatedKey"]?.isNull == false || elements.others["NextToken"]?.isNull == false
        }
        if let expected = source.itemCount, expected != outcome.count {
            throw MovingFault(
                .unreadable, source.path, "it has \(outcome.count) items, and the manifest says \(expected)")
        }
        return outcome
    }
}
