import CSystem
import Glibc
import JSON
import Network
import Threads

/// The work of the process that worlds are forked from (`WorldTemplate`): it makes all that they have in common, and then a world for each
/// message (`homeport_serve_forks`).
///
/// No other thread is at work whenever it forks: nothing is held by a thread that the copy does not have.
enum WorldForks {
    /// Where messages come from and answers go.
    private static let connection: Int32 = 0
    /// The variable for the parts of this process's memory: with one, memory that a thread gives back is there for all. The C library reads
    /// it before anything else runs.
    static let memoryVariable = "MALLOC_ARENA_MAX"

    /// Makes worlds until nobody is there to ask for one.
    static func serve(
        _ resolution: ConfigurationResolver.Resolution, environment: [String: String], _ output: CommandOutput
    ) -> ExitCode {
        var environment = environment
        // It is no other program's.
        environment[memoryVariable] = nil
        unsetenv(memoryVariable)
        let process: ServerProcess
        switch Server.process(resolution, environment: environment, isVerbose: false, output, guest: nil) {
        case .success(let made): process = made
        case .failure(let refusal): return refusal.code
        }
        do throws(StartError) {
            let design = try process.design()
            WorldRehearsal.run(process, design)
            StartPages.find()
            let life = Unmanaged.passRetained(
                Life { folder, input, output in become(process, design, in: folder, input, output) })
            defer { life.release() }
            WorkAside<Void>.waitUntilThreadsAreGone()
            homeport_serve_forks(
                connection,
                { context, folder, input, output in
                    guard let context, let folder else { return }
                    Unmanaged<Life>.fromOpaque(context).takeUnretainedValue().run(
                        String(cString: folder), input, output)
                }, life.toOpaque())
            return .success
        } catch {
            output.report("homeport: \(error.message)")
            return error.code
        }
    }

    private final class Life {
        let run: (_ folder: String, _ input: Int32, _ output: Int32) -> Never
        init(run: @escaping (_ folder: String, _ input: Int32, _ output: Int32) -> Never) { self.run = run }
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
