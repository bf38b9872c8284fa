/// The settings that a server has told of itself, the last value of each.
struct PostgresServerParameters: Sendable {
    private var all: [(name: String, value: String)] = []

    subscript(name: String) -> String? { all.first { $0.name.utf8.elementsEqual(name.utf8) }?.value }

    /// One beyond the limit is not kept.
    mutating func set(_ name: String, _ value: String, max: Int) {
        if let place = all.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
            all[place].value = value
        } else if all.count < max {
            all.append((name, value))
        }
    }

    /// The first number of the version, such as 15.
    var majorVersion: Int? {
        self["server_version"].flatMap {
            Int(String(decoding: $0.utf8.prefix { (0x30...0x39).contains($0) }, as: UTF8.self))
        }
    }

    func isOn(_ name: String) -> Bool? { self[name].map { $0.utf8.elementsEqual("on".utf8) } }
}

/// Notifications that wait until somebody takes them, in their order. Beyond a limit the oldest go, which is remembered.
struct HeldNotifications: Sendable {
    private var all: [PostgresNotification] = []
    private var first = 0
    private var isOverrun = false

    mutating func add(_ notification: PostgresNotification, max: Int) {
        if all.count - first >= Swift.max(1, max) {
            first += 1
            isOverrun = true
        }
        if first > 64, first > all.count / 2 {
            all.removeSubrange(..<first)
            first = 0
        }
        all.append(notification)
    }

    mutating func take() -> PostgresNotification? {
        guard first < all.count else { return nil }
        defer {
            first += 1
            if first == all.count {
                all = []
                first = 0
            }
        }
        return all[first]
    }

    /// True once after some were lost.
    mutating func takeOverrun() -> Bool {
        defer { isOverrun = false }
        return isOverrun
    }
}
