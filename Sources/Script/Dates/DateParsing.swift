/// `Date.parse`: the form of the language first, then the older forms as V8 reads them.
package enum DateParsing {
    /// The time value of a text; NaN when it is no date.
    package static func time(_ text: UnsafeBufferPointer<UInt16>, in zone: LocalTime) -> Double {
        if let moment = ISODateReader.moment(text) { return moment.time(in: zone) }
        // There is no year -0, in no form.
        if text.starts(with: "-000000".utf16) { return .nan }
        var reader = LegacyDateReader(text)
        return reader.moment()?.time(in: zone) ?? .nan
    }

    package static func time(_ text: [UInt16], in zone: LocalTime) -> Double {
        text.withUnsafeBufferPointer { time($0, in: zone) }
    }

    /// What a text says: a date, a time of the day, and perhaps an offset from UTC.
    struct Moment {
        var year: Int
        /// 1 is January.
        var month = 1
        var day = 1
        var hour = 0
        var minute = 0
        var second = 0
        var millisecond = 0.0
        /// Seconds ahead of UTC; nil for a local time.
        var offset: Int?

        func time(in zone: LocalTime) -> Double {
            let day = DateMath.makeDay(Double(year), Double(month - 1), Double(day))
            let time = DateMath.makeTime(Double(hour), Double(minute), Double(second), millisecond)
            let value = DateMath.makeDate(day, time)
            return DateMath.timeClip(offset.map { value - Double($0) * 1000 } ?? zone.utc(fromLocal: value))
        }
    }
}
