import Cloud
import JSON
import Synchronization

/// The rules that hold, by the names of their buses. All who pass events on share one: a project that is followed may come to have others.
///
/// The project says rules and buses; calls make others, which the server keeps as long as it runs.
final class EventRuleBook: Sendable {
    /// A bus that a call has made.
    struct MadeBus: Sendable {
        let description: String?
        /// In milliseconds since 1970.
        let created: Int64
    }

    struct Content: Sendable {
        fileprivate(set) var project: [ByteText: [EventRule]]
        var buses: [ByteText: MadeBus] = [:]
        /// By the names of their buses, and their own.
        var made: [ByteText: [ByteText: MadeRule]] = [:]
        fileprivate(set) var all: [ByteText: [EventRule]] = [:]

        /// True if the project has a rule of that name, which calls cannot change.
        func isOfProject(_ rule: String, on bus: String) -> Bool {
            project[bus]?.contains { ByteText($0.name) == ByteText(rule) } ?? false
        }

        var madeCount: Int { made.values.reduce(0) { $0 + $1.count } }

        fileprivate mutating func join() {
            all = project
            for bus in buses.keys where all[bus] == nil { all[bus] = [] }
            for (bus, rules) in made where all[bus] != nil {
                for (name, rule) in rules.sorted(by: { $0.key < $1.key })
                where !isOfProject(name.string, on: bus.string) {
                    all[bus]?.append(rule.rule)
                }
            }
        }
    }

    private let current: Mutex<Content>

    init(_ buses: [String], _ rules: [EventRule]) {
        var content = Content(project: Self.sorted(buses, rules))
        content.join()
        current = Mutex(content)
    }

    var rules: [ByteText: [EventRule]] { current.withLock { $0.all } }

    var content: Content { current.withLock { $0 } }

    func set(_ buses: [String], _ rules: [EventRule]) {
        let new = Self.sorted(buses, rules)
        current.withLock {
            $0.project = new
            $0.join()
        }
    }

    /// Changes what calls have made, as a whole or not at all.
    func change<Value: Sendable>(
        _ body: @Sendable (inout Content) throws(CloudError) -> Value
    ) throws(CloudError) -> Value {
        try current.withLock { content throws(CloudError) in
            var new = content
            let value = try body(&new)
            new.join()
            content = new
            return value
        }
    }

    private static func sorted(_ buses: [String], _ rules: [EventRule]) -> [ByteText: [EventRule]] {
        var all: [ByteText: [EventRule]] = [:]
        for bus in [Events.usualBus] + buses { all[ByteText(bus)] = [] }
        for rule in rules { all[ByteText(rule.bus), default: []].append(rule) }
        return all
    }
}
