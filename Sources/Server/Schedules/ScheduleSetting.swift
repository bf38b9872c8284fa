import JSON
import Project
import Schedules

/// A time at which a function is called, or a state machine started, as it is configured.
package struct ScheduleSetting: Sendable, Equatable {
    package let text: String
    package var zone: String?
    /// Nil: by how it is written.
    package var sender: Schedule.Sender?
    /// The event, as JSON; nil: the sender's.
    package var input: String?

    package init(text: String, zone: String? = nil, sender: Schedule.Sender? = nil, input: String? = nil) {
        self.text = text
        self.zone = zone
        self.sender = sender
        self.input = input
    }

    /// One time or several.
    static func all(_ value: JSONValue?) -> [ScheduleSetting] {
        (value?.array ?? [value ?? .null]).compactMap { told in
            let text = told.string ?? told["cron"]?.string ?? told["rate"].flatMap(\.string).map { "rate(\($0))" }
            return text.map {
                ScheduleSetting(
                    text: $0, zone: told["timezone"]?.string,
                    sender: told["sender"]?.string.flatMap(Schedule.Sender.init), input: told["input"]?.string)
            }
        }
    }

    /// A project's schedule, in the form of the configuration.
    static func configured(_ said: FunctionSchedule) -> JSONValue {
        var time = JSONObject([("cron", .string(said.text))])
        time["timezone"] = said.zone.map { .string($0) }
        time["sender"] = .string((said.isOfRule ? Schedule.Sender.rule : .scheduler).rawValue)
        time["input"] = said.input.map { .string($0) }
        return .object(time)
    }

    func schedule() throws(Schedule.Fault) -> Schedule {
        var schedule = try Schedule(text, zone: zone, sender: sender)
        schedule.input = input
        return schedule
    }
}
