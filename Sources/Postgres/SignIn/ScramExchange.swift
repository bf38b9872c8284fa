import COpenSSL
import Crypto

/// The client's side of SCRAM-SHA-256 (RFC 5802, RFC 7677): proves that it knows the password, which no message holds, and that
/// the server knows it too. A pure machine: it is given its nonce.
///
///     first ─▶ server's first ─▶ answer(to:) ─▶ server's final ─▶ verify(_:)
struct ScramExchange {
    /// What binds the exchange to the TLS connection below it.
    enum Binding {
        /// The server's certificate, by its digest (RFC 5929, `tls-server-end-point`).
        case serverEndPoint([UInt8])
        /// We could bind, and the server said that it cannot.
        case notOffered
        case none

        /// The header of the exchange, which the server checks.
        fileprivate var header: [UInt8] {
            switch self {
            case .serverEndPoint: Array("p=tls-server-end-point,,".utf8)
            case .notOffered: Array("y,,".utf8)
            case .none: Array("n,,".utf8)
            }
        }
    }

    enum Problem: Error, Equatable, Sendable {
        /// The server's message is not as the RFC says.
        case malformed
        /// It is not an answer to our message.
        case otherNonce
        case tooManyRounds(limit: Int)
        case refused
        /// The server does not know the password.
        case wrongSignature
        case unexpected
    }

    private enum State {
        case begun
        case proved(serverSignature: [UInt8])
        case verified
    }

    static let plain = "SCRAM-SHA-256"
    static let bound = "SCRAM-SHA-256-PLUS"
    private static let nonceBytes = 18
    private static let keyBytes = 32
    private static let saltBytesMax = 1_024

    private let password: [UInt8]
    private let binding: Binding
    private let roundsMax: Int
    private let user: [UInt8]
    private let clientNonce: [UInt8]
    private var state = State.begun

    init(
        user: [UInt8] = [], password: [UInt8], binding: Binding, roundsMax: Int,
        nonce: [UInt8] = Array(Base64.text(of: RandomBytes.make(count: Self.nonceBytes), .standard).utf8)
    ) {
        self.user = user
        self.password = password
        self.binding = binding
        self.roundsMax = roundsMax
        clientNonce = nonce
    }

    var mechanism: String {
        if case .serverEndPoint = binding { return Self.bound }
        return Self.plain
    }

    /// True when the server has proved that it knows the password.
    var isVerified: Bool {
        if case .verified = state { return true }
        return false
    }

    /// The server knows the user from the start of the connection, and takes no notice of the one here.
    private var firstBare: [UInt8] { Array("n=".utf8) + user + Array(",r=".utf8) + clientNonce }

    var first: [UInt8] { binding.header + firstBare }

    /// The proof, for the server's first message: "r=nonce,s=salt,i=rounds".
    mutating func answer(to message: [UInt8]) throws(Problem) -> [UInt8] {
        guard case .begun = state else { throw .unexpected }
        let parts = message.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.count >= 3, let nonce = Self.value(of: parts[0], "r"), let salt = Self.value(of: parts[1], "s"),
            let rounds = Self.value(of: parts[2], "i").flatMap(Self.number)
        else { throw .malformed }
        guard nonce.count > clientNonce.count, nonce.starts(with: clientNonce) else { throw .otherNonce }
        guard let salt = Base64.bytes(of: salt, .standard), !salt.isEmpty, salt.count <= Self.saltBytesMax, rounds > 0
        else { throw .malformed }
        guard rounds <= roundsMax else { throw .tooManyRounds(limit: roundsMax) }

        let salted = Self.salted(password, salt, rounds)
        let clientKey = HMACSHA256.code(of: Array("Client Key".utf8), key: salted)
        let serverKey = HMACSHA256.code(of: Array("Server Key".utf8), key: salted)
        var bindingBytes = binding.header
        if case .serverEndPoint(let digest) = binding { bindingBytes += digest }
        let withoutProof =
            Array("c=".utf8) + Array(Base64.text(of: bindingBytes, .standard).utf8) + Array(",r=".utf8) + nonce
        let whole = firstBare + Array(",".utf8) + message + Array(",".utf8) + withoutProof
        let signature = HMACSHA256.code(of: whole, key: Digest.sha256.of(clientKey))
        let proof = zip(clientKey, signature).map { $0 ^ $1 }
        state = .proved(serverSignature: HMACSHA256.code(of: whole, key: serverKey))
        return withoutProof + Array(",p=".utf8) + Array(Base64.text(of: proof, .standard).utf8)
    }

    /// Checks the server's final message: "v=signature", or "e=error".
    mutating func verify(_ message: [UInt8]) throws(Problem) {
        guard case .proved(let expected) = state else { throw .unexpected }
        let parts = message.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard let first = parts.first else { throw .malformed }
        if Self.value(of: first, "e") != nil { throw .refused }
        guard let text = Self.value(of: first, "v"), let signature = Base64.bytes(of: text, .standard) else {
            throw .malformed
        }
        guard ConstantTime.areEqual(signature, expected) else { throw .wrongSignature }
        state = .verified
    }

    private static func value(of part: ArraySlice<UInt8>, _ name: Unicode.Scalar) -> ArraySlice<UInt8>? {
        guard part.first == UInt8(ascii: name), part.dropFirst().first == UInt8(ascii: "=") else { return nil }
        return part.dropFirst(2)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...9).contains(digits.count) else { return nil }
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }

    /// PBKDF2 with HMAC-SHA-256 (RFC 8018).
    private static func salted(_ password: [UInt8], _ salt: [UInt8], _ rounds: Int) -> [UInt8] {
        let key = [UInt8](unsafeUninitializedCapacity: keyBytes) { buffer, initialized in
            let isMade = password.withUnsafeBytes { password in
                PKCS5_PBKDF2_HMAC(
                    password.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: password.count), salt,
                    Int32(clamping: salt.count), Int32(clamping: rounds), EVP_sha256(), Int32(keyBytes),
                    buffer.baseAddress)
            }
            initialized = isMade == 1 ? keyBytes : 0
        }
        // OpenSSL fails here only without memory; an empty key would be everybody's.
        precondition(key.count == keyBytes, "OpenSSL made no key")
        return key
    }
}
