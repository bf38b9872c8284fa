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

    /// A schedule of a project.
    init(_ said: FunctionSchedule) {
        self.init(
            text: said.text, zone: said.zone, sender: said.isOfRule ? .rule : .scheduler, input: said.input)
    }

    /// The member `schedule`: one time or several.
    static func member<Setting: SettingObject>(
        _ field: any WritableKeyPath<Setting, [ScheduleSetting]> & Sendable
    ) -> SettingMember<Setting> {
        SettingMember("schedule") { value, setting in
            setting[keyPath: field] = all(value)
        } shown: { setting in
            let times = setting[keyPath: field]
            return times.isEmpty ? nil : .array(times.map(\.configured))
        }
    }

    private var configured: JSONValue {
        var time = JSONObject([("cron", .string(text))])
        time["timezone"] = zone.map { .string($0) }
        time["sender"] = sender.map { .string($0.rawValue) }
        time["input"] = input.map { .string($0) }
        return .object(time)
    }

    func schedule() throws(Schedule.Fault) -> Schedule {
        var schedule = try Schedule(text, zone: zone, sender: sender)
        schedule.input = input
        return schedule
    }
}
