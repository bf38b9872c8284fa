import Crypto

/// What all fields of one name show together, whatever case their names are written in.
///
/// AWS's Apollo links put the fields of two libraries into one object: `x-api-key` and `X-Api-Key` with the same key. The
/// same value counts once, however often it is there; values that differ contradict each other, and none of them counts.
struct ShownCredential {
    /// Nil when no field shows one, or when they contradict each other.
    let value: String?
    let isContradictory: Bool

    init(_ values: [String]) {
        guard let first = values.first else {
            (value, isContradictory) = (nil, false)
            return
        }
        // Hot path: nearly always there is one.
        isContradictory = values.count > 1 && !values.dropFirst().allSatisfy { ConstantTime.areEqual($0, first) }
        value = isContradictory ? nil : first
    }
}

extension CredentialFields {
    /// The value of a field that has one, be it given several times; nil when it is not there, or has several values.
    func only(_ name: String) -> String? { ShownCredential(values(of: name)).value }
}
