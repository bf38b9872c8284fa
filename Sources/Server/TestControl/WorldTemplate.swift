import CSystem
import Glibc
import JSON
import Network
import Synchronization

/// The process that worlds are forked from. It has read the configuration and the project, made the API, and waits: all of its worlds share
/// that memory, until they change it.
///
///     ─▶ a folder, with a world's end of two pipes              ◀─ the number of its process
///     ─▶ the number of a process, and whether it is killed      ◀─ the same, when it has ended
///
/// Between two worlds the process changes as little memory as can be (`homeport_serve_forks`): its worlds share the rest.
///
/// It ends when its connection is closed, which the system does where this process ends. All that is done with it waits: not on a loop.
final class WorldTemplate: Sendable {
    private let number: pid_t
    private let connection: Int32
    /// One question at a time. False: it is not there any more.
    private let isThere = Mutex(true)

    private init(_ number: pid_t, _ connection: Int32) { (self.number, self.connection) = (number, connection) }

    deinit {
        close(connection)
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0, errno == EINTR {}
    }

    /// Starts one, and does not wait until it is ready.
    ///
    /// - Parameter folder: for what it keeps for a while, which is nothing but what its worlds keep.
    static func start(_ command: WorldCommand, in folder: String, _ key: TestKey) throws(SystemError) -> WorldTemplate {
        var (own, other): (Int32, Int32) = (-1, -1)
        guard homeport_socket_pair(&own, &other) == 0 else { throw SystemError(call: "socketpair") }
        defer { close(other) }
        var variables = command.variables(in: folder, key)
        variables[ExecCommand.worldVariable] = ExecCommand.templateValue
        variables[WorldForks.memoryVariable] = "1"
        // The program itself, also where its file has been replaced since. What it says is for people.
        let started = ChildStart.begin(
            "/proc/self/exe", command.words(in: folder), variables, (other, 2), hasOwnGroup: true)
        do throws(SystemError) { return WorldTemplate(try started.get(), own) } catch {
            close(own)
            throw error
        }
    }

    /// False where it has ended, or did not answer.
    var isRunning: Bool { isThere.withLock { $0 } }

    /// Makes a world.
    ///
    /// - Parameters:
    ///   - folder: a folder for it.
    ///   - descriptors: its input and its output.
    func fork(in folder: String, _ descriptors: (input: Int32, output: Int32)) throws(SystemError) -> pid_t {
        let answer = ask(milliseconds: TestControlLimits.worldStartMilliseconds) { connection in
            homeport_ask_for_copy(connection, folder, descriptors.input, descriptors.output)
        }
        guard let number = answer.flatMap({ pid_t(exactly: $0) }), number > 0 else {
            let code = answer.flatMap { Int32(exactly: max($0, -Int64(Int32.max)).magnitude) }
            throw SystemError(call: "fork", code: code ?? ECHILD, subject: "a world")
        }
        return number
    }

    /// Waits for the end of a world, and has it ended at once where that is wanted.
    func end(_ number: pid_t, kills: Bool) {
        _ = ask(milliseconds: TestControlLimits.worldEndMilliseconds) { connection in
            homeport_ask_for_end(connection, number, kills ? 1 : 0)
        }
    }

    private func ask(milliseconds: Int, _ send: (Int32) -> Int32) -> Int64? {
        isThere.withLock { isThere -> Int64? in
            guard isThere else { return nil }
            let answer = send(connection) == 0 ? self.answer(within: milliseconds) : nil
            // A late answer would be taken for that of the next question.
            if answer == nil { isThere = false }
            return answer
        }
    }

    private func answer(within milliseconds: Int) -> Int64? {
        let deadline = MonotonicTime.now.advanced(byMilliseconds: milliseconds)
        while true {
            let now = MonotonicTime.now
            guard now < deadline else { return nil }
            var watched = [pollfd(fd: connection, events: Int16(POLLIN), revents: 0)]
            let rest = deadline.nanoseconds(since: now) / 1_000_000 + 1
            guard poll(&watched, 1, Int32(clamping: rest)) > 0 else { continue }
            var number: Int64 = 0
            let size = MemoryLayout.size(ofValue: number)
            return recv(connection, &number, size, 0) == size ? number : nil
        }
    }
}
