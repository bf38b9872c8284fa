import Glibc
import Script

/// Runs files: `script-run FILE...` as modules, `script-run --script FILE...` as scripts, `script-run --time FILE` with
/// times, `script-run --test262` reading jobs from its input.
let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "--test262": Conformance.run()
case "--time": Timing.run(Array(arguments.dropFirst()))
case "--script": exit(ScriptRunner.run(Array(arguments.dropFirst()), isModule: false))
default: exit(ScriptRunner.run(arguments, isModule: true))
}
