import Glibc
import Network

/// Starts another program as a shell would: this process blocks the signals that it waits for, and ignores others; the program does not.
enum ChildStart {
    /// - Parameters:
    ///   - program: a name that is looked for in PATH, or a path.
    ///   - words: its arguments, with its name before them.
    ///   - descriptors: its input and output; nil: those of this process.
    ///   - hasOwnGroup: whether signals typed on a terminal reach this process alone.
    static func begin(
        _ program: String, _ words: [String], _ variables: [String: String],
        _ descriptors: (input: Int32, output: Int32)? = nil, hasOwnGroup: Bool = false
    ) -> Result<pid_t, SystemError> {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let descriptors {
            posix_spawn_file_actions_adddup2(&actions, descriptors.input, 0)
            posix_spawn_file_actions_adddup2(&actions, descriptors.output, 1)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        if hasOwnGroup {
            posix_spawnattr_setpgroup(&attributes, 0)
            flags |= POSIX_SPAWN_SETPGROUP
        }
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var texts: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var lines: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in texts + lines { free(text) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, program, &actions, &attributes, &texts, &lines)
        return code == 0 ? .success(process) : .failure(SystemError(call: "posix_spawn", code: code))
    }
}
