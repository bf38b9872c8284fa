import Project
import Script

/// The console of a project's programs. A line names the file and the line that wrote it, and a file's lines appear once, however many of
/// the programs run that file.
final class ProgramConsole {
    private static let linesMax = 1_000

    private let sink: @Sendable (String) -> Void
    private var lines = 0
    /// The files that have written something, in the program that runs and in those that are over.
    private var speaking: Set<String> = []
    private var heard: Set<String> = []

    init(_ sink: @escaping @Sendable (String) -> Void) { self.sink = sink }

    func write(_ text: String, from place: SourcePlace?) {
        if let place {
            guard !heard.contains(place.file) else { return }
            speaking.insert(place.file)
        }
        lines += 1
        if lines <= Self.linesMax {
            sink(place.map { "\($0.file):\($0.place.line): \(text)" } ?? text)
        } else if lines == Self.linesMax + 1 {
            sink("(more than \(Self.linesMax) lines: the rest is left out)")
        }
    }

    /// A program is over. Another one that runs its files again adds nothing.
    func endProgram() { heard.formUnion(speaking) }
}
