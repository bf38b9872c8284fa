import Glibc
import JSON
import Network
import Synchronization

/// A command that is run while the server serves it. Its end is the end of the server, and its code that of the process.
///
///     run ─▶ the seed's command ─▶ the command ─▶ status
///
/// It has this process's terminal, input and outputs. Who asks this process to end asks the command to, and the server goes on
/// serving until that has come to its end. With `--stdio` the program that has started this process takes its place.
final class GuestCommand: Sendable {
    /// The command to run.
    struct Wish: Sendable {
        let words: [String]
        /// Run before, by a shell: it fills what is empty.
        let seed: String?
        /// The program that has started this one; nil: the words are run.
        var lines: GuestLines?
    }

    /// How shells report commands that could not be begun, and those that a signal has ended.
    private enum Status {
        static let notRunnable: Int32 = 126
        static let notFound: Int32 = 127
        static let signalled: Int32 = 128
    }

    private struct State {
        /// The one that runs. It is not taken from the system before nobody can send it a signal any more.
        var process: pid_t?
        /// The signal that has asked for the end.
        var signal: Int32?
        var status: Int32?
    }

    /// Its surroundings.
    let place = GuestPlace()
    private let wish: Wish
    private let state = Mutex(State())

    init(_ wish: Wish) { self.wish = wish }

    /// The code that the process ends with; nil: it has not come to that.
    var status: Int32? { state.withLock { $0.status } }

    /// Runs the commands one after the other, as far as they succeed, and waits for them.
    ///
    /// - Parameters:
    ///   - greeting: what a program hears that takes the place of the command.
    ///   - answers: what it gets for its lines.
    ///   - whenSeeded: called between the two, where there are two.
    func run(
        _ variables: [String: String], greeting: @autoclosure () -> JSONValue, _ answers: GuestLines.Answers,
        _ output: CommandOutput, whenSeeded: () -> Void
    ) {
        var status: Int32 = 0
        if let seed = wish.seed {
            status = run(["/bin/sh", "-c", seed], variables, output)
            if status != 0 { output.report("homeport: the seed's command ended with \(status): \(seed)") }
            if status == 0 { whenSeeded() }
        }
        if status == 0, let lines = wish.lines {
            if state.withLock({ $0.signal }) == nil { lines.serve(greeting(), output, answers) }
            status = state.withLock { $0.signal }.map { Status.signalled + $0 } ?? 0
        } else if status == 0 {
            status = run(wish.words, variables, output)
        }
        state.withLock { $0.status = status }
    }

    /// Hands on a signal that asks for the end.
    func interrupt(_ number: Int32) {
        state.withLock { state in
            state.signal = number
            wish.lines?.end()
            guard let process = state.process else { return }
            // What is typed on a terminal has reached it too, and twice means something else to many programs.
            if number == SIGINT, Self.isInForeground { return }
            kill(process, number)
        }
    }

    /// Ends it, whatever it does, when this process ends at once.
    func endNow() {
        state.withLock { state in
            if let process = state.process { kill(process, SIGKILL) }
        }
        place.remove()
    }

    /// True if this process's group is the one that a terminal sends its signals to.
    private static var isInForeground: Bool {
        (0...2).contains { tcgetpgrp($0) == getpgrp() }
    }

    private func run(_ words: [String], _ variables: [String: String], _ output: CommandOutput) -> Int32 {
        let begun = state.withLock { state -> Result<pid_t, SystemError>? in
            guard state.signal == nil else { return nil }
            // Where this process is killed, nothing is left for the command to do.
            let begun = ChildStart.begin(words.first ?? "", words, variables, deathSignal: SIGTERM)
            state.process = try? begun.get()
            return begun
        }
        switch begun {
        case nil: return Status.signalled + (state.withLock { $0.signal } ?? SIGTERM)
        case .failure(let error)?:
            output.report("homeport: cannot run \(words.first ?? ""): \(String(cString: strerror(error.code)))")
            return error.code == ENOENT ? Status.notFound : Status.notRunnable
        case .success(let process)?: return wait(for: process)
        }
    }

    private func wait(for process: pid_t) -> Int32 {
        // It keeps its number until it is taken: no signal of ours can reach another one.
        var info = siginfo_t()
        while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return state.withLock { state in
            state.process = nil
            var status: Int32 = 0
            guard waitpid(process, &status, 0) == process else { return Status.notRunnable }
            let signal = status & 0x7f
            return signal == 0 ? (status >> 8) & 0xff : Status.signalled + signal
        }
    }
}
