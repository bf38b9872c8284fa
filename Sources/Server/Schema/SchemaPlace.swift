import Glibc

/// Where the schema of a project is: one file, or all files of a folder.
package struct SchemaPlace: Sendable, Equatable {
    /// The files of the schema, in the order of their names.
    package let files: [String]
    /// How people call it: the file or folder, as it was named or found.
    let name: String
    /// The folder that the schema lies in, beside which a project keeps its settings.
    package let folder: String

    /// A schema of more files than this is none.
    static let filesMax = 1000

    /// The configured place, or the first of the usual ones where there is a schema.
    static func find(_ configured: String?) throws(UnreadableSchema) -> SchemaPlace {
        if let configured { return try at(configured) }
        for path in usualPlaces {
            for found in matches(path) { return try at(found) }
        }
        if let (file, missing) = projectsWithoutAPI.first(where: { access($0.file, F_OK) == 0 }) {
            throw UnreadableSchema(
                .unreadableInput,
                "there is no schema here: \(file) is there, but no API, and sign-in, files and functions are served beside one. "
                    + "Write \(missing), or name a schema with --schema")
        }
        let tried = usualPlaces.joined(separator: ", ")
        throw UnreadableSchema(
            .unreadableInput,
            "there is no schema here; looked for \(tried). Name one with --schema, go into the app's folder, or begin with "
                + "`homeport new \(StarterProject.allCases.map(\.rawValue).joined(separator: "|"))`")
    }

    /// What projects have that have no API, and what is missing.
    private static let projectsWithoutAPI: [(file: String, missing: String)] = [
        ("amplify/backend.ts", "amplify/data/resource.ts"),
        ("amplify/backend/backend-config.json", "amplify/backend/api/NAME/schema.graphql"),
    ]

    /// As Amplify's projects, and this one's samples, are laid out.
    package static let usualPlaces = [
        "amplify/data/resource.ts", "amplify/data/resource.mts", "amplify/data/resource.js",
        "amplify/data/resource.mjs", "amplify/backend/api/*/schema.graphql", "amplify/backend/api/*/schema",
        "schema.graphql", "schema",
    ]

    /// Where a project of Gen 2 keeps its resources.
    static let gen2Folder = "amplify"

    /// The folder of the project of Gen 2 that the schema belongs to; nil when it belongs to none.
    var gen2Folder: String? {
        guard let file = files.first, file.split(separator: "/").last?.hasPrefix("resource.") == true else {
            return nil
        }
        let suffix = "/data"
        guard folder.hasSuffix("/" + Self.gen2Folder + suffix) || folder == Self.gen2Folder + suffix else { return nil }
        return String(folder.dropLast(suffix.utf8.count))
    }

    private static func at(_ path: String) throws(UnreadableSchema) -> SchemaPlace {
        guard isFolder(path) else {
            return SchemaPlace(files: [path], name: path, folder: folder(of: path))
        }
        var files: [String] = []
        try collect(path, into: &files)
        guard !files.isEmpty else {
            throw UnreadableSchema(.unreadableInput, "there is no .graphql file in the folder \(path)")
        }
        return SchemaPlace(files: files.sorted(), name: path, folder: path)
    }

    /// All schema files below a folder: Amplify takes subfolders too.
    private static func collect(_ folder: String, into files: inout [String]) throws(UnreadableSchema) {
        guard let directory = opendir(folder) else {
            throw UnreadableSchema(
                .unreadableInput, "cannot read the folder \(folder): \(String(cString: strerror(errno)))")
        }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard !name.hasPrefix(".") else { continue }
            let path = "\(folder)/\(name)"
            if isFolder(path) {
                try collect(path, into: &files)
            } else if name.hasSuffix(".graphql") {
                files.append(path)
                guard files.count <= filesMax else {
                    throw UnreadableSchema(
                        .unreadableInput, "the folder \(folder) has more than \(filesMax) schema files")
                }
            }
        }
    }

    private static func matches(_ pattern: String) -> [String] {
        guard let star = pattern.firstRange(of: "*") else { return access(pattern, R_OK) == 0 ? [pattern] : [] }
        let parent = String(pattern[..<star.lowerBound].dropLast())
        guard let directory = opendir(parent) else { return [] }
        defer { closedir(directory) }
        var found: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            let path = "\(parent)/\(name)\(pattern[star.upperBound...])"
            if !name.hasPrefix("."), access(path, R_OK) == 0 { found.append(path) }
        }
        return found.sorted()
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

/// Why there is no schema to read: a line for a person, and the code to end with.
package struct UnreadableSchema: Error, Equatable, CustomStringConvertible {
    package let code: ExitCode
    package let description: String

    init(_ code: ExitCode, _ description: String) {
        self.code = code
        self.description = description
    }
}
