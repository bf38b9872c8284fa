import Glibc

/// The entries that a move could not carry: the first of them for the terminal, all of them as lines of a file.
final class FaultList {
    /// An entry that did not come.
    struct Fault: Sendable {
        let place: String
        let record: String
        let reason: String

        var text: String { "\(place): \(record): \(reason)" }
    }

    /// The terminal shows so many; the file has all.
    static let shownMax = 50
    static let fileName = "not-moved.txt"

    /// Nil: a dry run, which writes nothing.
    private let path: String?
    private var descriptor: Int32 = -1
    private(set) var shown: [Fault] = []
    private(set) var count = 0
    /// True if the file lacks some.
    private(set) var isIncomplete = false

    /// - Parameter folder: the folder of the file, which is there when the first entry comes; nil: a dry run.
    init(in folder: String?) { path = folder.map { "\($0)/\(Self.fileName)" } }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns false for an entry that nobody will see unless it is shown now.
    func add(_ fault: Fault) -> Bool {
        count += 1
        if shown.count < Self.shownMax { shown.append(fault) }
        guard let path else { return count <= Self.shownMax }
        if descriptor < 0, !isIncomplete { descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
        var rest = Array("\(fault.text)\n".utf8)[...]
        while !rest.isEmpty {
            let written = descriptor < 0 ? -1 : rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if descriptor < 0 || errno != EINTR {
                isIncomplete = true
                return count <= Self.shownMax
            }
        }
        return true
    }

    /// Shows the entries at the end of a move.
    ///
    /// - Parameter earlier: true if earlier runs of the move have listed some that this one did not read again.
    func report(to output: CommandOutput, earlier: Bool = false) {
        if earlier, let path { output.report("the entries that earlier runs have listed are in \(path)") }
        for fault in shown { output.report(fault.text) }
        let more = count - shown.count
        guard more > 0 else { return }
        switch path {
        case let path? where !isIncomplete:
            output.report("… and \(ProgressBar.grouped(more)) more, all of which are in \(path)")
        default: output.report("… and \(ProgressBar.grouped(more)) more, which were named above")
        }
    }
}
