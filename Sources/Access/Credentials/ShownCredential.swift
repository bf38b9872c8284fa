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

    /// Hands the bytes of the same value to the closure; nil when there is none.
    ///
    /// Hot path: no text is made of a field that is there once.
    func withOnly<Answer>(_ name: StaticString, _ body: (UnsafeRawBufferPointer) -> Answer) -> Answer? {
        guard count(of: name) == 1 else {
            guard var value = only("\(name)") else { return nil }
            return value.withUTF8 { body(UnsafeRawBufferPointer($0)) }
        }
        var answer: Answer?
        forEachValue(of: name.bytes) { answer = body($0) }
        return answer
    }

    /// How many fields of that name there are.
    func count(of name: StaticString) -> Int { count(of: name.bytes) }

    func count(of name: UnsafeRawBufferPointer) -> Int {
        var count = 0
        forEachValue(of: name) { _ in count += 1 }
        return count
    }
}

extension StaticString {
    /// Its bytes, which are there for ever.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount) }
}
