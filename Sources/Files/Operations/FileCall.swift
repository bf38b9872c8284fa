import Access
import JSON
import Network

/// A request to the store whose sender is known.
struct FileCall: Sendable {
    let head: HTTPRequestHead
    let target: FileTarget
    let proof: FileProof
    let caller: FileCaller
    let source: RequestSource
    /// In milliseconds since 1970.
    let now: Int64

    /// The parameters of the target, as who signed them meant them.
    var query: FileQuery { proof.query }

    /// Who an upload belongs to: the identity, not the keys, which change within an hour.
    var owner: String {
        switch caller {
        case .anonymous: "nobody"
        case .administrator: "administrator"
        case .guest(let identity): "guest \(identity)"
        case .user(let identity), .member(_, let identity): "identity \(identity)"
        case .function(let name, _): "function \(name)"
        }
    }
}
