import JSON
import Schedules
import Synchronization

/// The rules that hold, by the names of their buses. All who pass events on share one: a project that is followed may come to have others.
///
/// The project says rules and buses; calls make others, which are here as the database has them.
final class EventRuleBook: Sendable {
    /// A bus that a call has made.
    struct MadeBus: Sendable {
        let description: String?
        /// In milliseconds since 1970.
        let created: Int64
    }

    struct Content: Sendable {
        fileprivate(set) var project: [ByteText: [EventRule]]
        /// By each name that callers have for a function, the name for which its events are kept.
        fileprivate(set) var functions: [ByteText: String]
        fileprivate(set) var machines: Set<ByteText>
        fileprivate(set) var buses: [ByteText: MadeBus] = [:]
        /// By the names of their buses, and their own.
        fileprivate(set) var made: [ByteText: [ByteText: MadeRule]] = [:]
        fileprivate(set) var all: [ByteText: [EventRule]] = [:]
        /// The reading that brought what calls have made.
        fileprivate var reading = 0

        /// True if the project has a rule of that name, which calls cannot change.
        func isOfProject(_ rule: String, on bus: String) -> Bool {
            project[bus]?.contains { ByteText($0.name) == ByteText(rule) } ?? false
        }

        /// By their names, the schedules of enabled rules that calls have made.
        var schedules: [ByteText: Schedule] {
            (made[Events.usualBus] ?? [:]).compactMapValues { $0.rule.isEnabled ? $0.schedule : nil }
                .filter { !isOfProject($0.key.string, on: Events.usualBus) }
        }

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
    /// Is called where the schedules of rules have changed.
    private let follower = Mutex<(@Sendable () async -> Void)?>(nil)
    private let readings = Atomic(0)

    init(_ buses: [String], _ rules: [EventRule], _ functions: [ByteText: String], _ machines: [String]) {
        var content = Content(
            project: Self.sorted(buses, rules), functions: functions, machines: Set(texts: machines))
        content.join()
        current = Mutex(content)
    }

    var rules: [ByteText: [EventRule]] { current.withLock { $0.all } }

    var content: Content { current.withLock { $0 } }

    func set(_ buses: [String], _ rules: [EventRule], _ functions: [ByteText: String], _ machines: [String]) {
        let new = Self.sorted(buses, rules)
        current.withLock {
            ($0.project, $0.functions, $0.machines) = (new, functions, Set(texts: machines))
            $0.join()
        }
    }

    /// The number of a reading of the database that begins now.
    func beginReading() -> Int { readings.add(1, ordering: .relaxed).newValue }

    /// Goes on with what a reading has found, unless a later one was quicker, and waits for the follower of schedules.
    func take(_ buses: [ByteText: MadeBus], _ made: [ByteText: [ByteText: MadeRule]], of reading: Int) async {
        let hasChanged = current.withLock {
            guard reading > $0.reading else { return false }
            let former = $0.schedules
            ($0.buses, $0.made, $0.reading) = (buses, made, reading)
            $0.join()
            return former != $0.schedules
        }
        guard hasChanged, let body = follower.withLock({ $0 }) else { return }
        await body()
    }

    /// Calls `body` from now on where the schedules of rules have changed.
    func follow(_ body: @escaping @Sendable () async -> Void) { follower.withLock { $0 = body } }

    private static func sorted(_ buses: [String], _ rules: [EventRule]) -> [ByteText: [EventRule]] {
        var all: [ByteText: [EventRule]] = [:]
        for bus in [Events.usualBus] + buses { all[ByteText(bus)] = [] }
        for rule in rules { all[ByteText(rule.bus), default: []].append(rule) }
        return all
    }
}
