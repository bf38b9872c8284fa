import Blueprint
import Glibc
import JSON
import Network

/// What a project says of files.
enum ProjectStorage {
    /// Nothing at all.
    case none
    /// As `defineStorage` does, in the order of the project.
    case version2([StorageResource])
    /// As `amplify add storage` does.
    case version1(Version1Storage)
    /// It says something, and that is refused: nobody may do anything.
    case refused

    /// A file that a person can have written.
    private static let fileBytesMax = 1 << 20
    private static let entriesMax = 1_000

    /// What the project of a schema says, and what is to be said about that.
    ///
    /// - Parameter place: the file or folder that the schema was found at.
    static func read(besideSchema place: String) -> (storage: ProjectStorage, diagnostics: [Diagnostic]) {
        let surroundings = ProjectReading.surroundings
        if let folder = (try? SchemaPlace.find(place))?.gen2Folder {
            // To run the project's programs takes a while; most projects have no files.
            guard StorageReading.isIn(folder, surroundings) else { return (.none, []) }
            let reading = AuthReading.read(folder, in: surroundings)
            if reading.isRefused { return (.refused, reading.diagnostics) }
            return (.version2(reading.storages), [])
        }
        guard let folder = folderOfBackend(place), let storage = version1(in: "\(folder)/storage") else {
            return (.none, [])
        }
        return (.version1(storage), [])
    }

    /// `amplify/backend` of a Gen 1 project, by a schema that lies in `api/NAME` there.
    private static func folderOfBackend(_ place: String) -> String? {
        let parts = place.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let api = parts.lastIndex(of: "api"), api >= 2, parts[api - 2] == "amplify", parts[api - 1] == "backend"
        else { return nil }
        return parts[..<api].joined(separator: "/")
    }

    /// The first place for files there, by name. A project of Gen 1 has one.
    private static func version1(in folder: String) -> Version1Storage? {
        guard let directory = opendir(folder) else { return nil }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory), names.count < entriesMax {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        for name in names.sorted() {
            let file = "\(folder)/\(name)/cli-inputs.json"
            guard let bytes = try? SmallFile.read(file, bytesMax: fileBytesMax),
                let storage = (try? JSONReader.value(of: bytes)).flatMap(Version1Storage.init)
            else { continue }
            return storage
        }
        return nil
    }
}
