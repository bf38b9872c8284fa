import Glibc
import JSON
import Network

/// The packages that a handler's files import and that are not installed, with the command that installs them.
///
/// Node looks for a package in the folder of the file that imports it, in all above, in the layers, and in the folder of the SDK.
package struct MissingPackages: Equatable, Sendable {
    package let names: [String]
    package let command: String

    /// A `package.json` of the handler's folder or of one above, with all packages that it names.
    private struct Declaration {
        let folder: String
        let names: Set<ByteText>
    }

    private static let foldersMax = 64
    private static let fileBytesMax = 1 << 20
    private static let typeScriptEndings = [".ts", ".mts", ".cts", ".tsx"]
    private static let lists = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"]

    /// Nil where nothing is missing.
    ///
    /// - Parameters:
    ///   - sdkFolder: the folder of the SDK that functions find besides.
    ///   - layers: folders of packages (`NODE_PATH`).
    package init?(of place: HandlerPlace, besides sdkFolder: String, layers: [String] = []) {
        guard place.language == .node else { return nil }
        let folders = Self.folders(from: place.folder)
        let declarations = folders.compactMap(Self.declaration)
        let aliases = Self.aliases(in: folders)
        func declares(_ name: String) -> String? {
            declarations.first { $0.names.contains(ByteText(name)) }?.folder
        }
        let missing = ImportedFiles(of: place.file).packages.filter { package in
            let name = package.name
            let start = package.file.folderOfPath
            let places =
                Self.folders(from: start).map { "\($0)/node_modules" } + layers + ["\(sdkFolder)/node_modules"]
            func isThere(_ name: String) -> Bool { places.contains { Self.isThere("\($0)/\(name)") } }
            guard !isThere(name) else { return false }
            guard declares(name) == nil else { return true }
            if NodePackage.isOfTypes(name), Self.typeScriptEndings.contains(where: package.file.hasSuffix) {
                return false
            }
            // What is imported for its types needs no package, and an alias of the project's is none.
            let types = "@types/\(Self.typesName(of: name))"
            let first = name.split(separator: "/").first ?? ""
            return declares(types) == nil && !isThere(types) && !aliases.contains { $0.contains(bytesOf: "\"\(first)") }
        }.map(\.name)
        guard !missing.isEmpty else { return nil }
        // Where a package would be declared: Gen 2's own package.json says nothing but its type.
        let home = (declarations.first { !$0.names.isEmpty } ?? declarations.first)?.folder
        var commands: [(folder: String?, names: [String])] = []
        for name in missing {
            let declared = declares(name)
            let folder = declared ?? (NodePackage.isOfSDK(name) ? sdkFolder : home)
            let added = declared == nil ? [name] : []
            if let place = commands.firstIndex(where: { $0.folder.map { ByteText($0) } == folder.map { ByteText($0) } })
            {
                commands[place].names += added
            } else {
                commands.append((folder, added))
            }
        }
        names = missing
        command = commands.map { folder, names in
            (["npm install"] + [folder.map { "--prefix \($0)" }].compactMap(\.self) + names).joined(separator: " ")
        }.joined(separator: " && ")
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

    private static func declaration(_ folder: String) -> Declaration? {
        guard let bytes = try? SmallFile.read("\(folder)/package.json", bytesMax: fileBytesMax),
            let file = try? JSONReader.value(of: bytes)
        else { return nil }
        let names = lists.flatMap { file[$0]?.object?.members.map(\.key) ?? [] }
        return Declaration(folder: folder, names: Set(names.map { ByteText($0) }))
    }

    /// The files that may name aliases, as they are: they have comments.
    private static func aliases(in folders: [String]) -> [String] {
        folders.compactMap { folder in
            (try? SmallFile.read("\(folder)/tsconfig.json", bytesMax: fileBytesMax)).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }

    /// `a__b` of `@a/b`.
    private static func typesName(of name: String) -> String {
        guard name.hasPrefix("@") else { return name }
        return name.dropFirst().split(separator: "/").joined(separator: "__")
    }

    private static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
