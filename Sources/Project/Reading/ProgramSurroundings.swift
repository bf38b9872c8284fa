import Blueprint

/// What lies around a program: files, the environment variables, and where its console goes.
package struct ProgramSurroundings: Sendable {
    /// Gives the bytes of a file, or nil when there is none that can be read.
    package var load: @Sendable (String) -> [UInt8]?
    /// Whether there is a file or a folder.
    package var exists: @Sendable (String) -> Bool
    /// Where a path leads behind all links; nil where there is nothing.
    package var realPath: @Sendable (String) -> String?
    /// The names of what lies in a folder, in any order; nil where there is none that can be read.
    package var names: @Sendable (String) -> [String]?
    package var environment: [String: String]
    /// Told of each variable that a program looks for and does not find, once.
    package var missingVariable: @Sendable (String) -> Void
    /// The absolute path of the folder that relative paths start from.
    package var currentFolder: String
    /// Takes a line of the program's console.
    package var console: @Sendable (String) -> Void

    package init(
        currentFolder: String = "/", environment: [String: String] = [:],
        exists: @escaping @Sendable (String) -> Bool = { _ in false },
        realPath: @escaping @Sendable (String) -> String? = { $0 },
        names: @escaping @Sendable (String) -> [String]? = { _ in nil },
        missingVariable: @escaping @Sendable (String) -> Void = { _ in },
        console: @escaping @Sendable (String) -> Void = { _ in },
        load: @escaping @Sendable (String) -> [UInt8]? = { _ in nil }
    ) {
        self.currentFolder = currentFolder
        self.names = names
        self.environment = environment
        self.exists = exists
        self.realPath = realPath
        self.missingVariable = missingVariable
        self.console = console
        self.load = load
    }
}
