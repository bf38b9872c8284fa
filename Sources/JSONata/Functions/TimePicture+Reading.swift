import JSON
import Script

/// Reads times as a picture shows them.
extension TimePicture {
    /// A time in milliseconds since 1970; nil: the text is none of this picture.
    ///
    /// - Parameter now: what is not written and comes before what is.
    func milliseconds(of text: String, now: Double, _ evaluation: JSONataEvaluation) throws(JSONataError) -> Double? {
        var source = "^"
        var markers: [Marker?] = []
        for part in parts {
            switch part {
            case .literal(let literal):
                source += "(" + Self.quoted(literal) + ")"
                markers.append(nil)
            case .marker(let marker):
                source += "(" + (try Self.pattern(of: marker)) + ")"
                markers.append(marker)
            }
        }
        let pattern: RegularExpression
        do throws(RegularExpressionSyntaxError) {
            pattern = try RegularExpression(pattern: Array((source + "$").utf16), flags: .ignoreCase)
        } catch {
            throw JSONataError("S0303", value: error.message)
        }
        guard let match = try evaluation.firstMatch(of: pattern, in: Array(text.utf16), from: 0) else { return nil }
        var found: [UInt8: Double] = [:]
        for (marker, group) in zip(markers, match.groups) {
            guard let marker, let group else { continue }
            found[marker.component] = try Self.number(of: group, marker)
        }
        return found.isEmpty ? nil : try Self.time(found, now: now)
    }

    private static func quoted(_ literal: String) -> String {
        let special = Set(".*+?^${}()|[]\\/".unicodeScalars)
        var made = String.UnicodeScalarView()
        for scalar in literal.unicodeScalars {
            if special.contains(scalar) { made.append("\\") }
            made.append(scalar)
        }
        return String(made)
    }

    private static func pattern(of marker: Marker) throws(JSONataError) -> String {
        switch marker.component {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"):
            var made = (marker.component == UInt8(ascii: "z") ? "GMT" : "") + "[-+][0-9]+"
            if let integer = marker.integer, integer.regularGroup > 0, let sign = integer.separators.first?.sign {
                made += quoted(String(Character(sign))) + "[0-9]+"
            }
            return made
        case UInt8(ascii: "f"): return "[0-9]+"
        case UInt8(ascii: "M"), UInt8(ascii: "x"), UInt8(ascii: "F"), UInt8(ascii: "P"):
            return try marker.integer?.pattern() ?? "[a-zA-Z]+"
        default:
            guard let integer = marker.integer else { throw unknown(marker) }
            return try integer.pattern()
        }
    }

    private static func number(of text: String, _ marker: Marker) throws(JSONataError) -> Double? {
        func whole(_ text: some StringProtocol) -> Double { NumberReading.parseInt(Array(text.utf16), radix: 10) }
        switch marker.component {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"):
            let text = marker.component == UInt8(ascii: "z") ? String(text.dropFirst(3)) : text
            if let integer = marker.integer, integer.regularGroup > 0, let sign = integer.separators.first?.sign {
                let parts = text.parts(separatedBy: String(Character(sign)))
                return whole(parts[0]) * 60 + (parts.count > 1 ? whole(parts[1]) : 0)
            }
            guard text.utf8.count > 3 else { return whole(text) * 60 }
            return whole(text.prefix(3)) * 60 + whole(text.dropFirst(3))
        case UInt8(ascii: "f"): return (Double("0." + text.prefix(3)) ?? 0) * 1_000
        default: break
        }
        if let integer = marker.integer { return try integer.number(of: text) }
        func place(_ names: [String]) -> Double? {
            names.firstIndex { name in
                let shown = marker.widthMax.map { String(name.prefix($0)) } ?? name
                return !name.isEmpty && shown == text
            }.map { Double($0) }
        }
        switch marker.component {
        case UInt8(ascii: "M"), UInt8(ascii: "x"): return place(months).map { $0 + 1 }
        case UInt8(ascii: "F"): return place(days)
        default: return ["am": 0, "AM": 0, "pm": 1, "PM": 1][text]
        }
    }

    private static func time(_ found: [UInt8: Double], now: Double) throws(JSONataError) -> Double {
        var found = found
        func mask(_ names: String) -> Int {
            names.utf8.reduce(0) { $0 << 1 | ((found[$1] ?? 0) != 0 && found[$1]?.isNaN == false ? 1 : 0) }
        }
        func isType(_ type: Int, _ mask: Int) -> Bool { ~type & mask == 0 && type & mask != 0 }
        let dates = mask("YXMxWwdD")
        let isOrdinal = !isType(161, dates) && isType(130, dates)
        let isOfMonthWeeks = isType(84, dates)
        let isOfYearWeeks = !isOfMonthWeeks && isType(72, dates)
        let times = mask("PHhmsf")
        let isOfHalfDay = !isType(23, times) && isType(47, times)
        let components =
            (isOrdinal ? "YD" : isOfMonthWeeks ? "XxwF" : isOfYearWeeks ? "XWF" : "YMD")
            + (isOfHalfDay ? "Phmsf" : "Hmsf")
        let current = TimeFields(now)
        var hasBegun = false
        var hasEnded = false
        for component in components.utf8 {
            if found[component] != nil {
                hasBegun = true
                guard !hasEnded else { throw JSONataError("D3136") }
            } else if hasBegun {
                found[component] = "MDd".utf8.contains(component) ? 1 : 0
                hasEnded = true
            } else {
                found[component] = current.value(of: component) ?? 0
            }
        }
        guard !isOfMonthWeeks, !isOfYearWeeks else { throw JSONataError("D3136") }
        func value(_ name: Unicode.Scalar) -> Double { found[UInt8(ascii: name)] ?? 0 }
        var month = value("M") > 0 ? value("M") - 1 : 0
        var day = value("D")
        if isOrdinal { (month, day) = (0, value("d")) }
        var hour = value("H")
        if isOfHalfDay {
            hour = value("h") == 12 ? 0 : value("h")
            if value("P") == 1 { hour += 12 }
        }
        let start = DateMath.makeDay(DateMath.makeFullYear(value("Y")), month, day)
        let time = DateMath.makeDate(start, DateMath.makeTime(hour, value("m"), value("s"), value("f")))
        let zone = value("Z") != 0 ? value("Z") : value("z")
        return DateMath.timeClip(time - zone * 60_000)
    }
}

/// `$toMillis`, `$fromMillis`, `$formatInteger` and `$parseInteger`.
enum JSONataTimes {
    static let all: [(ByteText, JSONataFunction)] = [
        (
            "formatInteger",
            JSONataFunction("<n-s:s>", 2) { evaluation, call throws(JSONataError) in
                guard let number = try call.number(0) else { return .missing }
                let picture = try call.text(1) ?? ""
                try evaluation.spend(picture.utf8.count &* 8)
                return try evaluation.made(try IntegerPicture(picture).text(of: number.rounded(.down)))
            }
        ),
        (
            "parseInteger",
            JSONataFunction("<s-s:n>", 2) { evaluation, call throws(JSONataError) in
                guard let text = try call.text(0) else { return .missing }
                try evaluation.spend(text.utf8.count &* 8)
                return .number(try IntegerPicture(try call.text(1) ?? "").number(of: text))
            }
        ),
        (
            "toMillis",
            JSONataFunction("<s-s?:n>", 2) { evaluation, call throws(JSONataError) in
                guard let text = try call.text(0) else { return .missing }
                guard let picture = try call.text(1) else { return .number(try milliseconds(of: text)) }
                try evaluation.spend(picture.utf8.count &* 8)
                let now = evaluation.surroundings.milliseconds
                return try TimePicture(picture).milliseconds(of: text, now: now, evaluation).map { .number($0) }
                    ?? .missing
            }
        ),
        (
            "fromMillis",
            JSONataFunction("<n-s?s?:s>", 3) { evaluation, call throws(JSONataError) in
                guard let number = try call.number(0) else { return .missing }
                return try text(evaluation, number, try call.text(1), try call.text(2))
            }
        ),
    ]

    static func text(
        _ evaluation: JSONataEvaluation, _ milliseconds: Double, _ picture: String?, _ zone: String?
    ) throws(JSONataError) -> Value {
        try evaluation.spend((picture?.utf8.count ?? 8) &* 8)
        let read = try picture.map { picture throws(JSONataError) in try TimePicture(picture) }
        guard let format = read ?? TimePicture.iso else { return .missing }
        return try evaluation.made(try format.text(of: milliseconds, zone: zone))
    }

    /// A time in the form of ISO 8601, or a part of one.
    private static func milliseconds(of text: String) throws(JSONataError) -> Double {
        let error = JSONataError("D3110", value: JSONataWriter.summary(of: .string(text)))
        let bytes = Array(text.utf8)
        var place = 0
        func digits(_ count: Int) -> Double? {
            guard place + count <= bytes.count, bytes[place..<(place + count)].allSatisfy({ (48...57).contains($0) })
            else { return nil }
            defer { place += count }
            return bytes[place..<(place + count)].reduce(0) { $0 * 10 + Double($1 - 48) }
        }
        func skip(_ sign: Unicode.Scalar) -> Bool {
            guard place < bytes.count, bytes[place] == UInt8(ascii: sign) else { return false }
            place += 1
            return true
        }
        guard bytes.count <= 64, let year = digits(4) else { throw error }
        var (month, day, hour, minute, second, fraction) = (1.0, 1.0, 0.0, 0.0, 0.0, 0.0)
        if skip("-") {
            guard let number = digits(2) else { throw error }
            month = number
            if skip("-") {
                guard let number = digits(2) else { throw error }
                day = number
            }
        }
        if skip("T") {
            guard let hours = digits(2), skip(":"), let minutes = digits(2), skip(":"), let seconds = digits(2) else {
                throw error
            }
            (hour, minute, second) = (hours, minutes, seconds)
        }
        if skip(".") {
            let start = place
            while place < bytes.count, (48...57).contains(bytes[place]) { place += 1 }
            guard place > start else { throw error }
            let shown = String(decoding: bytes[start..<min(place, start + 3)], as: UTF8.self)
            fraction = ((Double("0." + shown) ?? 0) * 1_000).rounded()
        }
        var zone = 0.0
        if !skip("Z") {
            let isWest = skip("-")
            if isWest || skip("+") {
                guard let hours = digits(2) else { throw error }
                _ = skip(":")
                guard let minutes = digits(2), minutes < 60 else { throw error }
                zone = (hours * 60 + minutes) * (isWest ? -1 : 1)
            }
        }
        guard place == bytes.count, (1...12).contains(month), (1...31).contains(day), hour <= 24, minute < 60,
            second < 60
        else { throw error }
        let start = DateMath.makeDay(year, month - 1, day)
        let time = DateMath.makeDate(start, DateMath.makeTime(hour, minute, second, fraction))
        return DateMath.timeClip(time - zone * 60_000)
    }
}
