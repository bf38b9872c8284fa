/// A function that runs in processes of its own, as it is set.
package struct FunctionSettings: Sendable, Equatable {
    /// The program that is started.
    package enum Program: Sendable, Equatable {
        /// A program and its words.
        case words([String])
        /// A line for the shell.
        case line(String)
        /// A file that one of our own runtimes loads.
        case handler(HandlerPlace)
    }

    package let name: String
    package var program: Program
    /// Where it runs.
    package var folder: String
    /// The handler's name for the runtime.
    package var handler: String
    package var environment: [String: String] = [:]
    package var timeoutSeconds = 3
    package var memoryMegabytes = 512
    /// How many processes it may have, each of which does one call at a time.
    package var concurrency = 10

    package init(name: String, _ program: Program, folder: String = ".", handler: String = "index.handler") {
        self.name = name
        self.program = program
        self.folder = folder
        self.handler = handler
    }
}
