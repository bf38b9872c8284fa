/// A day of the calendar, which goes on in both directions as it is today.
package struct CivilDay: Sendable {
    package let year: Int
    package let month: Int
    package let day: Int
    /// 1 is Sunday.
    package let weekday: Int
    /// Since the first day of 1970.
    package let number: Int

    package init(_ number: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        // The first day of 1970 was a Thursday.
        weekday = ((number % 7 + 7) % 7 + 4) % 7 + 1
        self.number = number
    }

    /// A month from 1 to 12; a day beyond its month is one of the next.
    package init(year: Int, month: Int, day: Int) {
        let marchYear = month > 2 ? year : year - 1
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = ((month + 9) % 12 * 153 + 2) / 5 + day - 1
        self.init(era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468)
    }

    /// 1 is the first of January.
    package var dayOfYear: Int { number - CivilDay(year: year, month: 1, day: 1).number + 1 }

    package static func days(ofMonth month: Int, _ year: Int) -> Int {
        let next = CivilDay(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
        return next.number - CivilDay(year: year, month: month, day: 1).number
    }
}
