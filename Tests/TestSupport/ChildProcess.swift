import CSpawn
import Foundation
import Glibc
import Synchronization

/// A program in a process of its own. It has no descriptors but its input and its outputs, however many the tests have open.
///
/// Foundation's own class reads the table of all descriptors at each start, while the threads of other tests change it.
package final class ChildProcess: Sendable {
    /// What stands at one of the three descriptors that a program begins with.
    package enum Stream {
        /// What the tests have there themselves.
        case shared
        case nothing
        /// A file: read from its beginning, or emptied and written.
        case file(String)
        /// This side of it is closed here once the program has it.
        case pipe(Pipe)
    }

    package enum Ending: Equatable, Sendable, CustomStringConvertible {
        case code(Int32)
        case signal(Int32)

        /// Its code, or the number of the signal that has ended it.
        package var status: Int32 {
            switch self {
            case .code(let number), .signal(let number): number
            }
        }

        package var description: String {
            switch self {
            case .code(let number): "exit \(number)"
            case .signal(let number): "signal \(number)"
            }
        }
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let identifier: pid_t
    /// It is taken from the system once, and under this lock: until then no other process has its number.
    private let taken = Mutex<Ending?>(nil)

    /// Starts it.
    ///
    /// - Parameters:
    ///   - words: the program, looked for in the tests' PATH where it is a bare name, and its arguments.
    ///   - environment: its variables; nil: those of the tests.
    ///   - folder: where it runs; nil: where the tests do.
    package init(
        _ words: [String], environment: [String: String]? = nil, in folder: String? = nil,
        input: Stream = .nothing, output: Stream = .shared, errors: Stream = .shared
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
            Self.add(stream, at: number, to: &actions)
        }
        if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of the tests block signals, and a program begins like any other: in a group of its own, as from a shell.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        let variables = environment ?? ProcessInfo.processInfo.environment
        var texts: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var lines: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in texts + lines { free(text) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, words.first ?? "", &actions, &attributes, &texts, &lines)
        if case .pipe(let pipe) = input { try pipe.fileHandleForReading.close() }
        for case .pipe(let pipe) in [output, errors] { try? pipe.fileHandleForWriting.close() }
        guard code == 0 else {
            throw Failure(description: "cannot run \(words): \(String(cString: strerror(code)))")
        }
        identifier = process
    }

    private static func add(_ stream: Stream, at number: Int32, to actions: inout posix_spawn_file_actions_t) {
        let (reads, writes) = (O_RDONLY, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND)
        switch stream {
        case .shared: break
        case .nothing: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        case .file(let path):
            posix_spawn_file_actions_addopen(&actions, number, path, number == STDIN_FILENO ? reads : writes, 0o600)
        case .pipe(let pipe):
            let side = number == STDIN_FILENO ? pipe.fileHandleForReading : pipe.fileHandleForWriting
            posix_spawn_file_actions_adddup2(&actions, side.fileDescriptor, number)
        }
    }

    package var isRunning: Bool {
        var info = siginfo_t()
        let isThere = taken.withLock { $0 == nil }
        return isThere && waitid(P_PID, id_t(identifier), &info, WEXITED | WNOWAIT | WNOHANG) == 0 && info.si_signo == 0
    }

    package func signal(_ number: Int32) {
        taken.withLock { ending in
            if ending == nil { _ = kill(identifier, number) }
        }
    }

    /// Waits for the end and answers how it came, as often as it is asked.
    @discardableResult
    package func wait() -> Ending {
        var info = siginfo_t()
        // It keeps its number until it is taken below.
        while waitid(P_PID, id_t(identifier), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return taken.withLock { ending in
            if let ending { return ending }
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7f
            let found: Ending = signal == 0 ? .code((status >> 8) & 0xff) : .signal(signal)
            ending = found
            return found
        }
    }

    deinit {
        signal(SIGKILL)
        wait()
    }

    /// Runs a program to its end, for what it says.
    package static func said(
        _ words: [String], environment: [String: String]? = nil, isWithErrors: Bool = false
    ) throws -> (text: String, ending: Ending) {
        let pipe = Pipe()
        let process = try ChildProcess(
            words, environment: environment, output: .pipe(pipe), errors: isWithErrors ? .pipe(pipe) : .nothing)
        let text = pipe.fileHandleForReading.readWhole()
        return (String(decoding: text, as: UTF8.self), process.wait())
    }
}
