import JSON

/// What a member of a request may be, as the service's model says. Everything is checked before anything reads it.
package indirect enum MemberShape: Sendable {
    /// A text of so many characters. A secret one is not shown in the message that refuses it.
    case text(ClosedRange<Int>, TextForm = .any, isSecret: Bool = false)
    case choice([String])
    case boolean
    case integer(ClosedRange<Int64>)
    /// A number with or without a fraction, such as a time.
    case number
    /// Bytes of so many, in base64.
    case bytes(ClosedRange<Int>)
    case list(MemberShape, min: Int = 0, max: Int)
    /// Texts by name.
    case texts(keyMax: Int, valueMax: Int)
    /// Values by name.
    case map(MemberShape, keyMax: Int, max: Int)
    case object([Member])
    /// Any JSON, such as what an authenticator made.
    case anything

    /// A member of a request, or of an object in it.
    package struct Member: Sendable {
        package let name: String
        package let shape: MemberShape
        package let isRequired: Bool

        package init(_ name: String, _ shape: MemberShape, isRequired: Bool = false) {
            self.name = name
            self.shape = shape
            self.isRequired = isRequired
        }
    }
}
