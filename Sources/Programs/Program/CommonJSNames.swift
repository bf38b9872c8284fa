import Blueprint
import Project
import Script

/// What a module of CommonJS finds without importing it: `__dirname`, `__filename` and `require`. A file that uses them imports them from
/// a module of its own, by a statement that is put behind its last line.
enum CommonJSNames {
    private static let start = "commonjs:"
    private static let names = ["__dirname", "__filename", "require"]

    private static let sought = ["__dirname", "__filename", "require("]

    static func isAddress(_ specifier: String) -> Bool { specifier.hasPrefix(start) }

    /// Returns whether one of the names is somewhere in a text.
    static func areIn(_ bytes: [UInt8]) -> Bool {
        sought.contains { name in
            let name = Array(name.utf8)
            return bytes.indices.contains { bytes[$0] == name[0] && bytes[$0...].starts(with: name) }
        }
    }

    static func statement(for file: String) -> String {
        let escaped = file.flatMap { letter in letter == "\"" || letter == "\\" ? ["\\", letter] : [letter] }
        return "\nimport { \(names.joined(separator: ", ")) } from \"\(start)\(String(escaped))\";"
    }

    static func exports(
        of address: String, _ project: ProjectFolder, _ realm: Realm
    ) -> [(name: String, value: ProgramValue)]? {
        guard isAddress(address) else { return nil }
        let file = String(address.dropFirst(start.count))
        let path = project.path(of: file)
        return [
            (names[0], realm.value(ProgramFiles.folder(of: path))), (names[1], realm.value(path)),
            (
                names[2],
                .object(
                    realm.function("require", length: 1) { call throws(Thrown) in
                        guard case .text(let name) = call[0] else {
                            throw call.realm.typeError("The \"id\" argument must be of type string.")
                        }
                        return try call.realm.require(name.string, from: file)
                    })
            ),
        ]
    }
}
