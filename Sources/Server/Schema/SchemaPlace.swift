import Blueprint
import Glibc
import JSON
import Network
import Project

/// Where the schema of a project is: one file, or all files of a folder; or where a project is that has none, and no API.
package struct SchemaPlace: Sendable, Equatable {
    /// The files of the schema, in the order of their names; none: the project has no API.
    package let files: [String]
    /// How people call it: the file or folder, as it was named or found; without a schema, the file by which the project was found.
    let name: String
    /// The folder that the schema lies in, beside which a project keeps its settings; without one, the folder of the project.
    package let folder: String

    /// A schema of more files than this is none.
    static let filesMax = 1000

    /// The configured place, or the first of the usual ones where there is a schema.
    static func find(_ configured: String?) throws(UnreadableSchema) -> SchemaPlace {
        if let configured { return try at(configured) }
        for path in usualPlaces {
            for found in matches(path) { return try at(found) }
        }
        if let project = try withoutSchema() { return project }
        if let advice = NearbyProjects.advice {
            throw UnreadableSchema(
                .unreadableInput, "there is no schema here; \(advice), or name a schema with --schema")
        }
        let tried = usualPlaces.joined(separator: ", ")
        throw UnreadableSchema(
            .unreadableInput,
            "there is no schema here; looked for \(tried). Name one with --schema, go into the app's folder, or begin with "
                + "`homeport new \(StarterProject.allCases.map(\.rawValue).joined(separator: "|"))`")
    }

    /// The project that stands here and has no schema: it may have sign-in, files and functions, and nothing else.
    private static func withoutSchema() throws(UnreadableSchema) -> SchemaPlace? {
        if let file = Project.projectFile(in: gen2Folder, ProjectReading.surroundings) {
            return SchemaPlace(files: [], name: file, folder: gen2Folder)
        }
        let folder = Version1Project.usualFolder
        guard let file = Version1Project.fileIfThere(in: folder) else { return nil }
        if let api = BackendConfiguration(try ProjectFile.value(of: file)).nameOfAPI {
            throw UnreadableSchema(
                .unreadableInput,
                "\(file) names the API \(api), and there is no schema in \(folder)/api/\(api): write "
                    + "\(folder)/api/\(api)/schema.graphql, or name a schema with --schema")
        }
        return SchemaPlace(files: [], name: file, folder: folder)
    }

    /// True if there is a schema.
    var hasSchema: Bool { !files.isEmpty }

    /// The file of a schema in TypeScript; nil: there is none, or it is in SDL.
    var typeScriptFile: String? {
        files.first { file in [".ts", ".mts", ".js", ".mjs"].contains { file.hasSuffix($0) } }
    }

    /// As Amplify's projects, and this one's samples, are laid out.
    package static let usualPlaces = [
        "amplify/data/resource.ts", "amplify/data/resource.mts", "amplify/data/resource.js",
        "amplify/data/resource.mjs", "amplify/backend/api/*/schema.graphql", "amplify/backend/api/*/schema",
        "schema.graphql", "schema",
    ]

    /// The advice where a refused project of Gen 2 is beside an API of Gen 1; nil: there is none.
    var version1Beside: Diagnostic? {
        guard gen2Folder == Self.gen2Folder else { return nil }
        let schema = Self.usualPlaces.lazy.filter { $0.hasPrefix(Version1Project.usualFolder) }
            .compactMap { Self.matches($0).first }.first
        return schema.map { schema in
            let place = FileStatus.isFolder(schema) ? schema : schema.folderOfPath
            return Diagnostic(
                severity: .note, message: "there is a Gen 1 API beside the Gen 2 project, in \(place)",
                hint: "Serve that one with --schema \(place).")
        }
    }

    /// Where a project of Gen 2 keeps its resources.
    static let gen2Folder = "amplify"

    /// The folder of the project of Gen 2 that the schema belongs to; nil when it belongs to none.
    var gen2Folder: String? {
        guard hasSchema else { return folder == Self.gen2Folder ? folder : nil }
        guard let file = files.first, file.split(separator: "/").last?.hasPrefix("resource.") == true else {
            return nil
        }
        let suffix = "/data"
        guard folder.hasSuffix("/" + Self.gen2Folder + suffix) || folder == Self.gen2Folder + suffix else { return nil }
        return String(folder.dropLast(suffix.utf8.count))
    }

    private static func at(_ path: String) throws(UnreadableSchema) -> SchemaPlace {
        guard FileStatus.isFolder(path) else {
            return SchemaPlace(files: [path], name: path, folder: path.folderOfPath)
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
        guard let names = FolderContent.readableNames(in: folder) else {
            throw UnreadableSchema(
                .unreadableInput, "cannot read the folder \(folder): \(String(cString: strerror(errno)))")
        }
        for name in names where !name.hasPrefix(".") {
            let path = "\(folder)/\(name)"
            if FileStatus.isFolder(path) {
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
        guard let star = pattern.utf8.firstIndex(of: UInt8(ascii: "*")) else {
            return access(pattern, R_OK) == 0 ? [pattern] : []
        }
        let parent = String(pattern[..<star].dropLast())
        let rest = pattern[pattern.utf8.index(after: star)...]
        return FolderContent.names(in: parent).filter { !$0.hasPrefix(".") }.map { "\(parent)/\($0)\(rest)" }
            .filter { access($0, R_OK) == 0 }.sorted()
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
