import JSON
import Network

/// The operations for tests: a row for each path below `/_homeport`.
enum TestPlace: Equatable {
    case reset
    case snapshots
    case snapshot(String)
    case restore(String)
    case seed
    case time
    case faults
    case outbox
    case requests
    case worlds
    case world(String)

    static let folder = "/_homeport"

    /// How the paths are written, for messages.
    static let paths = [
        "reset", "snapshots", "snapshot/NAME", "restore/NAME", "seed", "time", "faults", "outbox", "requests",
        "worlds", "worlds/NAME",
    ].map { "\(folder)/\($0)" }

    /// Returns whether a path is one of tests, be it there or not.
    static func isBelow(_ head: HTTPRequestHead) -> Bool {
        // Keys of files may begin so too, as long as nobody tests.
        head.encodedPath.hasPrefix("\(folder)/") || head.encodedPath == folder
    }

    init?(_ path: String) {
        let parts = path.utf8.dropFirst(Self.folder.utf8.count).split(separator: UInt8(ascii: "/"))
            .map { String(Substring($0)) }
        switch (parts.first, parts.count) {
        case ("reset", 1): self = .reset
        case ("snapshots", 1): self = .snapshots
        case ("snapshot", 2): self = .snapshot(parts[1])
        case ("restore", 2): self = .restore(parts[1])
        case ("seed", 1): self = .seed
        case ("time", 1): self = .time
        case ("faults", 1): self = .faults
        case ("outbox", 1): self = .outbox
        case ("requests", 1): self = .requests
        case ("worlds", 1): self = .worlds
        case ("worlds", 2): self = .world(parts[1])
        default: return nil
        }
    }

    var methods: [HTTPMethod] {
        switch self {
        case .reset, .restore, .seed: [.post]
        case .snapshots: [.get]
        case .snapshot: [.post, .delete]
        case .time: [.get, .post]
        case .faults: [.get, .post, .delete]
        case .outbox, .requests: [.get, .delete]
        case .worlds: [.get, .post]
        case .world: [.get, .delete]
        }
    }

    /// The parameters of its query.
    func parameters(by method: HTTPMethod) -> [String] {
        switch self {
        case .seed: ["replace"]
        case .outbox where method == .get: ["to", "waitMilliseconds"]
        default: []
        }
    }

    var bodyBytesMax: Int {
        self == .seed ? TestControlLimits.seedBytesMax : TestControlLimits.bodyBytesMax
    }
}
