import Blueprint
import Project
import Script

/// A schedule as the CDK's parts say it, `Schedule.rate(Duration.minutes(5))`, in the words of AWS: `rate(5 minutes)`. The scheduler's
/// are called `ScheduleExpression`, and may have a time zone.
struct CDKSchedule {
    let text: String
    private(set) var zone: String?

    private static let units = [("minutes", 60), ("hours", 3_600), ("days", 86_400)].map { (name: $0, seconds: $1) }
    private static let fields = ["minute", "hour", "day", "month", "weekDay", "year"]

    init?(_ made: OpaqueObject) {
        guard case .call(let given) = made.making, let first = given.first else { return nil }
        func isMade(by method: String) -> Bool {
            ["Schedule", "ScheduleExpression"].contains { made.origin.hasSuffix("\($0).\(method)()") }
        }
        if isMade(by: "expression"), case .text(let text) = first {
            self.text = text.string
            if given.count > 1 { zone = CDKTimeZone.name(of: given[1]) }
        } else if isMade(by: "rate"), let seconds = CDKDuration.seconds(first), seconds >= 60,
            let unit = Self.units.last(where: { seconds.isMultiple(of: $0.seconds) })
        {
            let whole = seconds / unit.seconds
            text = "rate(\(whole) \(whole == 1 ? String(unit.name.dropLast()) : unit.name))"
        } else if isMade(by: "cron"), case .object(let options) = first, !options.isOpaque {
            func field(_ name: String) -> String? {
                switch try? options.get(name) {
                case .text(let text): text.string
                case .number(let number): number.programText
                default: nil
                }
            }
            let day = field("day")
            let weekDay = field("weekDay")
            let written = [
                field("minute") ?? "*", field("hour") ?? "*", day ?? (weekDay == nil ? "*" : "?"),
                field("month") ?? "*", weekDay ?? "?", field("year") ?? "*",
            ]
            text = "cron(\(written.joined(separator: " ")))"
            zone = (try? options.get("timeZone")).flatMap(CDKTimeZone.name)
        } else {
            return nil
        }
    }
}
