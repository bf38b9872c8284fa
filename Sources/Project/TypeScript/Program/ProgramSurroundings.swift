import Blueprint

/// What lies around a program: files, the environment variables, and where its console goes.
package struct ProgramSurroundings: Sendable {
    /// Gives the bytes of a file, or nil when there is none that can be read.
    package var load: @Sendable (String) -> [UInt8]?
    /// Whether there is a file or a folder.
    package var exists: @Sendable (String) -> Bool
    package var environment: [String: String]
    /// The absolute path of the folder that relative paths start from.
    package var currentFolder: String
    /// Takes a line of the program's console.
    package var console: @Sendable (String) -> Void

    package init(
        currentFolder: String = "/", environment: [String: String] = [:],
        exists: @escaping @Sendable (String) -> Bool = { _ in false },
        console: @escaping @Sendable (String) -> Void = { _ in },
        load: @escaping @Sendable (String) -> [UInt8]? = { _ in nil }
    ) {
        self.currentFolder = currentFolder
        self.environment = environment
        self.exists = exists
        self.console = console
        self.load = load
    }
}
