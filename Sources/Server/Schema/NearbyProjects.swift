import Glibc

/// The projects that lie around a folder in which there is none: below it, as in a repository of several packages, or above it.
enum NearbyProjects {
    /// By what a project is known, each with the folder that it lies in behind it.
    private static let marks = [
        "amplify/data/resource.ts", "amplify/backend.ts", "amplify/backend/backend-config.json",
    ]
    private static let depthMax = 3
    private static let stepsUpMax = 4
    private static let foldersMax = 2_000
    private static let shownMax = 3
    /// Folders that tools fill.
    private static let foreign: Set<String> = ["node_modules", "build", "dist", "target", "Pods"]

    /// Their folders, as one goes there.
    static func folders(
        exists: (String) -> Bool = ProjectReading.surroundings.exists, names: (String) -> [String] = below
    ) -> [String] {
        var up = ".."
        for _ in 0..<stepsUpMax {
            if isProject(up, exists) { return [up] }
            up += "/.."
        }
        var found: [String] = []
        var level = ["."]
        var count = 0
        for _ in 0..<depthMax {
            var next: [String] = []
            for folder in level {
                for name in names(folder) where !foreign.contains(name) {
                    count += 1
                    guard count <= foldersMax, found.count < shownMax else { return found }
                    let place = folder == "." ? name : "\(folder)/\(name)"
                    if isProject(place, exists) { found.append(place) } else { next.append(place) }
                }
            }
            level = next
        }
        return found
    }

    /// The sentence about them for a person; nil: there are none.
    static var advice: String? {
        let folders = folders()
        guard let first = folders.first else { return nil }
        return folders.count == 1
            ? "there is a project in \(first): go there with cd \(first)"
            : "there are projects in \(folders.joined(separator: ", ")): go into the one that is meant, as with cd \(first)"
    }

    private static func isProject(_ folder: String, _ exists: (String) -> Bool) -> Bool {
        marks.contains { exists("\(folder)/\($0)") }
    }

    /// The folders in one, in the order of their names.
    private static func below(_ folder: String) -> [String] {
        ProjectFile.names(in: folder).filter { name in
            var status = stat()
            let path = folder == "." ? name : "\(folder)/\(name)"
            // What links lead to is found where it lies.
            return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        }
    }
}
