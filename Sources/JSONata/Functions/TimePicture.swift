import JSON
import Script

/// A picture of a time, `[Y0001]-[M01]-[D01]`, as XPath's `format-dateTime` has it.
struct TimePicture {
    enum Part {
        case literal(String)
        case marker(Marker)
    }

    struct Marker {
        let component: UInt8
        var format: String
        var isTimeless = false
        var widthMin: Int?
        var widthMax: Int?
        /// Names of months and days, and in which letters.
        var names: IntegerPicture.Case?
        var integer: IntegerPicture?
        /// How many digits of a year are shown; nil: all.
        var yearDigits: Int?
    }

    private(set) var parts: [Part] = []

    static let iso: TimePicture? = try? TimePicture("[Y0001]-[M01]-[D01]T[H01]:[m01]:[s01].[f001][Z01:01t]")

    private static let defaults: [UInt8: String] = [
        UInt8(ascii: "Y"): "1", UInt8(ascii: "M"): "1", UInt8(ascii: "D"): "1", UInt8(ascii: "d"): "1",
        UInt8(ascii: "F"): "n", UInt8(ascii: "W"): "1", UInt8(ascii: "w"): "1", UInt8(ascii: "X"): "1",
        UInt8(ascii: "x"): "1", UInt8(ascii: "H"): "1", UInt8(ascii: "h"): "1", UInt8(ascii: "P"): "n",
        UInt8(ascii: "m"): "01", UInt8(ascii: "s"): "01", UInt8(ascii: "f"): "1", UInt8(ascii: "Z"): "01:01",
        UInt8(ascii: "z"): "01:01", UInt8(ascii: "C"): "n", UInt8(ascii: "E"): "n",
    ]

    init(_ picture: String) throws(JSONataError) {
        let bytes = Array(picture.utf8)
        var literal: [UInt8] = []
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            let next = place + 1 < bytes.count ? bytes[place + 1] : nil
            if byte == UInt8(ascii: "["), next == UInt8(ascii: "[") {
                literal.append(byte)
                place += 2
            } else if byte == UInt8(ascii: "[") {
                guard let end = bytes[place...].firstIndex(of: UInt8(ascii: "]")) else { throw JSONataError("D3135") }
                if !literal.isEmpty { parts.append(.literal(String(decoding: literal, as: UTF8.self))) }
                literal = []
                let text = bytes[(place + 1)..<end].filter { $0 != 32 && !(9...13).contains($0) }
                try add(Self.marker(text))
                place = end + 1
            } else if byte == UInt8(ascii: "]"), next == UInt8(ascii: "]") {
                literal.append(byte)
                place += 2
            } else {
                literal.append(byte)
                place += 1
            }
        }
        if !literal.isEmpty { parts.append(.literal(String(decoding: literal, as: UTF8.self))) }
    }

    private mutating func add(_ marker: Marker) throws(JSONataError) {
        if marker.integer != nil, marker.component != UInt8(ascii: "Z"), marker.component != UInt8(ascii: "z"),
            case .marker(var last)? = parts.last, var integer = last.integer
        {
            // Without a sign between them, only their digits tell numbers from each other.
            integer.readWidth = integer.mandatoryDigits
            last.integer = integer
            parts[parts.count - 1] = .marker(last)
        }
        parts.append(.marker(marker))
    }

    private static func marker(_ bytes: [UInt8]) throws(JSONataError) -> Marker {
        let component = bytes.first ?? 0
        var modifier = Array(bytes.dropFirst())
        var marker = Marker(component: component, format: "")
        if let comma = modifier.lastIndex(of: UInt8(ascii: ",")) {
            let widths = String(decoding: modifier[(comma + 1)...], as: UTF8.self).parts(separatedBy: "-")
            marker.widthMin = widths.first.flatMap(width)
            marker.widthMax = widths.count > 1 ? width(widths[1]) : nil
            modifier = Array(modifier[..<comma])
        }
        var second: UInt8?
        if modifier.count > 1, let last = modifier.last, "atco".utf8.contains(last) {
            second = last
            modifier.removeLast()
        }
        guard let format = modifier.isEmpty ? defaults[component] : String(decoding: modifier, as: UTF8.self) else {
            throw JSONataError(
                "D3132", value: JSONataWriter.summary(of: .string(String(decoding: bytes.prefix(1), as: UTF8.self))))
        }
        marker.format = format
        marker.isTimeless = second == UInt8(ascii: "t")
        if format.hasPrefix("n") {
            marker.names = .lower
        } else if format.hasPrefix("N") {
            marker.names = format.hasPrefix("Nn") ? .title : .upper
        } else if "YMDdFWwXxHhmsf".utf8.contains(component) {
            var text = format
            if let second { text += ";" + String(decoding: [second], as: UTF8.self) }
            var integer = try IntegerPicture(text)
            if let least = marker.widthMin, integer.mandatoryDigits < least { integer.mandatoryDigits = least }
            if component == UInt8(ascii: "Y") {
                if let most = marker.widthMax {
                    marker.yearDigits = most
                    integer.mandatoryDigits = most
                } else if integer.mandatoryDigits + integer.optionalDigits >= 2 {
                    marker.yearDigits = integer.mandatoryDigits + integer.optionalDigits
                }
            }
            marker.integer = integer
        }
        if component == UInt8(ascii: "Z") || component == UInt8(ascii: "z") {
            marker.integer = try IntegerPicture(format)
        }
        return marker
    }

    private static let widthMax = 100

    private static func width(_ text: String) -> Int? {
        text == "*" ? nil : text.plainNumber.map { min(Int($0), widthMax) }
    }

    static func unknown(_ marker: Marker) -> JSONataError {
        JSONataError(
            "D3133",
            value: JSONataWriter.summary(of: .string(String(decoding: [marker.component], as: UTF8.self))))
    }

    // MARK: Writing

    static let days = ["", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    func text(of milliseconds: Double, zone: String?) throws(JSONataError) -> String {
        var offset = 0
        if let zone {
            let number = NumberReading.parseInt(Array(zone.utf16), radix: 10)
            offset = Int(exactly: number).map { min(max($0, -9_999), 9_999) } ?? 0
        }
        let hours = Int((Double(offset) / 100).rounded(.down))
        let minutes = offset % 100
        let shifted = milliseconds + Double((60 * hours + minutes) * 60_000)
        guard shifted.isFinite, shifted.magnitude <= DateMath.maxTime else {
            throw JSONataError("D3150", token: "fromMillis", value: "it is no time")
        }
        let time = TimeFields(shifted)
        var made = ""
        for part in parts {
            switch part {
            case .literal(let text): made += text
            case .marker(let marker): made += try Self.text(of: marker, time, hours, minutes)
            }
        }
        return made
    }

    private static func text(
        of marker: Marker, _ time: TimeFields, _ hours: Int, _ minutes: Int
    ) throws(JSONataError) -> String {
        switch marker.component {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"): return try zone(marker, hours, minutes)
        case UInt8(ascii: "P"):
            let half = time.fields.hour >= 12 ? "pm" : "am"
            return marker.names == .upper ? half.uppercased() : half
        case UInt8(ascii: "C"), UInt8(ascii: "E"): return "ISO"
        default: break
        }
        guard var number = time.value(of: marker.component) else { throw unknown(marker) }
        if let digits = marker.yearDigits {
            number = MathFunctions.remainder(number, MathFunctions.pow(10, Double(digits)))
        }
        guard let names = marker.names else { return try marker.integer?.text(of: number) ?? "" }
        let place = Int(exactly: number) ?? 0
        var name: String
        switch marker.component {
        case UInt8(ascii: "M"), UInt8(ascii: "x"): name = months.indices.contains(place - 1) ? months[place - 1] : ""
        case UInt8(ascii: "F"): name = days.indices.contains(place) ? days[place] : ""
        default: throw unknown(marker)
        }
        if names == .upper { name = name.uppercased() }
        if names == .lower { name = name.lowercased() }
        return marker.widthMax.map { String(name.prefix($0)) } ?? name
    }

    private static func zone(_ marker: Marker, _ hours: Int, _ minutes: Int) throws(JSONataError) -> String {
        guard let picture = marker.integer else { return "" }
        let offset = hours * 100 + minutes
        var made: String
        if picture.regularGroup > 0 {
            made = try picture.text(of: Double(offset))
        } else {
            switch picture.mandatoryDigits {
            case 1, 2:
                made = try picture.text(of: Double(hours))
                if minutes != 0 { made += ":" + (try IntegerPicture("00").text(of: Double(minutes))) }
            case 3, 4: made = try picture.text(of: Double(offset))
            default: throw JSONataError("D3134", value: "\(picture.mandatoryDigits)")
            }
        }
        if offset >= 0 { made = "+" + made }
        if marker.component == UInt8(ascii: "z") { made = "GMT" + made }
        return offset == 0 && marker.isTimeless ? "Z" : made
    }
}

/// The fields of a time as pictures ask for them.
struct TimeFields {
    let milliseconds: Double
    let fields: DateMath.Fields

    init(_ milliseconds: Double) {
        self.milliseconds = milliseconds
        fields = DateMath.fields(milliseconds)
    }

    private static func day(_ year: Int, _ month: Int, _ day: Int) -> Double {
        DateMath.makeDay(Double(year), Double(month), Double(day))
    }

    /// The day on which the first week of a month or, from January, of a year begins: that with its first Thursday.
    private static func firstWeek(_ year: Int, _ month: Int) -> Double {
        let first = day(year, month, 1)
        var weekday = DateMath.fields(first * DateMath.millisecondsPerDay).weekday
        if weekday == 0 { weekday = 7 }
        return weekday > 4 ? first + Double(8 - weekday) : first - Double(weekday - 1)
    }

    private static func next(_ year: Int, _ month: Int) -> (Int, Int) {
        month == 11 ? (year + 1, 0) : (year, month + 1)
    }
    private static func previous(_ year: Int, _ month: Int) -> (Int, Int) {
        month == 0 ? (year - 1, 11) : (year, month - 1)
    }

    private func week(_ start: Double, _ next: Double, _ previous: Double, most: Double) -> Double {
        let today = Self.day(fields.year, fields.month, fields.day)
        var week = (today - start) / 7 + 1
        if week > most {
            if today >= next { week = 1 }
        } else if week < 1 {
            week = (today - previous) / 7 + 1
        }
        return week.rounded(.down)
    }

    /// Nil: there is no such component, or it is no number.
    func value(of component: UInt8) -> Double? {
        let (year, month) = (fields.year, fields.month)
        let today = milliseconds / DateMath.millisecondsPerDay
        switch component {
        case UInt8(ascii: "Y"): return Double(year)
        case UInt8(ascii: "M"): return Double(month + 1)
        case UInt8(ascii: "D"): return Double(fields.day)
        case UInt8(ascii: "d"): return Self.day(year, month, fields.day) - Self.day(year, 0, 1) + 1
        case UInt8(ascii: "F"): return Double(fields.weekday == 0 ? 7 : fields.weekday)
        case UInt8(ascii: "W"):
            return week(
                Self.firstWeek(year, 0), Self.firstWeek(year + 1, 0), Self.firstWeek(year - 1, 0), most: 52)
        case UInt8(ascii: "w"):
            let (next, before) = (Self.next(year, month), Self.previous(year, month))
            return week(
                Self.firstWeek(year, month), Self.firstWeek(next.0, next.1), Self.firstWeek(before.0, before.1),
                most: 4)
        case UInt8(ascii: "X"):
            if today < Self.firstWeek(year, 0) { return Double(year - 1) }
            return today >= Self.firstWeek(year + 1, 0) ? Double(year + 1) : Double(year)
        case UInt8(ascii: "x"):
            let next = Self.next(year, month)
            if today < Self.firstWeek(year, month) { return Double(Self.previous(year, month).1 + 1) }
            return today >= Self.firstWeek(next.0, next.1) ? Double(next.1 + 1) : Double(month + 1)
        case UInt8(ascii: "H"): return Double(fields.hour)
        case UInt8(ascii: "h"): return Double(fields.hour % 12 == 0 ? 12 : fields.hour % 12)
        case UInt8(ascii: "P"): return fields.hour >= 12 ? 1 : 0
        case UInt8(ascii: "m"): return Double(fields.minute)
        case UInt8(ascii: "s"): return Double(fields.second)
        case UInt8(ascii: "f"): return Double(fields.millisecond)
        default: return nil
        }
    }
}
