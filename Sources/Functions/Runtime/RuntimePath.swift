/// A path of the Runtime API.
enum RuntimePath: Equatable {
    case next
    case response(String)
    case error(String)
    case startError

    private static let start = "/2018-06-01/runtime/"

    /// Nil: nothing that is served.
    init?(_ path: String) {
        guard path.hasPrefix(Self.start) else { return nil }
        let parts = path.dropFirst(Self.start.count).split(separator: "/", omittingEmptySubsequences: false)
        switch parts.map(String.init) {
        case ["invocation", "next"]: self = .next
        case ["init", "error"]: self = .startError
        case let parts where parts.count == 3 && parts[0] == "invocation" && !parts[1].isEmpty:
            switch parts[2] {
            case "response": self = .response(parts[1])
            case "error": self = .error(parts[1])
            default: return nil
            }
        default: return nil
        }
    }

    var isRead: Bool { self == .next }
}
