import JSON
import Network

/// Something that can be asked of the console: a row of the table of its API.
struct ConsoleEndpoint: Sendable {
    /// How much of a body is taken, and when.
    enum Body: Sendable {
        case none
        case collected(Int)
        /// Read by who answers, once it is known who asks.
        case streamed(Int)
    }

    typealias Run = @Sendable (Console, ConsoleRequest) async throws(ConsoleError) -> ConsoleAnswer

    let method: HTTPMethod
    /// The parts of the path; `*` stands for any.
    let parts: [String]
    let body: Body
    /// Whether somebody must be signed in, where anybody signs in at all.
    let isGuarded: Bool
    let run: Run

    init(
        _ method: HTTPMethod, _ path: String, body: Body? = nil, isGuarded: Bool = true, _ run: @escaping Run
    ) {
        self.method = method
        parts = path.parts(separatedBy: "/").filter { !$0.isEmpty }
        self.body = body ?? (method == .get ? .none : .collected(ConsoleLimits.bodyBytesMax))
        self.isGuarded = isGuarded
        self.run = run
    }

    /// How it is written, for documents and messages.
    var path: String { "/" + parts.joined(separator: "/") }

    func isAt(_ path: [String]) -> Bool {
        path.count == parts.count && zip(parts, path).allSatisfy { $0 == "*" || $0 == $1 }
    }

    /// All that there is, in the order of the document.
    static let all: [ConsoleEndpoint] =
        session + information + callers + running + data + rights + liveView + rooms + services + server
}
