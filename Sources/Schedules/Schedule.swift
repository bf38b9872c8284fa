import JSON
import Threads

/// When something is called by the clock.
///
///     every 5m, every 2h, every day, week, month, year      as `defineFunction` has it
///     0 9 ? * 2-6, 0 9 ? * 2-6 2026                          fields of AWS's cron
///     rate(90 minutes), cron(0 9 ? * 2-6 *)                  as rules of EventBridge have it
///
/// A rate is counted evenly from the creation of the schedule, over midnight, restarts and changes of the clock. `every 5m` and
/// `every 2h` are fields of a cron, as `defineFunction` makes them: minutes of the hour, hours of the day. Where those fields have no
/// such step (`every 90m`, `every 36h`), it is a rate. Fields count in the schedule's time zone. Default: UTC.
package struct Schedule: Sendable, Equatable {
    /// Why a text is no schedule.
    package struct Fault: Error, Equatable {
        package let message: String
    }

    /// The service that calls: the events of the two differ.
    package enum Sender: String, Sendable, CaseIterable {
        /// A rule of EventBridge.
        case rule
        /// EventBridge's scheduler.
        case scheduler
    }

    private enum Times: Sendable, Equatable {
        case fields(CronFields)
        /// Evenly, with so many seconds between.
        case rate(seconds: Int64)
    }

    package let text: String
    let sender: Sender
    /// The event, as JSON; nil: the sender's.
    package var input: String?
    private let times: Times
    let zone: TimeZoneRules

    /// How far it is looked ahead: a day in February comes once in eight years around 2100.
    private static let daysMax = 366 * 9
    /// A longer rate would never be due.
    private static let rateSecondsMax: Int64 = 100 * 366 * 86_400

    /// - Parameters:
    ///   - zone: the name of a time zone; nil: UTC.
    ///   - sender: nil: a rule, where it is written as rules have it, and otherwise the scheduler.
    package init(_ text: String, zone: String? = nil, sender: Sender? = nil) throws(Fault) {
        self.text = text
        self.sender = sender ?? (Self.inner(of: text) == nil ? .scheduler : .rule)
        times = try Self.times(of: text)
        guard let zone = TimeZoneRules(named: zone ?? "UTC") else {
            throw Fault(message: "there is no time zone \(zone ?? "")")
        }
        self.zone = zone
    }

    /// True if its times depend on when it was created.
    package var isCountedFromCreation: Bool { if case .rate = times { true } else { false } }

    private static func times(of text: String) throws(Fault) -> Times {
        var rest = text
        if let (name, inner) = inner(of: text) {
            if name == "rate" { return try rate(inner, text) }
            rest = inner
        }
        let words = rest.words
        if words.first == "every", words.count == 2 { return try every(words[1], text) }
        guard let fields = CronFields(words) else {
            throw Fault(
                message:
                    "\"\(text)\" is no schedule: expected \"every 5m\", \"every 2h\", \"every day\", \"every week\", "
                    + "\"every month\", \"every year\", \"rate(90 minutes)\" or five or six fields of cron such as \"0 9 ? * 2-6\""
            )
        }
        return .fields(fields)
    }

    /// The text within the brackets of `rate(5 minutes)`, and the name before them; nil: it is not written so.
    private static func inner(of text: String) -> (name: String, inner: String)? {
        for name in ["cron", "rate"] where text.hasPrefix(name + "(") && text.hasSuffix(")") {
            return (name, String(text.dropFirst(name.count + 1).dropLast()))
        }
        return nil
    }

    private static func every(_ word: String, _ text: String) throws(Fault) -> Times {
        func fields(_ texts: [String]) throws(Fault) -> Times {
            guard let fields = CronFields(texts) else { throw fault(text, "its number is no whole number above 0") }
            return .fields(fields)
        }
        switch word {
        case "day": return try fields(["0", "0", "*", "*", "?"])
        case "week": return try fields(["0", "0", "?", "*", "1"])
        case "month": return try fields(["0", "0", "1", "*", "?"])
        case "year": return try fields(["0", "0", "1", "1", "?"])
        default:
            guard word.hasSuffix("m") || word.hasSuffix("h") else {
                throw fault(text, "expected a number with m or h, day, week, month or year")
            }
            let number = String(word.dropLast())
            guard let count = number.plainNumber, count > 0 else {
                throw fault(text, "its number is no whole number above 0")
            }
            let isMinutes = word.hasSuffix("m")
            if count < (isMinutes ? 60 : 24) {
                return try fields(isMinutes ? ["*/\(count)", "*", "*", "*", "?"] : ["0", "*/\(count)", "*", "*", "?"])
            }
            return try rate(count, isMinutes ? 60 : 3_600, text)
        }
    }

    /// A positive number of minutes, hours or days.
    private static func rate(_ inner: String, _ text: String) throws(Fault) -> Times {
        let words = inner.words
        guard words.count == 2, let count = words[0].plainNumber, count > 0 else {
            throw fault(text, "expected a whole number above 0 and a unit, such as rate(90 minutes)")
        }
        switch words[1] {
        case "minute", "minutes": return try rate(count, 60, text)
        case "hour", "hours": return try rate(count, 3_600, text)
        case "day", "days": return try rate(count, 86_400, text)
        default: throw fault(text, "its unit is none of minutes, hours and days")
        }
    }

    private static func rate(_ count: Int64, _ unit: Int64, _ text: String) throws(Fault) -> Times {
        let (seconds, isTooMuch) = count.multipliedReportingOverflow(by: unit)
        guard !isTooMuch, seconds <= rateSecondsMax else { throw fault(text, "it is longer than a hundred years") }
        return .rate(seconds: seconds)
    }

    private static func fault(_ text: String, _ reason: String) -> Fault {
        Fault(message: "\"\(text)\" is no schedule: \(reason)")
    }

    /// The next time behind a moment, in seconds since 1970; nil: there is none.
    ///
    /// - Parameter creation: the moment from which a rate is counted.
    package func next(after seconds: Int64, createdAt creation: Int64) -> Int64? {
        guard case .fields(let fields) = times else { return nextOfRate(after: seconds, creation) }
        let local = seconds + Int64(zone.offset(at: seconds))
        let today = Int((local >= 0 ? local : local - 86_399) / 86_400)
        let minutes = fields.minutesOfDay
        for number in today..<(today + Self.daysMax) where fields.admits(CivilDay(number)) {
            for minute in minutes {
                let wanted = Int64(number) * 86_400 + Int64(minute) * 60
                // A time that the clock leaves out in spring is left out.
                guard let moment = zone.moment(ofLocal: wanted), moment > seconds else { continue }
                return moment
            }
        }
        return nil
    }

    /// Before the creation, where a clock was set back, the same steps are counted backwards.
    private func nextOfRate(after seconds: Int64, _ creation: Int64) -> Int64? {
        guard case .rate(let step) = times else { return nil }
        let passed = seconds - creation
        let done = passed >= 0 ? passed / step : -((-passed + step - 1) / step)
        return creation + (done + 1) * step
    }
}
