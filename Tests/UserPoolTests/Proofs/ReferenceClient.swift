import Crypto

/// A client of sign-in as the specification of Cognito's clients describes it, with nothing of the server's but hashes.
///
/// Its numbers are texts in hexadecimal, as theirs are.
struct ReferenceClient {
    /// `base^exponent`, `left * right` and `left - right` round the modulus.
    struct Arithmetic: Sendable {
        var isFast = false
        let power: @Sendable ([UInt8], [UInt8]) -> [UInt8]
        let product: @Sendable ([UInt8], [UInt8]) -> [UInt8]
        let difference: @Sendable ([UInt8], [UInt8]) -> [UInt8]

        static let modulus = bytes(
            """
            ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404dd\
            ef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7ed\
            ee386bfb5a899fa5ae9f24117c4b1fe649286651ece45b3dc2007cb8a163bf0598da48361c55d39a69163fa8fd24cf5f\
            83655d23dca3ad961c62f356208552bb9ed529077096966d670c354e4abc9804f1746c08ca18217c32905e462e36ce3b\
            e39e772c180e86039b2783a2ec07a28fb5c55df06f4c52c9de2bcbf6955817183995497cea956ae515d2261898fa0510\
            15728e5a8aaac42dad33170d04507a33a85521abdf1cba64ecfb850458dbef0a8aea71575d060c7db3970f85a6e1e4c7\
            abf5ae8cdb0933d71e8c94e04a25619dcee3d2261ad2ee6bf12ffa06d98a0864d87602733ec86a64521f2b18177b200c\
            bbe117577a615d6c770988c0bad946e208e24fa074e5ab3143db5bfce0fd108e4b82d120a93ad2caffffffffffffffff
            """)

        static let own: Arithmetic = {
            let modulus = ReferenceModulus(Self.modulus)
            return Arithmetic(
                power: { modulus.power($0, $1) }, product: { modulus.product($0, $1) },
                difference: { modulus.difference($0, $1) })
        }()

        /// OpenSSL's, a hundred times as fast, for many clients.
        static let fast: Arithmetic = {
            let modulus = Modulus.modp3072
            return Arithmetic(
                isFast: true,
                power: { modulus.power(of: BigNumber($0), known: BigNumber($1)).bytes },
                product: { modulus.product(modulus.remainder(of: BigNumber($0)), BigNumber($1)).bytes },
                difference: { left, right in
                    // N - right, whose bytes are what the modulus' are but for a borrow.
                    let complement = ReferenceModulus.complement(of: right, to: Self.modulus)
                    return modulus.sum(BigNumber(left), modulus.remainder(of: BigNumber(complement))).bytes
                })
        }()
    }

    let arithmetic: Arithmetic
    let group: String
    let user: String
    let password: String
    /// The secret `a`, in hexadecimal.
    let secret: String

    var clientNumber: String { digits(of: arithmetic.power([2], bytes(secret))) }

    func exponent(salt: String) -> String {
        let inner = Digest.sha256.of(Array("\(group)\(user):\(password)".utf8))
        return Hexadecimal.text(of: Digest.sha256.of(bytes(padded(salt)) + inner))
    }

    struct Proof {
        let scrambler: String
        let shared: String
        let key: [UInt8]
        let claim: [UInt8]
    }

    /// The verifier is a parameter for those who have it already: it is `g^x`.
    func proof(
        clientNumber: String, salt: String, serverNumber: String, secretBlock: [UInt8], timestamp: String,
        verifier: [UInt8]? = nil
    ) -> Proof {
        let x = exponent(salt: salt)
        let scrambler = hash(padded(clientNumber) + padded(serverNumber))
        let multiplier = hash("00" + digits(of: Arithmetic.modulus) + "02")
        let blind = arithmetic.product(
            bytes(multiplier), verifier ?? arithmetic.power([2], bytes(x)))
        let base = arithmetic.difference(bytes(serverNumber), blind)
        let shared = digits(of: arithmetic.power(base, sum(bytes(secret), product(bytes(scrambler), bytes(x)))))
        let extracted = HMACSHA256.code(of: bytes(padded(shared)), key: bytes(padded(scrambler)))
        let expanded = HMACSHA256.code(of: Array("Caldera Derived Key\u{1}".utf8), key: extracted)
        let key = Array(expanded[..<16])
        let message = Array("\(group)\(user)".utf8) + secretBlock + Array(timestamp.utf8)
        return Proof(
            scrambler: scrambler, shared: shared, key: key, claim: HMACSHA256.code(of: message, key: key))
    }

    private func hash(_ digits: String) -> String { Hexadecimal.text(of: Digest.sha256.of(bytes(digits))) }

    /// Both of any size, by the school's method.
    private func product(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var product = [UInt8](repeating: 0, count: left.count + right.count)
        for (place, digit) in left.reversed().enumerated() {
            var carry = 0
            for (other, factor) in (right.reversed() + [0]).enumerated() {
                let index = product.count - 1 - place - other
                guard index >= 0 else { break }
                carry += Int(product[index]) + Int(digit) * Int(factor)
                product[index] = UInt8(carry & 255)
                carry >>= 8
            }
        }
        return product
    }

    private func sum(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        let count = max(left.count, right.count) + 1
        var sum = [UInt8](repeating: 0, count: count)
        var carry = 0
        for place in 0..<count {
            carry += place < left.count ? Int(left[left.count - 1 - place]) : 0
            carry += place < right.count ? Int(right[right.count - 1 - place]) : 0
            sum[count - 1 - place] = UInt8(carry & 255)
            carry >>= 8
        }
        return sum
    }
}

extension ReferenceModulus {
    static func complement(of number: [UInt8], to modulus: [UInt8]) -> [UInt8] {
        var complement = modulus
        var borrow = 0
        for place in 1...modulus.count {
            borrow += Int(modulus[modulus.count - place])
            borrow -= place <= number.count ? Int(number[number.count - place]) : 0
            complement[modulus.count - place] = UInt8(borrow & 255)
            borrow >>= 8
        }
        return complement
    }
}

/// The bytes of digits, of which there may be an odd count.
func bytes(_ digits: String) -> [UInt8] {
    var digits = Array(digits.utf8)
    if !digits.count.isMultiple(of: 2) { digits.insert(UInt8(ascii: "0"), at: 0) }
    return stride(from: 0, to: digits.count, by: 2).map {
        UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) ?? 0
    }
}

func digits(of bytes: [UInt8]) -> String {
    let digits = Hexadecimal.text(of: bytes).drop { $0 == "0" }
    return digits.isEmpty ? "0" : String(digits)
}

/// Digits as they are hashed.
func padded(_ digits: String) -> String {
    var digits = String(digits.drop { $0 == "0" })
    if digits.isEmpty { digits = "0" }
    if !digits.count.isMultiple(of: 2) { digits = "0" + digits }
    return "89abcdefABCDEF".contains(digits.prefix(1)) ? "00" + digits : digits
}
