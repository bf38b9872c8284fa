import Access
import JSON
import Synchronization

/// Where functions are called, by the names and ARNs that their callers have for them. All who call functions share one: a
/// project that is followed may come to have others.
final class FunctionAddresses: Sendable {
    private let addresses: Mutex<[ByteText: String]>

    init(_ configuration: Configuration) { addresses = Mutex(Self.addresses(in: configuration)) }

    private static func addresses(in configuration: Configuration) -> [ByteText: String] {
        Dictionary(
            texts: configuration.engine.functions.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Goes on with the functions of another configuration.
    func adopt(_ configuration: Configuration) { addresses.withLock { $0 = Self.addresses(in: configuration) } }

    /// Nil: there is no such function. A name may come with an account, as an ARN, and with a version.
    func address(of name: String) -> String? { addresses.withLock { $0[Self.bareName(of: name)] } }

    /// A function as policies may call it: by the name that is given first, and by all others of the same function.
    func resources(of name: String) -> [PolicyResource] {
        let name = Self.bareName(of: name)
        let others = addresses.withLock { addresses in
            guard let address = addresses[name] else { return [String]() }
            return addresses.filter { ByteText($0.value) == ByteText(address) }.keys.map(\.string)
        }
        return ([name] + others).eachOnce().map { PolicyResource("lambda", "function:", $0) }
    }

    static func bareName(of text: String) -> String {
        let parts = text.parts(separatedBy: ":")
        let name = parts.lastIndex { $0 == "function" }.map { parts.dropFirst($0 + 1).first } ?? parts.first
        return (name ?? nil) ?? ""
    }
}
