import CSystem
import Files
import Glibc
import JSON
import Network
import Synchronization

/// The process of a world. It ends when the pipe to it is closed, which the system does where this process ends.
///
/// All that is done with it waits: not on a loop.
final class WorldProcess: Sendable {
    /// Its folder, which is removed with it.
    let folder: String
    /// Where it is, as it says itself.
    let greeting: JSONValue
    private let template: WorldTemplate
    private let number: pid_t
    private let input: Int32
    private let output: Int32
    private let isClosed = Mutex(false)

    private init(
        _ number: pid_t, of template: WorldTemplate, in folder: String, input: Int32, output: Int32, greeting: JSONValue
    ) {
        (self.number, self.template) = (number, template)
        self.folder = folder
        self.input = input
        self.output = output
        self.greeting = greeting
    }

    /// Starts one, and waits until it serves.
    ///
    /// - Parameters:
    ///   - folder: a new folder for it.
    ///   - names: those of the pool, its clients and the buckets.
    static func start(
        of template: WorldTemplate, in folder: String, names: [UInt8]?
    ) throws(ErrorAnswer) -> WorldProcess {
        do throws(SystemError) {
            // For its owner alone, as all that people entrust to the app.
            try DataFolder.make(for: folder)
            try DataFolder.make(folder)
            try DataFolder.make(WorldCommand.data(in: folder))
            if let names {
                try SmallFile.create("\(WorldCommand.data(in: folder))/\(PoolFile.name)", with: names, mode: 0o600)
            }
            let (number, input, output) = try fork(template, in: folder)
            let deadline = MonotonicTime.now.advanced(byMilliseconds: TestControlLimits.worldStartMilliseconds)
            let greeting = line(from: output, until: deadline).flatMap { try? JSONReader.value(of: $0) }
            let process = WorldProcess(
                number, of: template, in: folder, input: input, output: output, greeting: greeting ?? .null)
            guard greeting?["url"]?.string?.isEmpty == false else {
                process.end()
                throw SystemError(call: "start", code: ECHILD, subject: "a world")
            }
            return process
        } catch {
            FolderContent.remove(folder)
            throw .test("The world cannot be started: \(error). The server's output says why.", status: 503)
        }
    }

    /// True if it is still there.
    var isRunning: Bool {
        var watched = [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
        return poll(&watched, 1, 0) == 0
    }

    /// Has it take a state.
    func adopt(_ state: WorldState, idleSeconds: Int64) throws(ErrorAnswer) {
        let order = WorldLife.order(adopting: state, idleSeconds: idleSeconds)
        var rest = (JSONWriter.bytes(of: order) + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { break }
        }
        let deadline = MonotonicTime.now.advanced(byMilliseconds: TestControlLimits.worldStartMilliseconds)
        let answer = Self.line(from: output, until: deadline).flatMap { try? JSONReader.value(of: $0) }
        guard answer?["adopted"]?.bool == true else {
            throw .test(answer?["error"]?.string ?? "The world has ended before it began.", status: 503)
        }
    }

    /// Removes what it has not taken.
    func forgetState() {
        unlink(WorldState.database(in: folder))
        FolderContent.remove(WorldState.files(in: folder))
    }

    /// Lets it know that it should end.
    func beginToEnd() {
        isClosed.withLock { isClosed in
            if !isClosed { close(input) }
            isClosed = true
        }
    }

    /// Ends it, and removes what it had. Called once.
    func end() {
        beginToEnd()
        let deadline = MonotonicTime.now.advanced(byMilliseconds: TestControlLimits.worldEndMilliseconds)
        while Self.line(from: output, until: deadline) != nil {}
        let isLate = MonotonicTime.now >= deadline
        close(output)
        template.end(number, kills: isLate)
        FolderContent.remove(folder)
    }

    /// The next line; nil: there is none any more, or it comes too late.
    private static func line(from descriptor: Int32, until deadline: MonotonicTime) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= GuestLines.lineBytesMax {
            let now = MonotonicTime.now
            guard now < deadline else { return nil }
            var watched = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
            let milliseconds = deadline.nanoseconds(since: now) / 1_000_000 + 1
            guard poll(&watched, 1, Int32(clamping: milliseconds)) > 0 else { continue }
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { return nil }
            bytes += chunk[..<count]
            // It says one thing for each that it is told.
            if bytes.last == UInt8(ascii: "\n") { return bytes }
        }
        return nil
    }

    private static func fork(
        _ template: WorldTemplate, in folder: String
    ) throws(SystemError) -> (number: pid_t, input: Int32, output: Int32) {
        var (orders, input, output, answers): (Int32, Int32, Int32, Int32) = (-1, -1, -1, -1)
        guard homeport_pipe(&orders, &input) == 0 else { throw SystemError(call: "pipe") }
        guard homeport_pipe(&output, &answers) == 0 else {
            for descriptor in [orders, input] { close(descriptor) }
            throw SystemError(call: "pipe")
        }
        defer { for descriptor in [orders, answers] { close(descriptor) } }
        do throws(SystemError) { return (try template.fork(in: folder, (orders, answers)), input, output) } catch {
            for descriptor in [input, output] { close(descriptor) }
            throw error
        }
    }
}
