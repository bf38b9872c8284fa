import Crypto

/// The numbers that SRP-6a (RFC 5054) counts with, and the sums that it does with them.
///
/// Secrets are exponents in constant time. `u` is none: whoever listens can count it.
struct SRPGroup: Sendable {
    let modulus: Modulus
    let multiplier: [UInt8]
    private let generator: FixedBase

    /// Nil for numbers that there is no group of.
    init?(modulus: Modulus, generator: [UInt8], multiplier: [UInt8]) {
        guard let base = FixedBase(generator, modulus: modulus) else { return nil }
        self.modulus = modulus
        self.multiplier = multiplier
        self.generator = base
    }

    /// Cognito's: group 15 of RFC 3526. Made by the first sign-in.
    static let cognito: SRPGroup = {
        let modulus = Modulus.modp3072
        let generator = SRPNumber([2])
        let multiplier = Digest.sha256.of(SRPNumber(modulus.bytes).padded + generator.padded)
        guard let group = SRPGroup(modulus: modulus, generator: generator.bytes, multiplier: multiplier) else {
            preconditionFailure("the group of RFC 3526 is none")
        }
        return group
    }()

    /// `v = g^x`, in as many bytes as the modulus has.
    func verifier(of x: [UInt8]) -> [UInt8] { bytes(generator.power(secret: x)) }

    /// `B = k·v + g^b`.
    func serverNumber(verifier: [UInt8], secret: [UInt8]) -> SRPNumber {
        let blind = modulus.product(modulus.remainder(of: BigNumber(multiplier)), BigNumber(verifier))
        return SRPNumber(bytes(modulus.sum(blind, generator.power(secret: secret))))
    }

    /// `S = (A · v^u)^b`.
    func sharedNumber(clientNumber: SRPNumber, verifier: [UInt8], scrambler: [UInt8], secret: [UInt8]) -> SRPNumber {
        let client = modulus.remainder(of: BigNumber(clientNumber.bytes))
        let proof = modulus.power(of: BigNumber(verifier), known: BigNumber(scrambler))
        return SRPNumber(bytes(modulus.power(of: modulus.product(client, proof), secret: BigNumber(secret))))
    }

    /// Returns whether a number leaves a remainder.
    func hasRemainder(_ number: SRPNumber) -> Bool {
        let remainder = modulus.remainder(of: BigNumber(number.bytes))
        return !remainder.isZero
    }

    private func bytes(_ number: borrowing BigNumber) -> [UInt8] {
        // A remainder has never more than the modulus.
        number.bytes(count: modulus.byteCount) ?? []
    }
}
