import CSystem
import Glibc
import Network

/// A program beside the server that ends what functions have started, where the server itself is killed: the system ends only
/// those processes with it that it has started.
///
///     server ── "+ 4711", "- 4711" ──▶ shell ── the pipe is closed ──▶ ends the groups that are left
///
/// It is started with the first process of a function. Where it cannot be, functions run without it. On the loop of the functions.
final class GroupGuard {
    private var input: FileDescriptor?
    private var number: Int32?
    private var isStarted = false

    private static let shell = "/bin/sh"
    private static let script = """
        trap '' HUP INT TERM
        them=' '
        while read -r word number; do
            case $word in
                +) them="$them$number " ;;
                -) case $them in *" $number "*) them="${them%% $number *} ${them#* $number }" ;; esac ;;
            esac
        done
        for number in $them; do kill -s KILL -- "-$number"; done
        """
    private static let memoryBytes: UInt64 = 64 << 20
    private static let descriptorsMax: UInt64 = 64

    /// Takes a group under its guard.
    func add(_ group: Int32) {
        if !isStarted {
            isStarted = true
            start()
        }
        tell("+ \(group)\n")
    }

    /// Nothing of the group is left. Called before its number is free for others.
    func remove(_ group: Int32) { tell("- \(group)\n") }

    /// Ends it, and whatever it still guards.
    func end() {
        input = nil
        if let number { while waitpid(number, nil, 0) < 0, errno == EINTR {} }
        number = nil
    }

    private func start() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        let reading = FileDescriptor(owning: ends[0])
        let writing = FileDescriptor(owning: ends[1])
        let nothing = FileDescriptor(owning: open("/dev/null", O_WRONLY | O_CLOEXEC))
        guard nothing.raw >= 0, fcntl(reading.raw, F_SETFD, FD_CLOEXEC) == 0,
            fcntl(writing.raw, F_SETFD, FD_CLOEXEC) == 0, fcntl(writing.raw, F_SETFL, O_NONBLOCK) == 0
        else { return }
        let started = CommandTexts.with(["sh", "-c", Self.script]) { words in
            CommandTexts.with([]) { variables in
                Self.shell.withCString { file in
                    "/".withCString { folder in
                        var command = homeport_command(
                            file: file, words: words, variables: variables, folder: folder, input: reading.raw,
                            output: nothing.raw, is_of_shell: 0, has_own_group: 1, death_signal: 0,
                            memory_bytes: Self.memoryBytes, descriptors: Self.descriptorsMax)
                        return homeport_start_process(&command)
                    }
                }
            }
        }
        guard started > 0 else { return }
        number = started
        input = .some(writing)
    }

    private func tell(_ text: String) {
        guard let raw = input?.raw else { return }
        let bytes = Array(text.utf8)
        // It reads at once. Where it is gone there is nothing that could be told.
        _ = write(raw, bytes, bytes.count)
    }
}
