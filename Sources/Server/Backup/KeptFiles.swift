import Glibc
import JSON
import KeyManagement
import Network
import Parameters
import Store
import UserPool

/// The small files of a data folder that make it this backend and no other: what its pool, clients and buckets are called, the keys of its
/// issuer, secrets, and the parameters of earlier versions, which a start takes into the database.
///
///     folder ──at each start and stop, and when a key is made──▶ database        so that a copy of the database is a backend
///     database ──where the folder has no names──▶ folder                         a copy that was put into an empty folder
///
/// The folder's file of names decides which of the two holds: without it, the folder is new.
enum KeptFiles {
    /// The signing key is read first, so that the public keys are never older than it while keys change.
    private static let names = [
        LocalKeys.ownFileName, LocalKeys.formerFileName, LocalKeys.publicFileName, ParameterStore.formerFileName,
        FunctionSecrets.fileName, KeyRing.fileName, PoolFile.name,
    ]
    /// The note of the pool that the database's users belong to: their passwords are proved under its name.
    private static let poolNote: ByteText = "pool"
    /// The note of the version that has served the database last: another one that cannot read it names it.
    private static let versionNote: ByteText = "version"
    private static let versionBytesMax = 64
    private static let bytesMax = max(ParameterLimits.bytesMax, 1 << 20)
    private static let mode: mode_t = 0o600

    /// What a database is to know of them, with what it knows already. A folder without names knows less than its database.
    ///
    /// - Parameter pool: that of the server that serves the database; nil: the pool of its users stays the one that is noted.
    static func notes(
        of configuration: Configuration, _ pool: PoolIdentifiers? = nil, over known: KeptNotes
    ) -> KeptNotes {
        var notes = known
        if access("\(configuration.data)/\(PoolFile.name)", F_OK) == 0 {
            for name in names where notes[ByteText(name)] == nil || !isShared(name, of: configuration) {
                notes[ByteText(name)] = try? SmallFile.read("\(configuration.data)/\(name)", bytesMax: bytesMax)
            }
        } else if configuration.database == .memory {
            // A server in memory has no file.
            notes[ByteText(PoolFile.name)] = try? PoolFile.content(for: configuration)
        }
        if let pool { notes[poolNote] = Array(pool.userPoolID.utf8) }
        notes[versionNote] = Array(Version.number.utf8)
        return notes
    }

    /// Those of a folder, in place of those that are known. One without names has nothing to say.
    static func notes(ofFolder folder: String, over known: KeptNotes) -> KeptNotes {
        guard access("\(folder)/\(PoolFile.name)", F_OK) == 0 else { return known }
        var notes = known
        for name in names { notes[ByteText(name)] = try? SmallFile.read("\(folder)/\(name)", bytesMax: bytesMax) }
        return notes
    }

    /// Whether the database knows them already, as far as its opening has told: nothing needs to be written then.
    static func areKept(_ configuration: Configuration, _ pool: PoolIdentifiers?, in store: Store) -> Bool {
        store.hasKept { notes(of: configuration, pool, over: $0) }
    }

    /// Has the database know them.
    static func keep(_ configuration: Configuration, _ pool: PoolIdentifiers?, in store: Store, _ log: Log) async {
        do throws(StoreError) {
            try await store.keep { notes(of: configuration, pool, over: $0) }
        } catch {
            log.warning(
                "names and keys are not in the database: a copy of it alone is no whole backend",
                ["reason": .string(error.message)])
        }
    }

    /// The same for a command that has the database open.
    static func keep(_ configuration: Configuration, in store: Store) async -> StoreError? {
        // Only for a database in its own folder: that of another folder has other names.
        let (database, folder) = (DataFolder.absolute(store.path), DataFolder.absolute(configuration.data))
        guard database.utf8.starts(with: "\(folder)/".utf8) else { return nil }
        do throws(StoreError) {
            try await store.keep { notes(of: configuration, over: $0) }
            return nil
        } catch {
            return error
        }
    }

    /// Writes the files that a database knows into a folder that has no names yet, the names last. Refuses a folder for a database with users
    /// whose pool has no name there.
    static func bringBack(to folder: String, from database: DatabaseLocation) throws(PoolFile.Failure) {
        guard access("\(folder)/\(PoolFile.name)", F_OK) != 0 else { return }
        let notes: KeptNotes
        let users: Int
        do throws(StoreError) {
            guard let reader = try database.readerBeside() else { return }
            // One that is not whole yet has no names yet: the folder must not get others.
            _ = try reader.hasData()
            notes = try reader.keptNotes()
            users = try reader.userCount()
        } catch {
            // A folder that got names of its own while a server is away would not be that of its database.
            if database.isOnServer || error.kind == .cannotOpen { throw PoolFile.Failure(error) }
            // Opening it says what is wrong with it.
            return
        }
        guard notes[ByteText(PoolFile.name)] != nil else {
            guard users == 0 else {
                throw PoolFile.Failure(
                    message:
                        "\(database.shown) has \(Counted.text(users, "user")), and \(folder)/\(PoolFile.name) is not "
                        + "there: under another pool's name no password of theirs is right. Put \(PoolFile.name), "
                        + "issuer-*.pem and issuer-*.json of the folder that the database comes from into \(folder), or "
                        + "choose another folder with --data")
            }
            return
        }
        do throws(SystemError) { try DataFolder.make(folder) } catch {
            throw PoolFile.Failure(
                message: "cannot make the folder \(folder): \(String(cString: strerror(error.code)))")
        }
        for name in names {
            guard let bytes = notes[ByteText(name)] else { continue }
            do throws(SystemError) {
                try SmallFile.create("\(folder)/\(name)", with: bytes, mode: mode)
            } catch {
                // What the folder has already stays: it may be newer.
                guard error.code != EEXIST else { continue }
                throw PoolFile.Failure(
                    message: "\(folder)/\(name) cannot be written: \(String(cString: strerror(error.code)))")
            }
        }
    }

    /// The version that has served a database last; nil: it does not say, or it is this one.
    static func version(of database: DatabaseLocation) -> String? {
        guard let note = try? database.readerBeside()?.keptNotes()[versionNote],
            !note.elementsEqual(Version.number.utf8),
            note.count <= versionBytesMax, note.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return String(decoding: note, as: UTF8.self)
    }

    /// Refuses to serve users of another pool: SRP and stored passwords hold under its name alone.
    static func demandOwnUsers(
        of pool: PoolIdentifiers?, in store: Store, _ configuration: Configuration
    ) throws(StartError) {
        guard let pool, UserPool.hasUsers(in: store) else { return }
        let found: [UInt8]?
        let users: Int
        do throws(StoreError) {
            let reader = try store.readerBeside()
            found = try reader.keptNotes()[poolNote]
            users = try reader.userCount()
        } catch {
            throw StartError(.unwritableOutput, error.message)
        }
        guard let found, users > 0 else { return }
        let known = String(decoding: found, as: UTF8.self)
        guard !proof(known).elementsEqual(proof(pool.userPoolID)) else { return }
        throw StartError(
            .configuration,
            "\(store.path) has \(Counted.text(users, "user")) of the pool \(known), and this server's pool is "
                + "\(pool.userPoolID): none of them could sign in. To serve them, set auth.pool.userPoolId to \(known), or "
                + "move \(configuration.data)/\(PoolFile.name) and \(configuration.data)/issuer-* away: the names and keys "
                + "in the database are used then. To begin without them, choose another folder with --data")
    }

    /// The part of a pool's id that passwords are proved under.
    private static func proof(_ id: String) -> Substring.UTF8View {
        id[(id.firstIndex(of: "_").map(id.index(after:)) ?? id.startIndex)...].utf8
    }

    /// Takes them out of a folder that gets those of a backup.
    static func remove(from folder: String) {
        for name in names { unlink("\(folder)/\(name)") }
    }
}
