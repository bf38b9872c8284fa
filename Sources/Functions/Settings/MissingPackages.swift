import Glibc
import JSON
import Network

/// What the package of a handler asks for and does not have: Node looks for it in the folder of the package and in all above.
struct MissingPackages: Equatable {
    let folder: String
    let names: [String]

    private static let foldersMax = 64
    private static let bytesMax = 1 << 20

    /// Nil where nothing is missing, or nothing asks for anything.
    ///
    /// - Parameter own: the folder of what functions find besides.
    init?(around place: HandlerPlace, besides own: String) {
        let folders = Self.folders(from: place.folder)
        guard let number = folders.firstIndex(where: { Self.isThere("\($0)/package.json") }),
            let bytes = try? SmallFile.read("\(folders[number])/package.json", bytesMax: Self.bytesMax),
            let wanted = (try? JSONReader.value(of: bytes))?["dependencies"]?.object
        else { return nil }
        let places = (folders[number...] + [own]).map { "\($0)/node_modules" }
        let names = wanted.map(\.key).filter { name in
            !places.contains { Self.isThere("\($0)/\(name)") }
        }
        guard !names.isEmpty else { return nil }
        folder = folders[number]
        self.names = names
    }

    /// What is missing and the command that installs it.
    var sentence: String {
        let others = names.count > 1 ? " and \(names.count - 1) more" : ""
        return
            "\(folder)/package.json asks for \(names[0])\(others), which is not installed: npm install --prefix \(folder)"
    }

    /// A folder and all above, up to where packages are installed.
    private static func folders(from folder: String) -> [String] {
        var folders: [String] = []
        var rest = folder[...]
        while folders.count < foldersMax, !rest.isEmpty, !rest.hasSuffix("/node_modules") {
            folders.append(String(rest))
            rest = rest[..<(rest.lastIndex(of: "/") ?? rest.startIndex)]
        }
        return folders
    }

    private static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
