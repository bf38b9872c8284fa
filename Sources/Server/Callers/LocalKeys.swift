import Access
import Crypto
import Glibc
import JSON
import Network
import UserPool

/// The keys of the issuer on this machine, in three files: its own, which only its owner may read, the public one, which
/// servers read when they meet a token that needs it, so that they need not make a key to start, and what is known of keys
/// before. Who writes one of them has the folder locked, and writes its own key last: a running server sees by that one that there
/// are others.
enum LocalKeys {
    static let ownFileName = "issuer-key.pem"
    private static let ownBytesMax = 64 << 10
    static let publicFileName = "issuer-keys.json"
    static let formerFileName = "issuer-former-keys.json"
    private static let formerBytesMax = 64 << 10
    /// Keys that are still published beside the one that signs.
    static let formerMax = 10
    /// The longest that a user pool lets its tokens live.
    static let tokenSecondsMax: Int64 = 86_400
    /// What clocks may differ by, and what a server takes for a token that it is just making.
    private static let marginSeconds: Int64 = 300
    private static let rsaBits = 2_048...16_384
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
        let keys = PoolKeys(TokenSigner(try key(in: folder, whenMade)), former: try history(in: folder).good)
        // What stands there already is not written again: the folder may be one that this user only reads.
        if arePublished(keys, in: folder) { return keys }
        return try whileLocked(folder) { () throws(Failure) in
            let keys = PoolKeys(
                TokenSigner(try key(at: "\(folder)/\(ownFileName)")), former: try history(in: folder).good)
            try publish(keys, in: folder)
            return keys
        }
    }

    /// What tells the key of this moment from others; nil without one.
    static func mark(in folder: String) -> UserPool.KeyMark? {
        var status = stat()
        guard stat("\(folder)/\(ownFileName)", &status) == 0 else { return nil }
        return [
            Int64(bitPattern: UInt64(status.st_ino)), Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
            Int64(status.st_size),
        ]
    }

    // MARK: Other keys

    /// Makes a new key, which signs from then on. The one before stays published until all that it has signed has ended.
    ///
    /// - Parameter tokenSeconds: how long the tokens of the pool's clients live, at most.
    static func rotate(
        in folder: String, tokenSeconds: Int64, now: Int64 = Timestamp.now.seconds
    ) throws(Failure) -> PoolKeys {
        _ = try keys(in: folder)
        // Takes a while: before anybody has to wait for the folder.
        let key = PrivateKey.makeRSA()
        return try whileLocked(folder) { () throws(Failure) in
            let signer = TokenSigner(try self.key(at: "\(folder)/\(ownFileName)"))
            var history = try history(in: folder, now)
            history.former = history.good
            guard history.former.count < formerMax else {
                throw Failure(
                    "\(formerMax) keys are published beside the one that signs, as many as can be; the first of them "
                        + "ends at \(Timestamp(seconds: history.former.map(\.until).min() ?? now).text)")
            }
            let life = max(tokenSecondsMax, tokenSeconds) + marginSeconds
            history.former.append(
                PoolKeys.Former(
                    id: signer.keyID, key: signer.publicKey, until: max(now + life, history.longest + marginSeconds)))
            try write(history, in: folder)
            let keys = PoolKeys(TokenSigner(key), former: history.former)
            try publish(keys, in: folder)
            let path = "\(folder)/\(ownFileName)"
            do throws(SystemError) { try SmallFile.replace(path, with: key.pem, mode: fileMode) } catch {
                throw Failure("\(path) cannot be written", error)
            }
            return keys
        }
    }

    /// Remembers that a token lives longer than those of the pool's clients.
    static func note(tokenUntil expires: Int64, in folder: String, now: Int64 = Timestamp.now.seconds) throws(Failure) {
        guard expires > now + tokenSecondsMax, try history(in: folder, now).longest < expires else { return }
        try whileLocked(folder) { () throws(Failure) in
            var history = try history(in: folder, now)
            history.longest = max(history.longest, expires)
            try write(history, in: folder)
        }
    }

    /// What is known of keys and tokens before.
    private struct History {
        /// Until when a token is good that lives longer than a user pool's own, in seconds since 1970.
        var longest: Int64 = 0
        var former: [PoolKeys.Former] = []
        let now: Int64

        var good: [PoolKeys.Former] { former.filter { $0.until > now } }
    }

    private static func history(in folder: String, _ now: Int64 = Timestamp.now.seconds) throws(Failure) -> History {
        let path = "\(folder)/\(formerFileName)"
        var history = History(now: now)
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try SmallFile.read(path, bytesMax: formerBytesMax) } catch {
            if error.code == ENOENT { return history }
            throw Failure("\(path) cannot be read", error)
        }
        guard let content = try? JSONReader.value(of: bytes), let longest = content["longest"]?.integer,
            let members = content["keys"]?.array
        else {
            throw Failure("\(path) does not hold the keys before; delete it, and what they have signed is refused")
        }
        history.longest = longest
        for member in members {
            guard let id = member["kid"]?.string, let until = member["until"]?.integer,
                let modulus = member["n"]?.string.flatMap({ Base64.bytes(of: $0.utf8) }),
                let exponent = member["e"]?.string.flatMap({ Base64.bytes(of: $0.utf8) }),
                let key = PublicKey(rsaModulus: modulus, exponent: exponent, bits: rsaBits)
            else { throw Failure("\(path) holds something that is no key; delete it, and what they signed is refused") }
            history.former.append(PoolKeys.Former(id: id, key: key, until: until))
        }
        return history
    }

    private static func write(_ history: History, in folder: String) throws(Failure) {
        let keys = history.former.map { former -> JSONValue in
            var entry = LocalIssuer.entry(former.key, id: former.id).object ?? JSONObject()
            entry.set("until", to: .integer(former.until))
            return .object(entry)
        }
        let content: JSONValue = ["longest": .integer(history.longest), "keys": .array(keys)]
        let path = "\(folder)/\(formerFileName)"
        do throws(SystemError) {
            try SmallFile.replace(path, with: JSONWriter.bytes(of: content), mode: fileMode)
        } catch {
            throw Failure("\(path) cannot be written", error)
        }
    }

    /// Returns whether servers find all of the keys already. What is there beside them has ended, and harms nobody.
    private static func arePublished(_ keys: PoolKeys, in folder: String) -> Bool {
        let path = "\(folder)/\(publicFileName)"
        guard let bytes = try? SmallFile.read(path, bytesMax: AccessLimits.keySetBytesMax),
            let present = (try? JSONReader.value(of: bytes))?["keys"]?.array
        else { return false }
        return keys.published["keys"]?.array?.allSatisfy(present.contains) ?? false
    }

    private static func publish(_ keys: PoolKeys, in folder: String) throws(Failure) {
        let path = "\(folder)/\(publicFileName)"
        do throws(SystemError) {
            try SmallFile.replace(path, with: JSONWriter.bytes(of: keys.published), mode: fileMode)
        } catch {
            throw Failure("\(path) cannot be written", error)
        }
    }

    /// Keeps other processes from changing the folder's keys meanwhile.
    private static func whileLocked<Value>(
        _ folder: String, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw Failure("cannot open the folder \(folder)", SystemError(call: "open", subject: folder))
        }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                throw Failure("cannot lock the folder \(folder)", SystemError(call: "flock", subject: folder))
            }
        }
        return try body()
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
