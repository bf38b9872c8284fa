import JSON

/// The values that a member of a request may have by the service's model. All members are checked before anything reads them.
package indirect enum MemberShape: Sendable {
    /// A text of so many characters. A secret one is not shown in the message that refuses it.
    case text(ClosedRange<Int>, MemberPattern = .any, isSecret: Bool = false)
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
        /// Nil: a form calls it by its name.
        package let form: FormName?

        package init(_ name: String, _ shape: MemberShape, isRequired: Bool = false, form: FormName? = nil) {
            self.name = name
            self.shape = shape
            self.isRequired = isRequired
            self.form = form
        }
    }

    /// How a form calls an element of a list, or of a map with the names in its pairs: `Tag.1.Key=a&Tag.1.Value=b`.
    package struct FormName: Sendable {
        let name: String
        let key: String
        let value: String

        package init(_ name: String, key: String = "Name", value: String = "Value") {
            (self.name, self.key, self.value) = (name, key, value)
        }
    }

    /// Any integer: the operation has words of its own for one that is out of its range.
    package static let anyInteger = MemberShape.integer(Int64.min...Int64.max)
}
