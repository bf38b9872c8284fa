import CSystem
import Glibc

/// The environment of the process at its start.
package enum ProcessEnvironment {
    /// The words behind the program's name. Not `CommandLine.arguments`: Swift looks for them beside the environment
    /// variables, and finds nothing when a library that was loaded before has set one.
    package static var arguments: [String] {
        let count = homeport_argument_count()
        guard count > 0 else { return Array(CommandLine.arguments.dropFirst()) }
        return (1..<max(1, count)).map { index in homeport_argument(index).map { String(cString: $0) } ?? "" }
    }

    /// The environment variables, as they were when it started.
    package static var variables: [String: String] {
        var variables: [String: String] = [:]
        // A library that takes all variables away leaves nothing at all.
        guard var next = homeport_variables() else { return variables }
        while let entry = next.pointee {
            let text = String(cString: entry)
            if let sign = text.firstIndex(of: "=") {
                variables[String(text[..<sign])] = String(text[text.index(after: sign)...])
            }
            next += 1
        }
        return variables
    }
}
