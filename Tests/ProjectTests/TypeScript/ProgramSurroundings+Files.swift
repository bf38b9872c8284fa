@testable import Blueprint
@testable import Project

extension ProgramSurroundings {
    /// A project that is nothing but these texts, by the paths of their files.
    init(_ files: [String: String]) {
        self.init(
            currentFolder: "/app",
            exists: { name in files[name] != nil || files.keys.contains { $0.hasPrefix(name + "/") } },
            load: { name in files[name].map { Array($0.utf8) } })
    }
}
