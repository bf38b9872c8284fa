import Crypto

/// The numbers that SRP-6a (RFC 5054) counts with, and the sums that it does with them.
///
/// Secrets are exponents in constant time. `u` is none: whoever listens can count it.
struct SRPGroup: Sendable {
    let modulus: Modulus
    let generator: [UInt8]
    let multiplier: [UInt8]

    /// Cognito's: group 15 of RFC 3526. Made by the first sign-in.
    static let cognito: SRPGroup = {
        let modulus = Modulus.modp3072
        let generator = SRPNumber([2])
        let multiplier = Digest.sha256.of(SRPNumber(modulus.bytes).padded + generator.padded)
        return SRPGroup(modulus: modulus, generator: generator.bytes, multiplier: multiplier)
    }()

    /// `v = g^x`, in as many bytes as the modulus has.
    func verifier(of x: [UInt8]) -> [UInt8] {
        bytes(modulus.power(of: BigNumber(generator), secret: BigNumber(x)))
    }

    /// `B = k·v + g^b`.
    func serverNumber(verifier: [UInt8], secret: [UInt8]) -> SRPNumber {
        let blind = modulus.product(modulus.remainder(of: BigNumber(multiplier)), BigNumber(verifier))
        return SRPNumber(bytes(modulus.sum(blind, modulus.power(of: BigNumber(generator), secret: BigNumber(secret)))))
    }

    /// `S = (A · v^u)^b`.
    func sharedNumber(clientNumber: SRPNumber, verifier: [UInt8], scrambler: [UInt8], secret: [UInt8]) -> SRPNumber {
        let client = modulus.remainder(of: BigNumber(clientNumber.bytes))
        let proof = modulus.power(of: BigNumber(verifier), known: BigNumber(scrambler))
        return SRPNumber(bytes(modulus.power(of: modulus.product(client, proof), secret: BigNumber(secret))))
    }

    /// Whether a number leaves a remainder.
    func hasRemainder(_ number: SRPNumber) -> Bool {
        let remainder = modulus.remainder(of: BigNumber(number.bytes))
        return !remainder.isZero
    }

    private func bytes(_ number: borrowing BigNumber) -> [UInt8] {
        // A remainder has never more than the modulus.
        number.bytes(count: modulus.byteCount) ?? []
    }
}
