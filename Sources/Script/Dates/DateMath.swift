/// The arithmetic of time values (ECMAScript 2023, 21.4.1): milliseconds since 1970 in UTC as a double, NaN for no time.
package enum DateMath {
    package static let millisecondsPerDay = 86_400_000.0
    /// The last time that a date can be, in both directions.
    package static let maxTime = 8.64e15

    /// A time value as a calendar shows it.
    package struct Fields: Equatable, Sendable {
        package var year: Int
        /// 0 is January.
        package var month: Int
        /// 1 is the first.
        package var day: Int
        package var hour: Int
        package var minute: Int
        package var second: Int
        package var millisecond: Int
        /// 0 is Sunday.
        package var weekday: Int
    }

    package static func day(_ time: Double) -> Double {
        (time / millisecondsPerDay).rounded(.down)
    }

    package static func timeWithinDay(_ time: Double) -> Double {
        time - day(time) * millisecondsPerDay
    }

    package static func makeTime(_ hour: Double, _ minute: Double, _ second: Double, _ millisecond: Double) -> Double {
        guard hour.isFinite, minute.isFinite, second.isFinite, millisecond.isFinite else { return .nan }
        let hour = NumberConversion.integerOrInfinity(hour)
        let minute = NumberConversion.integerOrInfinity(minute)
        let second = NumberConversion.integerOrInfinity(second)
        let millisecond = NumberConversion.integerOrInfinity(millisecond)
        return ((hour * 3_600_000 + minute * 60_000) + second * 1000) + millisecond
    }

    package static func makeDay(_ year: Double, _ month: Double, _ date: Double) -> Double {
        guard year.isFinite, month.isFinite, date.isFinite else { return .nan }
        let month = NumberConversion.integerOrInfinity(month)
        let wholeYear = NumberConversion.integerOrInfinity(year) + (month / 12).rounded(.down)
        // Beyond it no day of the year is a time value, whatever the date adds.
        guard wholeYear.magnitude <= 400_000 else { return .nan }
        let monthInYear = month - (month / 12).rounded(.down) * 12
        let first = dayNumber(year: Int(wholeYear), month: Int(monthInYear))
        return Double(first) + NumberConversion.integerOrInfinity(date) - 1
    }

    package static func makeDate(_ day: Double, _ time: Double) -> Double {
        guard day.isFinite, time.isFinite else { return .nan }
        let value = day * millisecondsPerDay + time
        return value.isFinite ? value : .nan
    }

    /// `MakeFullYear`: 0...99 are years of the 20th century.
    package static func makeFullYear(_ year: Double) -> Double {
        guard !year.isNaN else { return .nan }
        let integer = NumberConversion.integerOrInfinity(year)
        return integer >= 0 && integer <= 99 ? 1900 + integer : integer
    }

    package static func timeClip(_ time: Double) -> Double {
        guard time.isFinite, time.magnitude <= maxTime else { return .nan }
        return NumberConversion.integerOrInfinity(time)
    }

    /// The fields of a time value, which must be finite; one beyond `maxTime` by more than a zone's offset is shown as that.
    package static func fields(_ time: Double) -> Fields {
        guard time.isFinite else {
            return Fields(year: 1970, month: 0, day: 1, hour: 0, minute: 0, second: 0, millisecond: 0, weekday: 4)
        }
        let time = min(max(time, -maxTime - millisecondsPerDay), maxTime + millisecondsPerDay)
        let days = Int(day(time))
        let rest = Int(timeWithinDay(time))
        // The algorithm counts from March, so that the leap day is the last of its year, in eras of 400 years.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 2 : monthFromMarch - 10
        let year = yearOfEra + era * 400 + (month <= 1 ? 1 : 0)
        let weekday = (days % 7 + 11) % 7
        return Fields(
            year: year, month: month, day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, hour: rest / 3_600_000,
            minute: rest / 60_000 % 60, second: rest / 1000 % 60, millisecond: rest % 1000, weekday: weekday)
    }

    /// Days from 1970 to the first of a month; the year inside of ±400,000.
    private static func dayNumber(year: Int, month: Int) -> Int {
        let shiftedYear = month <= 1 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let monthFromMarch = month > 1 ? month - 2 : month + 10
        let dayOfYear = (153 * monthFromMarch + 2) / 5
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
