import Cloud
import Crypto
import Glibc
import JSON
import Network
import Synchronization

/// The keys of a server, which all follow from one secret in a file that only its owner may read. The file is made with the
/// first key; several servers over one database have it from their start on (`share`).
///
///     kms.key    the secret, 32 bytes; its time is the file's. Where servers have it in common, its time follows: 8 bytes, seconds since 1970
package final class KeyRing: Sendable {
    /// Nil: the secret ends with the server.
    private let folder: String?
    private let state = Mutex<Secret?>(nil)

    private struct Secret: Sendable {
        let bytes: [UInt8]
        let createdSeconds: Int64
    }

    package static let fileName = "kms.key"
    private static let mode: mode_t = 0o600
    private static let version: UInt8 = 1
    private static let saltBytes = 16
    private static let timeBytes = 8

    /// - Parameter folder: where the secret lies; nil: nowhere.
    package init(in folder: String?) { self.folder = folder }

    // MARK: Keys

    private func secret() throws(CloudError) -> Secret {
        try state.withLock { known throws(CloudError) in
            if let known { return known }
            let secret: Secret
            if let folder {
                mkdir(folder, 0o700)
                secret = try Self.secret(at: "\(folder)/\(Self.fileName)")
            } else {
                secret = Self.make()
            }
            known = secret
            return secret
        }
    }

    private static func make() -> Secret {
        Secret(bytes: RandomBytes.make(count: Seal.keyBytes), createdSeconds: Timestamp.now.seconds)
    }

    private static func secret(at path: String) throws(CloudError) -> Secret {
        do throws(SystemError) {
            if access(path, F_OK) != 0 {
                let made = make()
                try SmallFile.create(path, with: made.bytes, mode: mode)
                return made
            }
            return try read(path).secret
        } catch {
            throw CloudError("KMSInternalException", "The file \(path) cannot be used: \(error)", status: 500)
        }
    }

    /// The secret of a file, and whether its time is in it.
    private static func read(_ path: String) throws(SystemError) -> (secret: Secret, hasTime: Bool) {
        let bytes = try SmallFile.read(path, bytesMax: Seal.keyBytes + timeBytes)
        if bytes.count == Seal.keyBytes + timeBytes {
            let seconds = bytes.suffix(timeBytes).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let secret = Secret(bytes: Array(bytes.prefix(Seal.keyBytes)), createdSeconds: Int64(clamping: seconds))
            return (secret, true)
        }
        var status = stat()
        guard bytes.count == Seal.keyBytes, stat(path, &status) == 0 else {
            throw SystemError(call: "read", subject: path)
        }
        return (Secret(bytes: bytes, createdSeconds: Int64(status.st_mtim.tv_sec)), false)
    }

    /// Makes the file where there is none, and puts the secret's time into it: copies of the file have another time, and all servers say the same.
    /// Called while no other server does so.
    package static func share(in folder: String) throws(SystemError) {
        let path = "\(folder)/\(fileName)"
        var secret = make()
        if access(path, F_OK) == 0 {
            let found = try read(path)
            guard !found.hasTime else { return }
            secret = found.secret
        }
        let seconds = UInt64(clamping: secret.createdSeconds)
        let time = (0..<timeBytes).map { UInt8(truncatingIfNeeded: seconds >> UInt64(8 * (timeBytes - 1 - $0))) }
        try SmallFile.replace(path, with: secret.bytes + time, mode: mode)
    }

    /// When the secret was made, in seconds since 1970.
    func createdSeconds() throws(CloudError) -> Int64 { try secret().createdSeconds }

    /// The id of a key: one that is named by an alias has an id that follows from the alias.
    func id(of name: KeyName) throws(CloudError) -> String {
        guard name.alias != nil else { return name.text }
        let code = HMACSHA256.code(of: Array("kms alias \(name.text)".utf8), key: try secret().bytes)
        return UUIDText.text(of: code)
    }

    private func seal(_ id: String, salt: [UInt8]) throws(CloudError) -> Seal {
        let key = HMACSHA256.code(of: Array("kms key \(id)".utf8), key: try secret().bytes)
        return Seal(key: HMACSHA256.code(of: salt, key: key))
    }

    // MARK: Ciphertexts

    /// A ciphertext: version, length of the key's name, name, salt, sealed bytes. All before the seal is a part of what it proves.
    func encrypted(_ plain: [UInt8], by name: KeyName, _ context: [UInt8]) throws(CloudError) -> [UInt8] {
        let said = Array(name.text.utf8)
        let salt = RandomBytes.make(count: Self.saltBytes)
        let head =
            [Self.version, UInt8(truncatingIfNeeded: said.count >> 8), UInt8(truncatingIfNeeded: said.count)]
            + said + salt
        return head + (try seal(try id(of: name), salt: salt)).seal(plain, for: head + context)
    }

    /// The name of the key that a ciphertext says it is of; nil: it is no ciphertext of this server's.
    static func name(in ciphertext: [UInt8], arnsBegin start: String) -> (name: KeyName, headBytes: Int)? {
        guard ciphertext.count > 3, ciphertext[0] == version else { return nil }
        let count = Int(ciphertext[1]) << 8 | Int(ciphertext[2])
        let end = 3 + count + saltBytes
        guard ciphertext.count >= end + Seal.extraBytes,
            let text = String(validating: ciphertext[3..<3 + count], as: UTF8.self),
            let name = try? KeyName(text, arnsBegin: start)
        else { return nil }
        return (name, end)
    }

    /// The bytes in a ciphertext; nil: it was changed, or made with another key or another context.
    func decrypted(
        _ ciphertext: [UInt8], by name: KeyName, headBytes: Int, _ context: [UInt8]
    ) throws(CloudError) -> [UInt8]? {
        let head = Array(ciphertext.prefix(headBytes))
        let seal = try seal(try id(of: name), salt: Array(head.suffix(Self.saltBytes)))
        return seal.open(ciphertext.dropFirst(headBytes), for: head + context)
    }
}
