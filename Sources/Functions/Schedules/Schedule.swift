import Threads

/// When a function is called by the clock.
///
///     every 5m, every 2h, every day, week, month, year      as `defineFunction` has it
///     0 9 ? * 2-6, 0 9 ? * 2-6 2026                          fields of AWS's cron
///     rate(5 minutes), cron(0 9 ? * 2-6 *)                   as rules of EventBridge have it
///
/// All in the time zone that is told beside, UTC where none is.
package struct Schedule: Sendable, Equatable {
    /// Why a text is no schedule.
    package struct Fault: Error, Equatable {
        package let message: String
    }

    /// Who calls by it: what the function is told differs.
    package enum Sender: String, Sendable, CaseIterable {
        /// A rule of EventBridge.
        case rule
        /// EventBridge's scheduler.
        case scheduler
    }

    package let text: String
    let sender: Sender
    /// What the function is told, as JSON; nil: the sender's event.
    package var input: String?
    private let fields: CronFields
    let zone: TimeZoneRules

    /// How far it is looked ahead: a day in February comes once in eight years around 2100.
    private static let daysMax = 366 * 9

    /// - Parameters:
    ///   - zone: the name of a time zone; nil: UTC.
    ///   - sender: nil: a rule, where it is written as rules have it, and otherwise the scheduler.
    package init(_ text: String, zone: String? = nil, sender: Sender? = nil) throws(Fault) {
        self.text = text
        self.sender = sender ?? (Self.inner(of: text) == nil ? .scheduler : .rule)
        guard let fields = Self.fields(of: text) else {
            throw Fault(
                message:
                    "\"\(text)\" is no schedule: expected \"every 5m\", \"every 2h\", \"every day\", \"every week\", "
                    + "\"every month\", \"every year\" or five or six fields of cron such as \"0 9 ? * 2-6\"")
        }
        self.fields = fields
        guard let zone = TimeZoneRules(named: zone ?? "UTC") else {
            throw Fault(message: "there is no time zone \(zone ?? "")")
        }
        self.zone = zone
    }

    private static func fields(of text: String) -> CronFields? {
        var text = text
        if let (name, inner) = inner(of: text) {
            if name == "rate" { return rate(inner.split(separator: " ").map(String.init)) }
            text = inner
        }
        let words = text.split(separator: " ").map(String.init)
        guard words.first == "every", words.count == 2 else { return CronFields(words) }
        switch words[1] {
        case "day": return CronFields(["0", "0", "*", "*", "?"])
        case "week": return CronFields(["0", "0", "?", "*", "1"])
        case "month": return CronFields(["0", "0", "1", "*", "?"])
        case "year": return CronFields(["0", "0", "1", "1", "?"])
        case let word where word.hasSuffix("m"): return every(word.dropLast(), "minute")
        case let word where word.hasSuffix("h"): return every(word.dropLast(), "hour")
        default: return nil
        }
    }

    /// What stands in the brackets of `rate(5 minutes)`, and before them; nil: it is not written so.
    private static func inner(of text: String) -> (name: String, inner: String)? {
        for name in ["cron", "rate"] where text.hasPrefix(name + "(") && text.hasSuffix(")") {
            return (name, String(text.dropFirst(name.count + 1).dropLast()))
        }
        return nil
    }

    private static func rate(_ words: [String]) -> CronFields? {
        guard words.count == 2 else { return nil }
        let unit = words[1].hasSuffix("s") ? words[1].dropLast() : words[1][...]
        return every(words[0][...], String(unit))
    }

    /// Every so many minutes of the hour, hours of the day, days of the month.
    private static func every(_ number: Substring, _ unit: String) -> CronFields? {
        guard let number = Int(number), number > 0 else { return nil }
        switch unit {
        case "minute": return number < 60 ? CronFields(["*/\(number)", "*", "*", "*", "?"]) : whole(number, 60, "hour")
        case "hour": return number < 24 ? CronFields(["0", "*/\(number)", "*", "*", "?"]) : whole(number, 24, "day")
        case "day": return number <= 31 ? CronFields(["0", "0", "*/\(number)", "*", "?"]) : nil
        default: return nil
        }
    }

    private static func whole(_ number: Int, _ size: Int, _ unit: String) -> CronFields? {
        number % size == 0 ? every("\(number / size)", unit) : nil
    }

    /// The next time behind a moment, in seconds since 1970; nil: there is none.
    package func next(after seconds: Int64) -> Int64? {
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
}
