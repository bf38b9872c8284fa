import Crypto
import Glibc
import JSON
import Network
import Store
import UserPool

/// What the pool, its client and the identity pool are called: a file in the data folder, so that they are the same after
/// every start, and in every command.
enum PoolFile {
    static let name = "sign-in.json"
    private static let bytesMax = 64 << 10
    private static let fileMode: mode_t = 0o600

    /// Why there are no identifiers.
    struct Failure: Error, Equatable {
        let message: String
        /// True if a database on a server does not say them.
        var isOfDatabase = false

        /// The code of a start, or a command, that ends with it.
        var code: ExitCode { isOfDatabase ? .configuration : .unwritableOutput }
    }

    /// The identifiers of a configuration: those that are set, else those of the folder. They follow from the folder's path, so that all
    /// commands and servers agree, also a server in memory that writes no file. The file keeps them when the folder is moved.
    static func identifiers(of configuration: Configuration) throws(Failure) -> PoolIdentifiers {
        var result = try ownIdentifiers(of: configuration)
        let set = configuration.signIn
        if let region = set.region, region != result.region {
            result = PoolIdentifiers(
                region: region, userPoolID: moved(result.userPoolID, to: region, behind: "_"),
                clientID: result.clientID, identityPoolID: moved(result.identityPoolID, to: region, behind: ":"))
        }
        if let id = set.userPoolID {
            result.userPoolID = id
            result.region = id.split(separator: "_").first.map(String.init) ?? result.region
        }
        if let id = set.pool.clients.first?.id { result.clientID = id }
        if let id = set.identityPoolID { result.identityPoolID = id }
        return result
    }

    /// From what the names of a folder's buckets follow: they stay when the pool is called otherwise by the configuration.
    static func seedOfBuckets(of configuration: Configuration) throws(Failure) -> [UInt8] {
        let own = try ownIdentifiers(of: configuration)
        return Array("\(own.userPoolID) \(own.clientID) \(own.identityPoolID)".utf8)
    }

    /// The client of native apps where a project gives it a secret: it follows from the folder's names, as the buckets' do.
    static func nativeClient(of configuration: Configuration) throws(Failure) -> AppClient {
        let seed = try seedOfBuckets(of: configuration)
        func text(_ purpose: String, _ letters: String, count: Int) -> String {
            let letters = Array(letters.utf8)
            var bytes: [UInt8] = []
            var round = 0
            while bytes.count < count {
                bytes += HMACSHA256.code(of: Array("\(purpose) \(round)".utf8), key: seed)
                round += 1
            }
            return String(decoding: bytes.prefix(count).map { letters[Int($0) % letters.count] }, as: UTF8.self)
        }
        let letters = "abcdefghijklmnopqrstuvwxyz0123456789"
        var client = AppClient(text("native client", letters, count: 26))
        client.secret = text("secret of the native client", letters, count: 51)
        return client
    }

    private static func ownIdentifiers(of configuration: Configuration) throws(Failure) -> PoolIdentifiers {
        let path = "\(configuration.data)/\(name)"
        if let stored = try stored(at: path) { return stored }
        if configuration.database != .memory {
            try KeptFiles.bringBack(to: configuration.data, from: configuration.database)
            if let stored = try stored(at: path) { return stored }
            if let made = try made(at: path, in: configuration.data) { return made }
        }
        return PoolIdentifiers(folder: configuration.data)
    }

    private static func stored(at path: String) throws(Failure) -> PoolIdentifiers? {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try SmallFile.read(path, bytesMax: bytesMax)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw Failure(message: "\(path) cannot be read: \(String(cString: strerror(error.code)))")
        }
        let content = try? JSONReader.value(of: bytes)
        guard let region = content?["region"]?.string, let pool = content?["userPoolId"]?.string,
            let client = content?["clientId"]?.string, let identityPool = content?["identityPoolId"]?.string,
            PoolIdentifiers.isRegion(region), PoolIdentifiers.isUserPoolID(pool), PoolIdentifiers.isClientID(client),
            PoolIdentifiers.isIdentityID(identityPool)
        else {
            throw Failure(
                message: "\(path) does not hold what the pool is called; delete it, and the pool gets new names: users "
                    + "stay, and have to sign in again")
        }
        return PoolIdentifiers(
            region: region, userPoolID: pool, clientID: client, identityPoolID: identityPool)
    }

    private static func made(at path: String, in folder: String) throws(Failure) -> PoolIdentifiers? {
        let identifiers = PoolIdentifiers(folder: folder)
        do throws(SystemError) {
            try DataFolder.make(folder)
        } catch {
            throw Failure(message: "cannot make the folder \(folder): \(String(cString: strerror(error.code)))")
        }
        do throws(SystemError) {
            try SmallFile.create(path, with: content(of: identifiers), mode: fileMode)
            return identifiers
        } catch {
            // Another process has made one meanwhile: whoever was first wins.
            if error.code == EEXIST { return try stored(at: path) }
            throw Failure(message: "\(path) cannot be written: \(String(cString: strerror(error.code)))")
        }
    }

    private static func content(of identifiers: PoolIdentifiers) -> [UInt8] {
        JSONWriter.bytes(of: [
            "region": .string(identifiers.region), "userPoolId": .string(identifiers.userPoolID),
            "clientId": .string(identifiers.clientID), "identityPoolId": .string(identifiers.identityPoolID),
        ])
    }

    /// The file's content for the names of a folder, also where there is no file.
    static func content(for configuration: Configuration) throws(Failure) -> [UInt8] {
        content(of: try ownIdentifiers(of: configuration))
    }

    private static func moved(_ id: String, to region: String, behind sign: Character) -> String {
        region + id.drop { $0 != sign }
    }
}

extension PoolIdentifiers {
    /// Those that follow from the path of a data folder.
    fileprivate init(folder: String) {
        self.init(seed: Array(DataFolder.absolute(folder).utf8))
    }
}

extension PoolFile.Failure: RowFailure {
    init(_ error: StoreError) { self.init(message: error.message, isOfDatabase: true) }

    var ofStore: StoreError? { nil }
}
