import Crypto
import JSON

/// Where a list goes on that is in the order of names: behind a name, which anybody may know who sees the list.
package enum NameToken {
    /// The name that a token leads on behind; nil: from the beginning. `none` is thrown for a text that is no token.
    package static func name(of token: String?, orElse none: CloudError) throws(CloudError) -> ByteText? {
        guard let token, !token.isEmpty else { return nil }
        guard let bytes = Base64.bytes(of: token.utf8, .standard), let name = String(validating: bytes, as: UTF8.self)
        else { throw none }
        return ByteText(name)
    }

    package static func text(behind name: ByteText) -> JSONValue {
        .string(Base64.text(of: Array(name.string.utf8), .standard))
    }
}
