import Glibc
import Network
import Store

/// The place of the data: a file, a database on a server of PostgreSQL's, or memory, for as long as the server runs.
package enum DatabaseLocation: Sendable, Equatable {
    case memory
    case file(String)
    case server(ServerPlace)

    /// True if the data is on a server.
    var isOnServer: Bool {
        if case .server = self { true } else { false }
    }

    /// The same in the words of `Store`.
    var place: Store.Location {
        switch self {
        case .memory: .memory
        case .file(let path): .file(path)
        case .server(let place): .server(place)
        }
    }

    /// The name of the place for people. No password.
    var shown: String {
        switch self {
        case .memory: "in memory, gone at the end"
        case .file(let path): path
        case .server(let place): "PostgreSQL at \(place)"
        }
    }

    /// A connection to read with beside the process that serves the data; nil where there is nothing to read.
    func readerBeside() throws(StoreError) -> Reader? {
        switch self {
        case .memory: nil
        case .file(let path): access(path, F_OK) == 0 ? try Reader.beside(path) : nil
        case .server(let place): try Reader.beside(place)
        }
    }

    /// The same for a command that reads what was served; says where nothing was.
    func servedReader() throws(StoreError) -> Reader {
        guard let reader = try readerBeside(), try reader.hasData() else {
            throw StoreError(
                .cannotOpen,
                "there is \(isOnServer ? "no data of Homeport in" : "no") \(shown): nothing was served here yet. Name another one "
                    + "with --data or --database")
        }
        return reader
    }

    /// Why a command that works with a file cannot work with this database.
    ///
    /// - Parameters:
    ///   - memory: why it cannot for one in memory.
    ///   - advice: what to do for a database on a server.
    func refusal(_ command: String, inMemory memory: String, onServer advice: String = "") -> String {
        guard case .server(let place) = self else { return memory }
        return "homeport: \(command) needs a database in a file, and the data is on a server (\(place))"
            + (advice.isEmpty ? "" : ". \(advice)")
    }
}

extension Configuration {
    /// The longest file with a password.
    private static let passwordBytesMax = 4 << 10

    /// Reads the address of a database on a server, with the password that is not in it.
    ///
    /// Precedence: the URL, the file, the variable.
    mutating func findServer(variable password: String?) throws(DatabaseServerFault) {
        guard let text = databasePath, ServerPlace.isURL(text) else { return }
        let place: ServerPlace
        do throws(StoreError) { place = try ServerPlace(text) } catch {
            throw DatabaseServerFault(key: "database", message: error.message)
        }
        guard !place.hasPassword, let path = databasePasswordFile else {
            databaseServer = place.with(password: password ?? "")
            return
        }
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try SmallFile.read(path, bytesMax: Self.passwordBytesMax) } catch {
            throw DatabaseServerFault(
                key: "databasePasswordFile", message: "\(path) cannot be read: \(String(cString: strerror(error.code)))"
            )
        }
        // Editors end a file with a line's end.
        let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        guard let text = String(validating: line, as: UTF8.self), !text.isEmpty else {
            throw DatabaseServerFault(
                key: "databasePasswordFile", message: "\(path) does not begin with a password, in UTF-8")
        }
        databaseServer = place.with(password: text)
    }
}

/// The fault of the address of a database on a server, and its key. It has nothing of the address.
struct DatabaseServerFault: Error {
    let key: String
    let message: String
}
