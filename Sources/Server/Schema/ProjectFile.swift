import Blueprint
import Glibc
import GraphQL
import JSON
import Network

/// A file of settings in a project.
enum ProjectFile {
    private static let bytesMax = 4 << 20
    private static let entriesMax = 1_000

    /// The content of the file; nil where there is none.
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

    /// A note on a file, at the first place where it has the key.
    static func diagnostic(
        _ severity: Diagnostic.Severity, _ message: String, hint: String? = nil, in name: String, at key: String? = nil
    ) -> Diagnostic {
        let shown = ProjectLayout.shortened(name)
        guard let key, let text = try? SmallFile.read(name, bytesMax: bytesMax) else {
            return Diagnostic(severity: severity, message: message, hint: hint, file: shown)
        }
        let written = Array("\"\(key)\"".utf8)
        let offset = text.indices.first { text[$0] == written[0] && text[$0...].starts(with: written) }
        return Diagnostic(
            severity: severity, message: message, hint: hint, file: shown,
            at: offset.map { Position(offset: $0, source: 0) } ?? .none, in: LineMap(Source(text, name: shown)))
    }

    /// The content of a folder, in the order of names; empty where there is none.
    static func names(in folder: String) -> [String] {
        let names = FolderContent.names(in: folder).lazy.filter { !$0.hasPrefix(".") }
        return names.prefix(entriesMax).sorted()
    }
}
