import Access
import Crypto
import Glibc
import JSON
import Network
import UserPool

/// The keys of the issuer on this machine, in two files: its own, which only its owner may read, and the public one, which
/// servers read when they meet a token that needs it, so that they need not make a key to start.
enum LocalKeys {
    private static let ownFileName = "issuer-key.pem"
    private static let ownBytesMax = 64 << 10
    private static let publicFileName = "issuer-keys.json"
    private static let fileMode: mode_t = 0o600

    /// Why there is no issuer.
    struct Failure: Error, Equatable {
        let message: String

        init(_ message: String) {
            self.message = message
        }

        fileprivate init(_ what: String, _ error: SystemError) {
            self.init("\(what): \(String(cString: strerror(error.code)))")
        }
    }

    /// The pool that is built in, as the issuer of tokens.
    static func tokenIssuer(in folder: String, _ identifiers: PoolIdentifiers, clientIDs: [String]) -> TokenIssuer {
        .builtInPool(
            identifiers.userPoolID, keys: .file("\(folder)/\(publicFileName)"),
            clientIDs: clientIDs.isEmpty ? [identifiers.clientID] : clientIDs)
    }

    /// Opens the keys, of which one is made the first time, and leaves the public ones where servers find them. `whenMade` is
    /// told where a new key is.
    static func keys(in folder: String, whenMade: (_ path: String) -> Void = { _ in }) throws(Failure) -> PoolKeys {
        do throws(SystemError) {
            try DataFolder.make(folder)
        } catch {
            throw Failure("cannot make the folder \(folder)", error)
        }
        let keys = PoolKeys(TokenSigner(try key(in: folder, whenMade)))
        let path = "\(folder)/\(publicFileName)"
        let bytes = JSONWriter.bytes(of: keys.published)
        // What stands there already is not written again: the folder may be one that this user only reads.
        if (try? SmallFile.read(path, bytesMax: bytes.count)) == bytes { return keys }
        do throws(SystemError) {
            try SmallFile.replace(path, with: bytes, mode: fileMode)
        } catch {
            throw Failure("\(path) cannot be written", error)
        }
        return keys
    }

    /// The key in the folder. Without one there, one is made.
    private static func key(in folder: String, _ whenMade: (_ path: String) -> Void) throws(Failure) -> PrivateKey {
        let path = "\(folder)/\(ownFileName)"
        if access(path, F_OK) == 0 { return try key(at: path) }
        do throws(SystemError) {
            try SmallFile.create(path, with: PrivateKey.makeRSA().pem, mode: fileMode)
            whenMade(path)
        } catch {
            // Another process has made one meanwhile: whoever was first wins.
            guard error.code == EEXIST else { throw Failure("\(path) cannot be written", error) }
        }
        return try key(at: path)
    }

    private static func key(at path: String) throws(Failure) -> PrivateKey {
        let pem: [UInt8]
        do throws(SystemError) {
            pem = try SmallFile.read(path, bytesMax: ownBytesMax)
        } catch {
            throw Failure("\(path) cannot be read", error)
        }
        guard let key = PrivateKey(pem: pem), key.publicKey.fits(.rs256) else {
            throw Failure("\(path) holds no RSA key; delete it, and a new one is made")
        }
        return key
    }
}

extension TokenIssuer.Keys {
    /// Those in a file.
    static func file(_ path: String) -> TokenIssuer.Keys {
        .local(name: path) { bytesMax in try? SmallFile.read(path, bytesMax: bytesMax) }
    }
}
