import Crypto
import JSON

/// The administrator's password as it is kept: a key that is dear to make, with the salt and the cost.
struct OperatorPassword: Sendable {
    private let scrypt: Scrypt
    private let salt: [UInt8]
    private let key: [UInt8]

    private static let saltBytes = 16
    private static let keyBytes = 32

    /// Takes a tenth of a second: not on a loop.
    init(_ password: String) {
        scrypt = .standard
        salt = RandomBytes.make(count: Self.saltBytes)
        key = scrypt.key(of: Array(password.utf8), salt: salt, count: Self.keyBytes)
    }

    /// What was written.
    init?(kept text: String) {
        guard let json = try? JSONReader.value(of: text), let blocks = json["blocks"]?.integer,
            let size = json["blockSize"]?.integer, let repetitions = json["repetitions"]?.integer,
            let scrypt = Scrypt(
                blocks: Int(clamping: blocks), blockSize: Int(clamping: size), repetitions: Int(clamping: repetitions)),
            let salt = json["salt"]?.string.flatMap({ Hexadecimal.bytes(of: $0.utf8) }),
            let key = json["key"]?.string.flatMap({ Hexadecimal.bytes(of: $0.utf8) }), key.count == Self.keyBytes
        else { return nil }
        (self.scrypt, self.salt, self.key) = (scrypt, salt, key)
    }

    var text: String {
        JSONWriter.text(
            of: [
                "blocks": .integer(Int64(scrypt.blocks)), "blockSize": .integer(Int64(scrypt.blockSize)),
                "repetitions": .integer(Int64(scrypt.repetitions)), "salt": .string(Hexadecimal.text(of: salt)),
                "key": .string(Hexadecimal.text(of: key)),
            ])
    }

    /// Whether that is the password. As dear as making it.
    func matches(_ password: String) -> Bool {
        ConstantTime.areEqual(scrypt.key(of: Array(password.utf8), salt: salt, count: Self.keyBytes), key)
    }

    /// Why a password is none; nil: it is good.
    static func fault(of password: String) -> String? {
        if password.unicodeScalars.count < ConsoleLimits.passwordCharactersMin {
            return "A password has \(ConsoleLimits.passwordCharactersMin) characters at least."
        }
        if password.utf8.count > ConsoleLimits.passwordBytesMax {
            return "A password has \(ConsoleLimits.passwordBytesMax) bytes at most."
        }
        return nil
    }
}
