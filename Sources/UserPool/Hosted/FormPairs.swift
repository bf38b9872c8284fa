import JSON

/// The parameters of a query or a form, in order. They are read strictly: what two readers could understand differently is none.
package struct FormPairs: Sendable {
    private var pairs: [(name: String, value: String)] = []

    static let pairsMax = 64

    init() {}

    /// Nil where an escape is broken, the bytes are no UTF-8, a control character is among them, or a name stands there twice.
    init?(_ bytes: some Collection<UInt8>) {
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard pairs.count < Self.pairsMax, let name = Self.decoded(sides[0]), !name.isEmpty,
                let value = sides.count > 1 ? Self.decoded(sides[1]) : "", self[name] == nil
            else { return nil }
            pairs.append((name, value))
        }
    }

    subscript(name: String) -> String? {
        pairs.first { ByteText($0.name) == ByteText(name) }?.value
    }

    /// Those whose names begin so, without that beginning.
    func values(behind prefix: String) -> [(name: String, value: String)] {
        pairs.filter { $0.name.utf8.starts(with: prefix.utf8) }
            .map { (String(decoding: $0.name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self), $0.value) }
    }

    /// Those with other names.
    func without(_ names: Set<ByteText>) -> FormPairs {
        var rest = self
        rest.pairs.removeAll { names.contains($0.name) }
        return rest
    }

    mutating func append(_ name: String, _ value: String) { pairs.append((name, value)) }

    /// As they stand in a query.
    var encoded: String {
        pairs.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
    }

    var isEmpty: Bool { pairs.isEmpty }

    /// The text behind escapes, where a plus is a blank.
    static func decoded(_ bytes: some Collection<UInt8>) -> String? {
        guard let result = PercentCoding.decodedForm(bytes), !result.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return nil
        }
        return String(validating: result, as: UTF8.self)
    }

    /// Everything but unreserved characters (RFC 3986) in escapes.
    static func encoded(_ text: String) -> String { PercentCoding.encoded(text) }
}
