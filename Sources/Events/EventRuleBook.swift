import JSON
import Synchronization

/// The rules that hold, by the names of their buses. All who pass events on share one: a project that is followed may come to have others.
final class EventRuleBook: Sendable {
    private let current: Mutex<[ByteText: [EventRule]]>

    init(_ buses: [String], _ rules: [EventRule]) { current = Mutex(Self.sorted(buses, rules)) }

    var rules: [ByteText: [EventRule]] { current.withLock { $0 } }

    func set(_ buses: [String], _ rules: [EventRule]) {
        let new = Self.sorted(buses, rules)
        current.withLock { $0 = new }
    }

    private static func sorted(_ buses: [String], _ rules: [EventRule]) -> [ByteText: [EventRule]] {
        var all: [ByteText: [EventRule]] = [:]
        for bus in [Events.usualBus] + buses { all[ByteText(bus)] = [] }
        for rule in rules { all[ByteText(rule.bus), default: []].append(rule) }
        return all
    }
}
