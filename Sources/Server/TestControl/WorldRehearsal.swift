import CSystem
import Glibc
import JSON
import Network
import Store
import Threads

/// The life of a world, from its start to its end, in the process that worlds are forked from: whatever code makes when it runs for the
/// first time, such as the tables of the language's runtime, is there when it is over. Worlds share it, and need not make it.
///
/// It has no other process to speak with: its one line waits in a pipe, and behind it is the end. What it says is heard by nobody; a
/// world of the same project says it again. No record is made by it: names that were drawn here would be drawn by all worlds.
enum WorldRehearsal {
    static func run(_ template: ServerProcess, _ design: ServerProcess.Design) {
        guard let temporary = template.environment["TMPDIR"] else { return }
        let folder = "\(temporary)/rehearsal"
        defer {
            FolderContent.remove(folder)
            homeport_close_gaps()
        }
        guard let state = try? state(in: folder, of: template, design), let input = line(adopting: state) else {
            return
        }
        defer { close(input) }
        var environment = template.environment
        for (name, value) in WorldCommand.ownVariables(in: folder) { environment[name] = value }
        let guest = GuestCommand(GuestCommand.Wish(words: [], seed: nil, lines: GuestLines(from: input)))
        template.world(
            in: WorldCommand.data(in: folder), environment, guest,
            CommandOutput(standard: { _ in }, diagnostics: { _ in })
        ).rehearse(design)
    }

    /// The state of a server without data.
    private static func state(
        in folder: String, of template: ServerProcess, _ design: ServerProcess.Design
    ) throws -> WorldState {
        try DataFolder.make(folder)
        try DataFolder.make(WorldCommand.data(in: folder))
        let path = WorldState.database(in: folder)
        try Store(
            .file(path), for: design.design.blueprint, sync: template.configuration.sync,
            nowMilliseconds: Timestamp.now.millisecondsSince1970, onFailure: { _ in }
        ).close()
        return WorldState(database: path, files: nil, movedMilliseconds: SystemClock.moved, bytes: 0)
    }

    /// A pipe with the line of a world that takes a state; nil: there is none.
    private static func line(adopting state: WorldState) -> Int32? {
        var (input, output): (Int32, Int32) = (-1, -1)
        guard homeport_pipe(&input, &output) == 0 else { return nil }
        defer { close(output) }
        let line = JSONWriter.bytes(of: WorldLife.order(adopting: state, idleSeconds: 1)) + [UInt8(ascii: "\n")]
        guard write(output, line, line.count) == line.count else {
            close(input)
            return nil
        }
        return input
    }
}
