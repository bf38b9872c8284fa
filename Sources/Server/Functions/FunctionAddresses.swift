import JSON

/// Where functions are called, by the names and ARNs that their callers have for them.
struct FunctionAddresses: Sendable {
    private let addresses: [ByteText: String]

    init(_ configuration: Configuration) {
        addresses = Dictionary(
            texts: configuration.engine.functions.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Nil: there is no such function. A name may come with an account, as an ARN, and with a version.
    func address(of name: String) -> String? { addresses[Self.bareName(of: name)] }

    static func bareName(of text: String) -> String {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let name = parts.lastIndex(of: "function").map { parts.dropFirst($0 + 1).first } ?? parts.first
        return (name ?? nil) ?? ""
    }
}
