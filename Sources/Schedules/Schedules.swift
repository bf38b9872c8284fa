// Schedules: times as AWS and Amplify write them, and the clock that calls at them. This is the room's front page.
//
//     text ─▶ Schedule ─▶ next time        ScheduledCall (name, schedule, creation) ─▶ ScheduleClock ─▶ due, at this time
//
// - `Schedule` reads `every 5m`, `rate(90 minutes)` and the fields of a cron (`CronFields`), and makes the event of its sender.
// - `ScheduleClock` has one timer for the next of all calls, whatever they call: functions and state machines go by the same one.
//
// What must stay true: a rate is counted evenly from its creation, which a caller keeps over restarts; a time that has passed is called
// once, however many were missed.

/// Something that is called by the clock.
package struct ScheduledCall: Sendable, Equatable {
    /// The target: two calls of one target with the same schedule are the same call.
    package let target: Target
    /// The name of the rule or schedule, for its event.
    package let name: String
    package let schedule: Schedule
    /// The moment from which a rate is counted, in seconds since 1970.
    package let creation: Int64

    package enum Target: Sendable, Equatable {
        case function(String)
        case stateMachine(String)
        /// A rule of events, with its targets.
        case rule(String)
    }

    package init(_ target: Target, named name: String, _ schedule: Schedule, createdAt creation: Int64) {
        (self.target, self.name, self.schedule, self.creation) = (target, name, schedule, creation)
    }

    package func next(after seconds: Int64) -> Int64? { schedule.next(after: seconds, createdAt: creation) }
}
