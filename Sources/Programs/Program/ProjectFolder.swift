import Blueprint
import Project
import Script
import Synchronization

/// The folder of the project that a resource file belongs to: its program reads nothing outside of it, and runs in it.
final class ProjectFolder: NodeHost {
    private let surroundings: ProgramSurroundings
    /// The absolute path of the program's own file.
    private let main: String
    /// What is read lies below here.
    let root: String
    /// The same behind all links.
    private let realRoot: String
    /// Where Amplify runs programs.
    let workingDirectory: String
    private let missed = Mutex<Set<String>>([])

    private static let levelsMax = 16

    init(of file: String, _ surroundings: ProgramSurroundings) {
        self.surroundings = surroundings
        main = ProgramFiles.join(surroundings.currentFolder, file)
        let folder = ProgramFiles.folder(of: main)
        workingDirectory = Self.workingDirectory(of: folder, surroundings)
        root = Self.repository(around: workingDirectory, surroundings) ?? workingDirectory
        realRoot = surroundings.realPath(root) ?? root
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

    func contains(_ file: String) -> Bool { Self.isBelow(path(of: file), root) }

    private static func isBelow(_ path: String, _ folder: String) -> Bool {
        guard path.utf8.starts(with: folder.utf8) else { return false }
        let rest = path.utf8.dropFirst(folder.utf8.count)
        return folder.utf8.last == UInt8(ascii: "/") || rest.isEmpty || rest.first == UInt8(ascii: "/")
    }

    // MARK: Links

    /// A link that leads out of the project, and where to.
    struct StrayLink {
        let path: String
        let target: String

        func error(_ project: ProjectFolder) -> ScriptHostError {
            ScriptHostError(
                "\(path) is a link that leads out of the project \(project.root), to \(target)",
                hint: "Keep what the schema needs below that folder.")
        }
    }

    /// The link by which a path leads out of the project; nil: there is none.
    func strayLink(in file: String) -> StrayLink? {
        let path = path(of: file)
        guard let target = surroundings.realPath(path), !Self.isBelow(target, realRoot) else { return nil }
        var link = root.utf8.last == UInt8(ascii: "/") ? "" : root
        for part in path.utf8.dropFirst(root.utf8.count).split(separator: UInt8(ascii: "/")) {
            link += "/" + String(decoding: part, as: UTF8.self)
            guard let target = surroundings.realPath(link), !Self.isBelow(target, realRoot) else { continue }
            return StrayLink(path: link, target: target)
        }
        return StrayLink(path: path, target: target)
    }

    // MARK: What programs find in Node

    var environment: [(name: String, value: String)] {
        surroundings.environment.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func missing(variable name: String) {
        guard missed.withLock({ $0.insert(name).inserted }) else { return }
        surroundings.missingVariable(name)
    }

    var arguments: [String] { ["node", main] }
    var platform: String { "linux" }

    func contents(of path: String) throws(ScriptHostError) -> [UInt8]? {
        guard contains(path) else { throw outside(path) }
        if let link = strayLink(in: path) { throw link.error(self) }
        return surroundings.load(path)
    }

    func exists(_ path: String) throws(ScriptHostError) -> Bool {
        guard contains(path) else { throw outside(path) }
        return surroundings.exists(path) && strayLink(in: path) == nil
    }

    func names(in folder: String) throws(ScriptHostError) -> [String]? {
        guard contains(folder) else { throw outside(folder) }
        if let link = strayLink(in: folder) { throw link.error(self) }
        return surroundings.names(folder)?.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private func outside(_ path: String) -> ScriptHostError {
        ScriptHostError(
            "\(path) lies outside of the project \(root)", hint: "Keep what the schema needs below that folder.")
    }
}
