import Blueprint
import Script

/// A schedule as the CDK's parts say it, `Schedule.rate(Duration.minutes(5))`, in the words of AWS: `rate(5 minutes)`. The scheduler's
/// are called `ScheduleExpression`, and may have a time zone.
struct CDKSchedule {
    let text: String
    private(set) var zone: String?

    private static let units = ["minutes", "hours", "days"]
    private static let fields = ["minute", "hour", "day", "month", "weekDay", "year"]

    init?(_ made: OpaqueObject) {
        guard case .call(let given) = made.making, let first = given.first else { return nil }
        func isMade(by method: String) -> Bool {
            ["Schedule", "ScheduleExpression"].contains { made.origin.hasSuffix("\($0).\(method)()") }
        }
        if isMade(by: "expression"), case .text(let text) = first {
            self.text = text.string
            if given.count > 1 { zone = CDKTimeZone.name(of: given[1]) }
        } else if isMade(by: "rate"), case .object(let object) = first,
            let duration = object as? OpaqueObject, case .call(let amounts) = duration.making,
            case .number(let amount)? = amounts.first, let whole = Int(exactly: amount), whole > 0,
            let unit = Self.units.first(where: { duration.origin.hasSuffix("Duration.\($0)()") })
        {
            text = "rate(\(whole) \(whole == 1 ? String(unit.dropLast()) : unit))"
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
