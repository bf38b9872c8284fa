import Glibc
import Network

/// One of our own runtimes: a program in the function's language that loads a handler and speaks the Runtime API.
package struct Bootstrap: Sendable {
    /// Its name in the folder of the runtimes.
    let fileName: String
    /// The programs that can run it, the best first.
    let programs: [String]
    /// The arguments before its file.
    let words: [String]
    /// Its source.
    let text: String
    /// The advice where the program is missing.
    let isMissing: String
    /// Files that it loads from the same folder.
    var modules: [File] = []
    /// A file that the SDK of the language reads.
    var settings: File?

    /// A file beside a runtime.
    struct File: Sendable {
        let fileName: String
        let text: String
    }

    static func of(_ language: HandlerPlace.Language) -> Bootstrap {
        switch language {
        case .node: node
        case .python: python
        }
    }

    static let node = Bootstrap(
        fileName: "node.mjs", programs: ["node"], words: ["--enable-source-maps"], text: NodeBootstrap.text,
        isMissing: "there is no node, which functions in JavaScript and TypeScript need: install it with "
            + "`apt-get install nodejs` or `brew install node`, or from https://nodejs.org",
        modules: [
            File(fileName: "node-network.mjs", text: NodeNetwork.text),
            File(fileName: "node-http2.mjs", text: NodeHTTP2.text),
            File(fileName: "node-packages.mjs", text: NodePackages.text),
        ])
    static let python = Bootstrap(
        fileName: "python.py", programs: ["python3", "python"], words: ["-u"], text: PythonBootstrap.text,
        isMissing: "there is no python3, which functions in Python need: install it with `apt-get install python3` or "
            + "`brew install python3`",
        settings: File(fileName: PythonBootstrap.settingsName, text: PythonBootstrap.settings))

    /// The folder with the SDK, in that of the runtimes.
    package static let sdkFolder = "sdk"

    private static let fileMode: mode_t = 0o600
    private static let folderMode: mode_t = 0o700
    private static let bytesMax = 1 << 20

    /// Puts it where processes find it, unless it is there.
    func write(to folder: String) throws(SystemError) {
        // The runtime itself last: it loads the others.
        for file in modules { try Self.write(file.text, to: file.fileName, in: folder) }
        if let settings { try Self.write(settings.text, to: settings.fileName, in: folder) }
        try Self.write(text, to: fileName, in: folder)
    }

    private static func write(_ text: String, to fileName: String, in folder: String) throws(SystemError) {
        let path = "\(folder)/\(fileName)"
        let bytes = Array(text.utf8)
        if let there = try? SmallFile.read(path, bytesMax: bytesMax), there == bytes { return }
        guard mkdir(folder, folderMode) == 0 || errno == EEXIST else {
            throw SystemError(call: "mkdir", subject: folder)
        }
        try SmallFile.replace(path, with: bytes, mode: fileMode)
    }
}
