import Glibc
import JSON
import Network

/// A file of a table's items, with what is known of it before it is read.
package struct TableFile: Sendable {
    /// How the file is written.
    package enum Form: Sendable {
        /// A line for each item, in DynamoDB's JSON.
        case lines
        /// Ion text.
        case ion
        /// Pages of `scan`, joined or not.
        case pages
    }

    package let path: String
    package let form: Form
    /// The name of the table; nil where neither a manifest nor a path says it.
    package let tableName: String?
    /// The export that the file belongs to.
    package let export: ExportManifest?
    /// Its entry in the manifest.
    package let itemCount: Int?
    package let md5: [UInt8]?
    /// The marks that tell the file from another one of its name.
    package let identity: String
}

/// The tables of a folder: exports, and pages of scans.
package struct TableFolder: Sendable {
    /// All exports, full and incremental, in the order of their moments.
    package private(set) var exports: [ExportManifest] = []
    /// The files of full exports and scans.
    package private(set) var sources: [TableFile] = []
    /// Files that are neither.
    package private(set) var others: [String] = []

    /// Looks through a folder, or takes one file.
    package init(_ folder: String) throws(MovingFault) {
        if FileStatus.isFile(folder) {
            try add(folder)
            return
        }
        var folders: [String] = []
        var loose: [String] = []
        try FolderWalk.files(below: folder) { path throws(MovingFault) in
            guard FileStatus.isFile("\(path)/\(ExportManifest.summaryName)") else { return true }
            folders.append(path)
            return false
        } wrong: {
            $0
        } _: { path throws(MovingFault) in
            loose.append("\(folder)/\(path)")
        }
        for folder in folders { exports.append(try ExportManifest(folder)) }
        exports.sort { $0.moment < $1.moment }
        // Incremental exports keep their files in one folder beside theirs, which their manifests name.
        let shared = Set(texts: folders.map { "\($0.folderOfPath)/data" })
        for export in exports where !export.isIncremental { sources += export.sources }
        for path in loose where !shared.contains(path.folderOfPath) { try add(path) }
    }

    private mutating func add(_ path: String) throws(MovingFault) {
        let name = path.parts(separatedBy: "/").last ?? path
        let parts = name.parts(separatedBy: ".").dropFirst()
        let isCompressed = parts.last.map { $0 == "gz" } == true
        let word = isCompressed ? parts.dropLast().last ?? "json" : parts.last
        // What dynamodump writes beside its pages, and a way out beside its items.
        guard let ending = word, ["json", "jsonl", "ndjson", "ion"].contains(ending), name != "schema.json",
            name != TableDescription.fileName
        else {
            others.append(path)
            return
        }
        let form = try Self.form(of: path)
        sources.append(
            TableFile(
                path: path, form: form, tableName: AmplifyTable.found(in: path), export: nil, itemCount: nil, md5: nil,
                identity: try Self.identity(of: path)))
    }

    /// How a file is written, by its first bytes: what it is called says little.
    private static func form(of path: String) throws(MovingFault) -> TableFile.Form {
        let file = try SourceFile(path)
        var bytes: [UInt8] = []
        guard try file.read(into: &bytes) else { return .lines }
        let start = bytes.drop { $0 <= 0x20 }.prefix(64).filter { $0 > 0x20 }
        if start.starts(with: "$ion_1_0".utf8) { return .ion }
        return [#"{"Item":"#, #"{"Keys":"#, #"{"Metadata":"#].contains { start.starts(with: $0.utf8) } ? .lines : .pages
    }

    private static func identity(of path: String) throws(MovingFault) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .system(.unreadable, path) }
        let name = path.parts(separatedBy: "/").last ?? path
        return "\(name) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }
}

extension ExportManifest {
    /// The data files.
    package var sources: [TableFile] {
        files.map { file in
            let name = file.path.parts(separatedBy: "/").last ?? file.path
            return TableFile(
                path: file.path, form: isIon ? .ion : .lines, tableName: tableName, export: self,
                itemCount: file.itemCount, md5: file.md5, identity: "\(tableName) \(moment) \(name)")
        }
    }
}
