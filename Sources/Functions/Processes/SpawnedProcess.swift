import CSystem
import Glibc
import Network

/// A process that has been started, as the leader of a group: with its output and its end as something to be watched.
struct SpawnedProcess: ~Copyable {
    let number: Int32
    let output: FileDescriptor
    let life: FileDescriptor

    /// - Parameter memoryBytes: what it may write to of its own.
    static func start(
        _ program: FunctionProgram, variables: [String: String], folder: String, memoryBytes: UInt64
    ) throws(SystemError) -> SpawnedProcess {
        var (reading, writing): (Int32, Int32) = (-1, -1)
        guard homeport_pipe(&reading, &writing) == 0 else { throw SystemError(call: "pipe") }
        let output = FileDescriptor(owning: reading)
        let input = FileDescriptor(owning: writing)
        let lines = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let number = CommandTexts.with(program.words) { words in
            CommandTexts.with(lines) { variables in
                program.file.withCString { file in
                    folder.withCString { folder in
                        var command = homeport_command(
                            file: file, words: words, variables: variables, folder: folder, input: -1,
                            output: input.raw, is_of_shell: 0, has_own_group: 1, death_signal: SIGKILL,
                            memory_bytes: memoryBytes, descriptors: RuntimeLimits.descriptorsMax)
                        return homeport_start_process(&command)
                    }
                }
            }
        }
        guard number > 0 else { throw SystemError(call: "start", subject: program.file) }
        let life = homeport_process_descriptor(number)
        guard life >= 0 else {
            let error = SystemError(call: "pidfd_open")
            kill(-number, SIGKILL)
            waitpid(number, nil, 0)
            throw error
        }
        return SpawnedProcess(number: number, output: output, life: FileDescriptor(owning: life))
    }

    /// Its descriptors, for those who watch them.
    consuming func descriptors() -> (output: Int32, life: Int32) {
        (output.release(), life.release())
    }

    private init(number: Int32, output: consuming FileDescriptor, life: consuming FileDescriptor) {
        self.number = number
        self.output = output
        self.life = life
    }
}
