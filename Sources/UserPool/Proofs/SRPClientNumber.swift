/// `SRP_A`, with which a client begins: a number that leaves a remainder, for without one its password would not matter.
package struct SRPClientNumber: Sendable, Equatable {
    let number: SRPNumber

    /// As many hexadecimal digits as the modulus has.
    package static let digitsMax = 768

    /// Nil for a text that is not 1 to 768 hexadecimal digits, or a multiple of the modulus.
    package init?(_ text: String) {
        guard let number = SRPNumber(hexadecimal: text, digitsMax: Self.digitsMax) else { return nil }
        self.init(number)
    }

    init?(_ number: SRPNumber) {
        guard number.bytes.count <= Self.digitsMax / 2, SRPGroup.cognito.hasRemainder(number) else { return nil }
        self.number = number
    }
}
