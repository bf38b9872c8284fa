import Engine
import Network

/// A service of AWS that shares the port with the API. Its requests are known by their heads: by the first word of `x-amz-target`, by the
/// service in the scope of the signature, or by the path; which of them, it says once.
protocol CloudService: Sendable {
    /// The row of the table by which its requests are counted.
    var route: Route { get }

    /// The word of `x-amz-target` before its point; whatever the path.
    var targets: [String] { get }

    /// The names in the scope of signatures by which requests without such a target are known; whatever the path.
    var scopes: [String] { get }

    /// The services of AWS that its calls are signed for, whatever its requests are known by.
    var signedServices: [String] { get }

    /// True if some operations of those services are not known by their heads, and are refused as not served.
    var isPartial: Bool { get }

    /// Returns whether a request signed for a scope is its own where several services have that scope. They are asked in their order.
    func shares(_ head: HTTPRequestHead) -> Bool

    /// True if some requests are its own by their paths alone.
    var hasOwnPaths: Bool { get }

    /// Returns whether a request that nothing else tells of is its own by the path.
    func isAt(_ head: HTTPRequestHead) -> Bool

    /// Decides on a request of its own.
    func reception(_ head: HTTPRequestHead, on shard: @escaping @Sendable (EventLoop) -> LoopShard) -> HTTPReception

    /// Its refusal of what is no acceptable request.
    func refusal(of error: HTTPParseError) -> HTTPResponse

    /// Another API is served from now on.
    func serve(_ engine: Engine)

    /// Called when nothing is served any more.
    func close()
}

extension CloudService {
    var targets: [String] { [] }
    var scopes: [String] { [] }
    var signedServices: [String] { scopes }
    var isPartial: Bool { false }

    var hasOwnPaths: Bool { true }

    func shares(_ head: HTTPRequestHead) -> Bool { true }
    func isAt(_ head: HTTPRequestHead) -> Bool { false }
    func serve(_ engine: Engine) {}
    func close() {}
}
