import CSystem
import Glibc
import JSON
import Network
import Threads

/// The work of the process that worlds are forked from (`WorldTemplate`): it makes all that they have in common, and then a world for each
/// message.
///
/// No other thread is at work whenever it forks: nothing is held by a thread that the copy does not have.
struct WorldForks {
    private let process: ServerProcess
    private let design: ServerProcess.Design
    /// Those that have not been waited for.
    private var children: Set<pid_t> = []

    /// Where messages come from and answers go.
    private static let connection: Int32 = 0

    private init(_ process: ServerProcess, _ design: ServerProcess.Design) {
        (self.process, self.design) = (process, design)
    }

    /// Makes worlds until nobody is there to ask for one.
    static func serve(
        _ resolution: ConfigurationResolver.Resolution, environment: [String: String], _ output: CommandOutput
    ) -> ExitCode {
        homeport_share_memory_among_threads()
        let process: ServerProcess
        switch Server.process(resolution, environment: environment, isVerbose: false, output, guest: nil) {
        case .success(let made): process = made
        case .failure(let refusal): return refusal.code
        }
        do throws(StartError) {
            let design = try process.design()
            WorldRehearsal.run(process, design)
            var forks = WorldForks(process, design)
            WorkAside<Void>.waitUntilThreadsAreGone()
            while forks.answerNext() {}
            return .success
        } catch {
            output.report("homeport: \(error.message)")
            return error.code
        }
    }

    /// Returns false when there are no more messages.
    private mutating func answerNext() -> Bool {
        var bytes = [UInt8](repeating: 0, count: TestControlLimits.templateMessageBytesMax)
        var descriptors = [Int32](repeating: -1, count: Int(homeport_descriptors_max))
        var descriptorCount: Int32 = 0
        let count = homeport_receive_descriptors(
            Self.connection, &bytes, bytes.count, &descriptors, &descriptorCount)
        guard count > 0 else { return false }
        let given = descriptors.prefix(Int(max(0, descriptorCount)))
        defer { for descriptor in given { close(descriptor) } }
        let order = try? JSONReader.value(of: Array(bytes.prefix(Int(count))))
        let answer: JSONValue
        if let folder = order?["fork"]?.string, given.count == 2 {
            answer = fork(in: folder, given[0], given[1])
        } else if let number = order?["end"]?.integer.flatMap({ pid_t(exactly: $0) }) {
            answer = end(number, kills: order?["kills"]?.bool == true)
        } else {
            answer = ["error": "The message is not known."]
        }
        let text = JSONWriter.bytes(of: answer)
        return homeport_send_descriptors(Self.connection, text, text.count, nil, 0) == Int64(text.count)
    }

    private mutating func fork(in folder: String, _ input: Int32, _ output: Int32) -> JSONValue {
        // A thread that has done its work may be about to end.
        for _ in 0..<TestControlLimits.threadEndsMax {
            guard homeport_thread_count() > 1 else { break }
            sched_yield()
        }
        guard homeport_thread_count() == 1 else { return ["error": "Another thread is at work."] }
        // On a thread that has run nothing: a lock of the language remembers the number of each thread that has used one, which is
        // another one in the copy.
        let life = Unmanaged.passRetained(
            Life { [process, design] in Self.become(process, design, in: folder, input, output) })
        defer { life.release() }
        let number = homeport_fork(
            { context in
                if let context { Unmanaged<Life>.fromOpaque(context).takeUnretainedValue().run() }
            }, life.toOpaque())
        guard number > 0 else { return ["error": .string("\(SystemError(call: "fork"))")] }
        children.insert(number)
        return ["process": .integer(Int64(number))]
    }

    private mutating func end(_ number: pid_t, kills: Bool) -> JSONValue {
        // Until it is waited for, nobody else has its number.
        guard children.remove(number) != nil else { return ["error": "There is no such process."] }
        if kills { kill(-number, SIGKILL) }
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0, errno == EINTR {}
        return ["ended": .integer(Int64(number))]
    }

    private final class Life {
        let run: () -> Never
        init(run: @escaping () -> Never) { self.run = run }
    }

    /// The life of a world, in its own process.
    private static func become(
        _ template: ServerProcess, _ design: ServerProcess.Design, in folder: String, _ input: Int32, _ output: Int32
    ) -> Never {
        setpgid(0, 0)
        guard dup2(input, 0) == 0, dup2(output, 1) == 1 else { ProcessEnd.now(.systemRefused) }
        for descriptor in [input, output] { close(descriptor) }
        var environment = template.environment
        for (name, value) in WorldCommand.ownVariables(in: folder) {
            environment[name] = value
            setenv(name, value, 1)
        }
        let guest = GuestCommand(GuestCommand.Wish(words: [], seed: nil, lines: GuestLines()))
        let code = template.world(in: WorldCommand.data(in: folder), environment, guest).run(design)
        guard code == .success, let status = guest.status else { ProcessEnd.now(code) }
        ProcessEnd.now(command: status)
    }
}
