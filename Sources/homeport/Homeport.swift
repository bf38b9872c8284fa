import Glibc
import Server

/// The command line: reads the arguments, calls into `Server`, prints, and ends with a code of `ExitCode`.
///
///     arguments ─▶ ArgumentParser ─▶ Invocation ─▶ Runner ─▶ Server
///                      ▲                 ▲
///                  CommandTable: every command and option, from which help and completion come too
@main
struct Homeport {
    static func main() {
        ProcessEnd.prepare()
        // A reader that goes away, as in `homeport help | head -1`, is an error of write, not the end by a signal.
        signal(SIGPIPE, SIG_IGN)
        let runner = Runner(output: .process, environment: ProcessEnvironment.variables)
        ProcessEnd.now(runner.run(ProcessEnvironment.arguments))
    }
}
