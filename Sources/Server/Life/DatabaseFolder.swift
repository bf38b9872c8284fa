import Glibc
import Network

/// The folder of a database file, made where there is none: only its owner may look into it.
enum DatabaseFolder {
    static func make(for database: String) throws(SystemError) {
        guard let slash = database.lastIndex(of: "/"), slash != database.startIndex else { return }
        let folder = String(database[..<slash])
        if access(folder, F_OK) == 0 { return }
        try make(for: folder)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw SystemError(call: "mkdir", subject: folder) }
    }
}
