import Crypto
import Glibc
import JSON
import KeyManagement
import Network
import Store
import UserPool

/// The files of data folders that all nodes over one database have in common: names and keys. The database decides; a node's folder is a copy.
///
///     a start, a command ──the turn of the settings── database ─▶ folder ── makes or changes them ── folder ─▶ database
///     a running node ─────each 3 s─────────────────── database ─▶ folder
extension KeptFiles {
    /// The signing key is written last: whoever sees it changed finds all that goes with it.
    private static let sharedNames = [
        PoolFile.name, KeyRing.fileName, LocalKeys.formerFileName, LocalKeys.publicFileName, LocalKeys.ownFileName,
    ]
    private static let sharedMode: mode_t = 0o600
    private static let sharedBytesMax = 1 << 20

    /// Returns whether the database decides about a file of the folder.
    static func isShared(_ name: String, of configuration: Configuration) -> Bool {
        configuration.hasNodes && sharedNames.contains { $0.utf8.elementsEqual(name.utf8) }
    }

    /// Runs a body over the names and keys that all nodes have, and gives them what it has made or changed of them. No other process changes
    /// them meanwhile. Without several nodes, it only runs the body.
    static func sharing<Value>(
        _ configuration: Configuration, _ body: () throws(PoolFile.Failure) -> Value
    ) throws(PoolFile.Failure) -> Value {
        guard configuration.hasNodes, case .server(let place) = configuration.database else { return try body() }
        return try place.changeNotes { known throws(PoolFile.Failure) in
            try take(known, into: configuration.data)
            let value = try body()
            var notes = known
            for name in sharedNames {
                guard let bytes = try? SmallFile.read("\(configuration.data)/\(name)", bytesMax: sharedBytesMax) else {
                    continue
                }
                notes[ByteText(name)] = bytes
            }
            return (notes, value)
        }
    }

    /// The same for work with the keys of the issuer.
    static func sharingKeys<Value>(
        _ configuration: Configuration, _ body: () throws(LocalKeys.Failure) -> Value
    ) throws(PoolFile.Failure) -> Value {
        try sharing(configuration) { () throws(PoolFile.Failure) in try withKeys(body) }
    }

    private static func withKeys<Value>(
        _ body: () throws(LocalKeys.Failure) -> Value
    ) throws(PoolFile.Failure) -> Value {
        do throws(LocalKeys.Failure) { return try body() } catch { throw PoolFile.Failure(message: error.message) }
    }

    /// Makes the names and the keys of a node, or takes those that the nodes have.
    static func agree(_ configuration: Configuration) throws(PoolFile.Failure) {
        _ = try sharing(configuration) { () throws(PoolFile.Failure) in
            _ = try PoolFile.identifiers(of: configuration)
            do throws(SystemError) { try KeyRing.share(in: configuration.data) } catch {
                throw PoolFile.Failure(
                    message: "\(error.subject) cannot be used: \(String(cString: strerror(error.code)))")
            }
            return try withKeys { () throws(LocalKeys.Failure) in try LocalKeys.keys(in: configuration.data) }
        }
    }

    /// The note of the key that the functions' access keys of all nodes follow from.
    private static let roleNote: ByteText = "roles"

    /// Makes the access keys of functions: with several nodes by a key that the first of them makes, and those that join it have. Called while
    /// no other node opens the database.
    ///
    /// - Parameter isShared: whether other nodes serve the database.
    static func roleKeys(_ configuration: Configuration, isShared: Bool) throws(PoolFile.Failure) -> RoleKeys {
        guard configuration.hasNodes, case .server(let place) = configuration.database else { return RoleKeys() }
        let key = try place.changeNotes { known throws(PoolFile.Failure) in
            if isShared, let key = known[roleNote], key.count == RoleKeys.keyBytes { return (known, key) }
            var notes = known
            let key = RandomBytes.make(count: RoleKeys.keyBytes)
            notes[roleNote] = key
            return (notes, key)
        }
        return RoleKeys(key)
    }

    /// Puts what the nodes have into a folder, which must not be another backend's.
    static func take(_ known: KeptNotes, into folder: String) throws(PoolFile.Failure) {
        guard let names = known[ByteText(PoolFile.name)] else { return }
        let path = "\(folder)/\(PoolFile.name)"
        if let own = try? SmallFile.read(path, bytesMax: sharedBytesMax), own != names {
            throw PoolFile.Failure(
                message:
                    "\(path) has the names of another backend than the database. Choose another folder with --data, one for each "
                    + "node",
                isOfDatabase: true)
        }
        do throws(SystemError) {
            try DataFolder.make(folder)
            for name in sharedNames {
                guard let bytes = known[ByteText(name)] else { continue }
                let path = "\(folder)/\(name)"
                if let own = try? SmallFile.read(path, bytesMax: sharedBytesMax), own == bytes { continue }
                try SmallFile.replace(path, with: bytes, mode: sharedMode)
            }
        } catch {
            throw PoolFile.Failure(
                message: "\(error.subject) cannot be written: \(String(cString: strerror(error.code)))")
        }
    }
}
