import Threads

/// The times of a schedule by the fields of AWS's cron: minute, hour, day of the month, month, day of the week (1 is Sunday), year.
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
    /// Nil: every one.
    let years: Set<Int>?

    private static let firstYear = 1970
    private static let lastYear = 2199

    /// Nil: the texts are no fields of cron.
    init?(_ texts: [String]) {
        guard texts.count == 5 || texts.count == 6 else { return nil }
        func set(_ index: Int, _ range: ClosedRange<Int>) -> Set<Int>? { Self.values(texts[index], range) }
        guard let minutes = set(0, 0...59), let hours = set(1, 0...23), let months = set(3, 1...12) else { return nil }
        // One of the two says nothing, or nobody knows which days are meant.
        let isAny = [texts[2], texts[4]].map { $0 == "?" }
        guard isAny != [true, true], isAny.contains(true) || texts[2] == "*" || texts[4] == "*" else { return nil }
        if isAny[0] {
            days = nil
        } else {
            guard let values = set(2, 1...31) else { return nil }
            days = texts[2] == "*" ? nil : Values(values)
        }
        if isAny[1] {
            weekdays = nil
        } else {
            guard let values = set(4, 1...7) else { return nil }
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

    private static func values(_ text: String, _ range: ClosedRange<Int>) -> Set<Int>? {
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
            } else if bounds.count == 2, let low = Int(bounds[0]), let high = Int(bounds[1]), low <= high {
                span = low...high
            } else if bounds.count == 1, let value = Int(first) {
                span = steps.count == 2 ? min(value, range.upperBound)...range.upperBound : value...value
                guard range.contains(value) else { return nil }
            } else {
                return nil
            }
            guard range.contains(span.lowerBound), range.contains(span.upperBound) else { return nil }
            values.formUnion(stride(from: span.lowerBound, through: span.upperBound, by: step))
        }
        return values.isEmpty ? nil : values
    }

    /// Whether it is for a day.
    func admits(_ day: CivilDay) -> Bool {
        months.contains(day.month) && days.map { $0.contains(day.day) } ?? true
            && weekdays.map { $0.contains(day.weekday) } ?? true && years.map { $0.contains(day.year) } ?? true
    }

    /// The minutes of a day, in their order.
    var minutesOfDay: [Int] {
        (0..<24).filter(hours.contains).flatMap { hour in (0..<60).filter(minutes.contains).map { hour * 60 + $0 } }
    }
}
