import Glibc
import JSON
import Network

/// A file of settings in a project.
enum ProjectFile {
    private static let bytesMax = 4 << 20
    private static let entriesMax = 1_000

    /// What the file says; nil where there is none.
    static func valueIfThere(_ name: String) throws(UnreadableSchema) -> JSONValue? {
        guard access(name, F_OK) == 0 else { return nil }
        return try value(of: name)
    }

    static func value(of name: String) throws(UnreadableSchema) -> JSONValue {
        let text: [UInt8]
        do throws(SystemError) {
            text = try SmallFile.read(name, bytesMax: bytesMax)
        } catch {
            throw UnreadableSchema(
                .unreadableInput,
                "cannot read \(ProjectLayout.shortened(name)): \(String(cString: strerror(error.code)))")
        }
        do throws(JSONError) {
            return try JSONReader.value(of: text)
        } catch {
            throw UnreadableSchema(.configuration, "\(ProjectLayout.shortened(name)): \(error)")
        }
    }

    /// What lies in a folder, in the order of names; nothing where there is none.
    static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory), names.count < entriesMax {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
