import Threads

/// The times of a schedule by the fields of AWS's cron: minute, hour, day of the month, month, day of the week (1 is Sunday), year.
///
/// Months and days of the week may have names (`MON-FRI`). `L` is the last day of a month, `6L` its last Friday, `6#3` its third.
struct CronFields: Sendable, Equatable {
    /// The values that a field admits: a bit for each.
    struct Values: Sendable, Equatable {
        private(set) var bits: UInt64 = 0

        init(_ values: some Sequence<Int>) { for value in values where (0..<64).contains(value) { bits |= 1 << value } }

        func contains(_ value: Int) -> Bool { (0..<64).contains(value) && bits >> value & 1 == 1 }
    }

    let minutes: Values
    let hours: Values
    /// Nil: any, or none of its own, as the day of the week says.
    let days: Values?
    let months: Values
    let weekdays: Values?
    /// The days of the week that come once in a month: `6#3` is the third Friday, `6L` the last.
    private let weekdaysOfMonth: [WeekdayOfMonth]
    /// True if `L` is meant, a month's last day.
    private let isLastDay: Bool
    /// Nil: every one.
    let years: Set<Int>?

    private struct WeekdayOfMonth: Sendable, Equatable {
        let weekday: Int
        /// Nil: the last one.
        let place: Int?

        func isMet(by day: CivilDay) -> Bool {
            guard day.weekday == weekday else { return false }
            guard let place else { return day.day + 7 > CivilDay.days(ofMonth: day.month, day.year) }
            return (day.day - 1) / 7 + 1 == place
        }
    }

    private static let monthNames = [
        "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
    ]
    private static let weekdayNames = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]

    private static let firstYear = 1970
    private static let lastYear = 2199

    /// Nil: the texts are no fields of cron.
    init?(_ texts: [String]) {
        guard texts.count == 5 || texts.count == 6 else { return nil }
        func set(_ index: Int, _ range: ClosedRange<Int>, _ names: [String] = []) -> Set<Int>? {
            Self.values(texts[index], range, names)
        }
        guard let minutes = set(0, 0...59), let hours = set(1, 0...23), let months = set(3, 1...12, Self.monthNames)
        else { return nil }
        // One of the two says nothing, or nobody knows which days are meant.
        let isAny = [texts[2], texts[4]].map { $0 == "?" }
        guard isAny != [true, true], isAny.contains(true) || texts[2] == "*" || texts[4] == "*" else { return nil }
        isLastDay = texts[2].uppercased() == "L"
        if isAny[0] || isLastDay {
            days = nil
        } else {
            guard let values = set(2, 1...31) else { return nil }
            days = texts[2] == "*" ? nil : Values(values)
        }
        weekdaysOfMonth = Self.weekdaysOfMonth(texts[4])
        if isAny[1] || !weekdaysOfMonth.isEmpty {
            weekdays = nil
        } else {
            guard let values = set(4, 1...7, Self.weekdayNames) else { return nil }
            weekdays = texts[4] == "*" ? nil : Values(values)
        }
        if texts.count == 6, texts[5] != "*" {
            guard let values = set(5, Self.firstYear...Self.lastYear) else { return nil }
            years = values
        } else {
            years = nil
        }
        self.minutes = Values(minutes)
        self.hours = Values(hours)
        self.months = Values(months)
    }

    /// `6#3`, `FRI#3`, `6L`, `FRIL`, or several of these; empty: it is something else.
    private static func weekdaysOfMonth(_ text: String) -> [WeekdayOfMonth] {
        var found: [WeekdayOfMonth] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let halves = part.split(separator: "#", omittingEmptySubsequences: false)
            let isLast = halves.count == 1 && part.uppercased().hasSuffix("L") && part.utf8.count > 1
            guard halves.count == 2 || isLast,
                let weekday = number(isLast ? part.dropLast() : halves[0], 1...7, weekdayNames)
            else { return [] }
            if isLast {
                found.append(WeekdayOfMonth(weekday: weekday, place: nil))
            } else if let place = number(halves[1], 1...5, []) {
                found.append(WeekdayOfMonth(weekday: weekday, place: place))
            } else {
                return []
            }
        }
        return found
    }

    /// A number, or one of the names of a field's values in any case.
    private static func number(_ text: Substring, _ range: ClosedRange<Int>, _ names: [String]) -> Int? {
        let name = text.uppercased()
        let named = names.firstIndex(of: name).map { $0 + range.lowerBound }
        return (named ?? Int(text)).flatMap { range.contains($0) ? $0 : nil }
    }

    private static func values(_ text: String, _ range: ClosedRange<Int>, _ names: [String]) -> Set<Int>? {
        var values: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let steps = part.split(separator: "/", omittingEmptySubsequences: false)
            guard steps.count <= 2, let first = steps.first else { return nil }
            var step = 1
            if steps.count == 2 {
                guard let number = Int(steps[1]), range.count >= number, number > 0 else { return nil }
                step = number
            }
            let bounds = first.split(separator: "-", omittingEmptySubsequences: false)
            let span: ClosedRange<Int>
            if first == "*" {
                span = range
            } else if bounds.count == 2, let low = number(bounds[0], range, names),
                let high = number(bounds[1], range, names), low <= high
            {
                span = low...high
            } else if bounds.count == 1, let value = number(first, range, names) {
                span = steps.count == 2 ? value...range.upperBound : value...value
            } else {
                return nil
            }
            values.formUnion(stride(from: span.lowerBound, through: span.upperBound, by: step))
        }
        return values.isEmpty ? nil : values
    }

    /// Tells whether a day is one of it.
    func admits(_ day: CivilDay) -> Bool {
        months.contains(day.month) && days.map { $0.contains(day.day) } ?? true
            && weekdays.map { $0.contains(day.weekday) } ?? true && years.map { $0.contains(day.year) } ?? true
            && (!isLastDay || day.day == CivilDay.days(ofMonth: day.month, day.year))
            && (weekdaysOfMonth.isEmpty || weekdaysOfMonth.contains { $0.isMet(by: day) })
    }

    /// The minutes of a day, in their order.
    var minutesOfDay: [Int] {
        (0..<24).filter(hours.contains).flatMap { hour in (0..<60).filter(minutes.contains).map { hour * 60 + $0 } }
    }
}
