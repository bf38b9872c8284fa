import Synchronization

/// The variables of a project's programs in `process.env`.
///
/// Such a program may be a stranger's: `check` reads a branch in CI, where the environment holds secrets, and what a program reads may end in the
/// files for apps. So it gets the variables that say where and how it runs, and those that whoever starts the program names. The
/// project's own files cannot name any.
enum ProgramVariables {
    /// The variable that names further ones, separated by commas.
    static let variable = "HOMEPORT_PROGRAM_VARIABLES"

    private static let usual: Set<String> = [
        "AWS_APP_ID", "AWS_BRANCH", "AWS_DEFAULT_REGION", "AWS_PULL_REQUEST_ID", "AWS_REGION", "CI", "HOME", "LANG",
        "LOGNAME",
        "NODE_ENV", "PATH", "TMPDIR", "TZ", "USER",
    ]

    static func given(of all: [String: String]) -> [String: String] {
        let named = (all[variable] ?? "").utf8.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") }
        let names = usual.union(named.map { String(decoding: $0, as: UTF8.self) })
        return all.filter { names.contains($0.key) }
    }

    private static let told = Mutex<Set<String>>([])

    /// Tells a person, once, that a program looks for a variable that is there and not given to it.
    static func tell(of name: String) {
        guard told.withLock({ $0.insert(name).inserted }) else { return }
        CommandOutput.process.report(note(of: name))
    }

    private static func note(of name: String) -> String {
        "process.env.\(name) is not given to the project's programs: \(variable)=\(name) in the server's environment gives it to them"
    }
}
