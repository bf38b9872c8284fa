import JSON

/// Says how far a move is: a bar on a terminal, and a line for each part that is done.
final class MoveProgress {
    private let output: CommandOutput
    private let bar: ProgressBar
    private var count = 0
    private var told: Set<ByteText> = []
    /// The entries that did not come.
    let faults: FaultList
    private(set) var noteCount = 0

    /// - Parameter folder: the folder for the list of what did not come; nil: a dry run.
    init(_ output: CommandOutput, listsIn folder: String?, noun: String = "records") {
        self.output = output
        faults = FaultList(in: folder)
        bar = ProgressBar(noun)
    }

    func records(_ more: Int) {
        count += more
        bar.show(count: count, part: nil)
    }

    func clear() { bar.clear() }

    /// A part that is done.
    func line(_ text: String) {
        bar.clear()
        output.report(text)
    }

    /// Something that a person should know.
    func note(_ text: String) {
        noteCount += 1
        bar.clear()
        output.report(text)
    }

    /// The same, once for each key.
    func note(once key: String, _ text: String) {
        guard told.add(key) else { return }
        bar.clear()
        output.report(text)
    }

    func fault(_ fault: FaultList.Fault) {
        guard !faults.add(fault) else { return }
        bar.clear()
        output.report(fault.text)
    }

    func done(_ path: String, _ counts: SourceProgress.Counts, isNew: Bool) {
        bar.clear()
        let made = counts.tables.values.reduce(TableCounts()) { $0 + $1 }
        let name = path.parts(separatedBy: "/").suffix(3).joined(separator: "/")
        guard isNew else {
            output.report("\(name): \(Counted.text(made.read, "item")), which an earlier move has brought")
            return
        }
        output.report("\(name): \(Counted.text(made.read, "item"))")
    }
}
