import CSystem
import Glibc
import JSON
import Network
import Synchronization

/// The process that worlds are forked from. It has read the configuration and the project, made the API, and waits: all of its worlds share
/// that memory, until they change it.
///
///     ─▶ {"fork": FOLDER}, with a world's end of two pipes     ◀─ {"process": N}
///     ─▶ {"end": N, "kills": false}                            ◀─ {"ended": N}
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
        let answer = ask(
            ["fork": .string(folder)], [descriptors.input, descriptors.output],
            milliseconds: TestControlLimits.worldStartMilliseconds)
        guard let number = answer?["process"]?.integer.flatMap({ pid_t(exactly: $0) }), number > 0 else {
            throw SystemError(call: "fork", code: ECHILD, subject: "a world")
        }
        return number
    }

    /// Waits for the end of a world, and has it ended at once where that is wanted.
    func end(_ number: pid_t, kills: Bool) {
        _ = ask(
            ["end": .integer(Int64(number)), "kills": .bool(kills)], [],
            milliseconds: TestControlLimits.worldEndMilliseconds)
    }

    private func ask(_ question: JSONValue, _ descriptors: [Int32], milliseconds: Int) -> JSONValue? {
        let bytes = JSONWriter.bytes(of: question)
        guard bytes.count <= TestControlLimits.templateMessageBytesMax else { return nil }
        return isThere.withLock { isThere -> JSONValue? in
            guard isThere else { return nil }
            let sent = homeport_send_descriptors(
                connection, bytes, bytes.count, descriptors, Int32(descriptors.count))
            let answer = sent == bytes.count ? self.answer(within: milliseconds) : nil
            // A late answer would be taken for that of the next question.
            if answer == nil { isThere = false }
            return answer
        }
    }

    private func answer(within milliseconds: Int) -> JSONValue? {
        let deadline = MonotonicTime.now.advanced(byMilliseconds: milliseconds)
        while true {
            let now = MonotonicTime.now
            guard now < deadline else { return nil }
            var watched = [pollfd(fd: connection, events: Int16(POLLIN), revents: 0)]
            let rest = deadline.nanoseconds(since: now) / 1_000_000 + 1
            guard poll(&watched, 1, Int32(clamping: rest)) > 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: TestControlLimits.templateMessageBytesMax)
            let count = recv(connection, &bytes, bytes.count, 0)
            guard count > 0 else { return nil }
            return try? JSONReader.value(of: Array(bytes[..<count]))
        }
    }
}
