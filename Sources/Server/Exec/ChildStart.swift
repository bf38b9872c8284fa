import CSystem
import Glibc
import Network

/// Starts another program as a shell would: this process blocks the signals that it waits for, and ignores others; the program does not.
enum ChildStart {
    /// - Parameters:
    ///   - program: a name that is looked for in PATH, or a path.
    ///   - words: its arguments, with its name before them.
    ///   - descriptors: its input and output; nil: those of this process.
    ///   - hasOwnGroup: whether signals typed on a terminal reach this process alone.
    ///   - deathSignal: what it gets when the calling thread ends before it, be it because this process was killed; 0: nothing.
    static func begin(
        _ program: String, _ words: [String], _ variables: [String: String],
        _ descriptors: (input: Int32, output: Int32)? = nil, hasOwnGroup: Bool = false, deathSignal: Int32 = 0
    ) -> Result<pid_t, SystemError> {
        let number = CommandTexts.with(words) { words in
            CommandTexts.with(variables.map { "\($0.key)=\($0.value)" }) { variables in
                program.withCString { program in
                    var command = homeport_command(
                        file: program, words: words, variables: variables, folder: nil,
                        input: descriptors?.input ?? -1, output: descriptors?.output ?? -1, is_of_shell: 1,
                        has_own_group: hasOwnGroup ? 1 : 0, death_signal: deathSignal, memory_bytes: 0,
                        descriptors: 0)
                    return homeport_start_process(&command)
                }
            }
        }
        return number > 0 ? .success(number) : .failure(SystemError(call: "start", subject: program))
    }
}
