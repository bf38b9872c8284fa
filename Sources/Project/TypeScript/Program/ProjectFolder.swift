import Blueprint
import Script

/// The folder of the project that a resource file belongs to: its program reads nothing outside of it, and runs in it.
final class ProjectFolder: NodeHost {
    private let surroundings: ProgramSurroundings
    /// The absolute path of the program's own file.
    private let main: String
    /// What is read lies below here.
    let root: String
    /// Where Amplify runs programs.
    let workingDirectory: String

    private static let levelsMax = 16

    init(of file: String, _ surroundings: ProgramSurroundings) {
        self.surroundings = surroundings
        main = ProgramFiles.join(surroundings.currentFolder, file)
        let folder = ProgramFiles.folder(of: main)
        workingDirectory = Self.workingDirectory(of: folder, surroundings)
        root = Self.repository(around: workingDirectory, surroundings) ?? workingDirectory
    }

    /// The folder that holds `amplify`; else the nearest one with a `package.json`; else that of the file, or the one around
    /// `data`.
    private static func workingDirectory(of folder: String, _ surroundings: ProgramSurroundings) -> String {
        var inner = folder
        for _ in 0..<levelsMax where inner != "/" {
            let outer = ProgramFiles.folder(of: inner)
            if inner.hasSuffix("/amplify") { return outer }
            inner = outer
        }
        return nearest("package.json", from: folder, surroundings)
            ?? (folder.hasSuffix("/data") ? ProgramFiles.folder(of: folder) : folder)
    }

    /// Several packages of one repository may share modules.
    private static func repository(around folder: String, _ surroundings: ProgramSurroundings) -> String? {
        nearest(".git", from: folder, surroundings)
    }

    private static func nearest(_ name: String, from folder: String, _ surroundings: ProgramSurroundings) -> String? {
        var folder = folder
        for _ in 0..<levelsMax {
            if surroundings.exists(ProgramFiles.join(folder, name)) { return folder }
            if folder == "/" { return nil }
            folder = ProgramFiles.folder(of: folder)
        }
        return nil
    }

    /// The absolute path of a file.
    func path(of file: String) -> String { ProgramFiles.join(surroundings.currentFolder, file) }

    func contains(_ file: String) -> Bool {
        let path = path(of: file)
        return root == "/" || path == root || path.hasPrefix(root + "/")
    }

    // MARK: What programs find in Node

    var environment: [(name: String, value: String)] {
        surroundings.environment.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    var arguments: [String] { ["node", main] }
    var platform: String { "linux" }

    func contents(of path: String) throws(ScriptHostError) -> [UInt8]? {
        guard contains(path) else {
            throw ScriptHostError(
                "\(path) lies outside of the project \(root)", hint: "Keep what the schema needs below that folder.")
        }
        return surroundings.load(path)
    }

    func exists(_ path: String) -> Bool { contains(path) && surroundings.exists(path) }
}
