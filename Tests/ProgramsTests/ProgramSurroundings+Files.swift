@testable import Blueprint
@testable import Programs
@testable import Project

extension ProgramSurroundings {
    private static let folder = "/app"

    /// A project that is nothing but these texts, by the paths of their files.
    init(_ given: [String: String]) {
        /// A path from the folder of the project.
        @Sendable func inner(_ path: String) -> String {
            path == Self.folder ? "" : path.hasPrefix(Self.folder + "/") ? String(path.dropFirst(5)) : path
        }
        let files = Dictionary(given.map { (inner($0.key), $0.value) }) { first, _ in first }
        @Sendable func names(in folder: String) -> [String]? {
            let start = inner(folder).isEmpty ? "" : inner(folder) + "/"
            let names = files.keys.filter { $0.hasPrefix(start) }.compactMap { path in
                path.dropFirst(start.count).split(separator: "/").first.map(String.init)
            }
            return names.isEmpty ? nil : Array(Set(names))
        }
        self.init(
            currentFolder: Self.folder,
            exists: { name in files[inner(name)] != nil || names(in: name) != nil },
            names: { folder in names(in: folder) },
            load: { name in files[inner(name)].map { Array($0.utf8) } })
    }
}
