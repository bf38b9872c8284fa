import JSON
import Script

/// A picture of a number, `#,##0.00`, as XPath's `format-number` has it.
struct NumberPicture {
    typealias Units = [UInt16]

    private var symbols: [String: Units] = [
        "decimal-separator": Units(".".utf16), "grouping-separator": Units(",".utf16),
        "exponent-separator": Units("e".utf16), "infinity": Units("Infinity".utf16), "minus-sign": Units("-".utf16),
        "NaN": Units("NaN".utf16), "percent": Units("%".utf16), "per-mille": Units("\u{2030}".utf16),
        "zero-digit": Units("0".utf16), "digit": Units("#".utf16), "pattern-separator": Units(";".utf16),
    ]
    private var parts: [Part] = []
    private let zero: UInt16

    private struct Part {
        var prefix: Units
        var suffix: Units
        var active: Units
        var mantissa: Units
        var exponent: Units?
        var integer: Units
        var fraction: Units
        let picture: Units

        var integerGroups: [Int] = []
        var regularGroup = 0
        var fractionGroups: [Int] = []
        var integerMin = 0
        var scaling = 0
        var fractionMin = 0
        var fractionMax = 0
        var exponentMin = 0
    }

    private func symbol(_ name: String) -> Units { symbols[name] ?? [] }

    init(_ picture: String, _ options: Record?) throws(JSONataError) {
        if let options {
            for (key, value) in zip(options.keys, options.values) {
                if case .string(let text) = value, !text.isEmpty { symbols[key] = Units(text.utf16) }
            }
        }
        zero = symbols["zero-digit"]?.first ?? 48
        let pieces = Self.split(Units(picture.utf16), symbol("pattern-separator"))
        guard pieces.count <= 2 else { throw JSONataError("D3080") }
        for piece in pieces {
            var part = part(piece)
            try check(part)
            analyse(&part)
            parts.append(part)
        }
        if parts.count == 1 {
            var negative = parts[0]
            negative.prefix = symbol("minus-sign") + negative.prefix
            parts.append(negative)
        }
    }

    // MARK: Units

    private static func index(of part: Units, in units: Units, from start: Int = 0) -> Int? {
        guard !part.isEmpty, units.count >= part.count, start >= 0 else { return nil }
        var place = start
        while place + part.count <= units.count {
            if units[place..<(place + part.count)].elementsEqual(part) { return place }
            place += 1
        }
        return nil
    }

    private static func lastIndex(of part: Units, in units: Units) -> Int? {
        var found: Int?
        var start = 0
        while let place = index(of: part, in: units, from: start) {
            found = place
            start = place + 1
        }
        return found
    }

    private static func split(_ units: Units, _ separator: Units) -> [Units] {
        var pieces: [Units] = []
        var start = 0
        while let place = index(of: separator, in: units, from: start) {
            pieces.append(Units(units[start..<place]))
            start = place + separator.count
        }
        return pieces + [Units(units[start...])]
    }

    private func isDigit(_ unit: UInt16) -> Bool { unit >= zero && unit - zero < 10 }
    private func isPlace(_ unit: UInt16) -> Bool { isDigit(unit) || [unit] == symbol("digit") }

    private func isActive(_ unit: UInt16) -> Bool {
        isPlace(unit)
            || ["decimal-separator", "exponent-separator", "grouping-separator", "pattern-separator"].contains {
                symbol($0) == [unit]
            }
    }

    // MARK: Reading

    private func part(_ picture: Units) -> Part {
        let exponentSign = symbol("exponent-separator")
        func isEdge(_ unit: UInt16) -> Bool { isActive(unit) && [unit] != exponentSign }
        let first = picture.firstIndex(where: isEdge) ?? 0
        let last = picture.lastIndex(where: isEdge).map { $0 + 1 } ?? picture.count
        let prefix = Units(picture[..<first])
        let suffix = Units(picture[max(last, first)...])
        let active = Units(picture[first..<max(first, last)])
        var mantissa = active
        var exponent: Units?
        if let place = Self.index(of: exponentSign, in: picture, from: prefix.count),
            place <= picture.count - suffix.count
        {
            mantissa = Units(active.prefix(place))
            exponent = Units(active.dropFirst(place + 1))
        }
        var integer = mantissa
        var fraction = suffix
        if let place = Self.index(of: symbol("decimal-separator"), in: mantissa) {
            integer = Units(mantissa[..<place])
            fraction = Units(mantissa.dropFirst(place + 1))
        }
        return Part(
            prefix: prefix, suffix: suffix, active: active, mantissa: mantissa, exponent: exponent, integer: integer,
            fraction: fraction, picture: picture)
    }

    private func check(_ part: Part) throws(JSONataError) {
        let picture = part.picture
        let group = symbol("grouping-separator")
        let point = Self.index(of: symbol("decimal-separator"), in: picture)
        let percent = Self.index(of: symbol("percent"), in: picture)
        let mille = Self.index(of: symbol("per-mille"), in: picture)
        var error: String?
        if point != Self.lastIndex(of: symbol("decimal-separator"), in: picture) { error = "D3081" }
        if percent != Self.lastIndex(of: symbol("percent"), in: picture) { error = "D3082" }
        if mille != Self.lastIndex(of: symbol("per-mille"), in: picture) { error = "D3083" }
        if percent != nil, mille != nil { error = "D3084" }
        if !part.mantissa.contains(where: isPlace) { error = "D3085" }
        if part.active.contains(where: { !isActive($0) }) { error = "D3086" }
        if let point {
            let around = [point - 1, point + 1].filter { picture.indices.contains($0) }.map { [picture[$0]] }
            if around.contains(group) { error = "D3087" }
        } else if let last = part.integer.last, [last] == group {
            error = "D3088"
        }
        if Self.index(of: group + group, in: picture) != nil { error = "D3089" }
        if let place = Self.index(of: symbol("digit"), in: part.integer),
            part.integer[..<place].contains(where: isDigit)
        {
            error = "D3090"
        }
        if let place = Self.lastIndex(of: symbol("digit"), in: part.fraction),
            part.fraction[place...].contains(where: isDigit)
        {
            error = "D3091"
        }
        if let exponent = part.exponent {
            if !exponent.isEmpty, percent != nil || mille != nil { error = "D3092" }
            if exponent.isEmpty || exponent.contains(where: { !isDigit($0) }) { error = "D3093" }
        }
        if let error { throw JSONataError(error) }
    }

    private func analyse(_ part: inout Part) {
        let group = symbol("grouping-separator")
        func groups(_ units: Units, toLeft: Bool) -> [Int] {
            var places: [Int] = []
            var next = Self.index(of: group, in: units)
            while let place = next {
                let side = toLeft ? units.prefix(place) : units.dropFirst(place)
                places.append(side.count(where: isPlace))
                next = Self.index(of: group, in: part.integer, from: place + 1)
            }
            return places
        }
        part.integerGroups = groups(part.integer, toLeft: false)
        part.regularGroup = IntegerPicture.regular(part.integerGroups)
        part.fractionGroups = groups(part.fraction, toLeft: true)
        part.integerMin = part.integer.count(where: isDigit)
        part.scaling = part.integerMin
        part.fractionMin = part.fraction.count(where: isDigit)
        part.fractionMax = part.fraction.count(where: isPlace)
        let hasExponent = part.exponent != nil
        if part.integerMin == 0, part.fractionMax == 0 {
            if hasExponent { (part.fractionMin, part.fractionMax) = (1, 1) } else { part.integerMin = 1 }
        }
        if hasExponent, part.integerMin == 0, Self.index(of: symbol("digit"), in: part.integer) != nil {
            part.integerMin = 1
        }
        if part.integerMin == 0, part.fractionMin == 0 { part.fractionMin = 1 }
        part.exponentMin = part.exponent?.count(where: isDigit) ?? 0
    }

    // MARK: Writing

    func text(of value: Double) throws(JSONataError) -> String {
        let part = value >= 0 ? parts[0] : parts[1]
        var mantissa = value
        if Self.index(of: symbol("percent"), in: part.picture) != nil {
            mantissa = value * 100
        } else if Self.index(of: symbol("per-mille"), in: part.picture) != nil {
            mantissa = value * 1_000
        }
        guard mantissa.isFinite else {
            return String(
                decoding: part.prefix + symbol(mantissa.isNaN ? "NaN" : "infinity") + part.suffix, as: UTF16.self)
        }
        var exponent: Int?
        if part.exponentMin > 0 {
            let most = MathFunctions.pow(10, Double(part.scaling))
            let least = MathFunctions.pow(10, Double(part.scaling - 1))
            var power = 0
            // A double has no more powers of ten than that.
            while mantissa != 0, mantissa.magnitude < least, power > -700 {
                mantissa *= 10
                power -= 1
            }
            while mantissa.magnitude > most, power < 700 {
                mantissa /= 10
                power += 1
            }
            exponent = power
        }
        let point = symbol("decimal-separator")
        let rounded = JSONataNumbers.rounded(mantissa, Double(part.fractionMax))
        var text = digits(rounded, min(part.fractionMax, 100))
        if let place = text.firstIndex(of: 46) {
            text.replaceSubrange(place...place, with: point)
        } else {
            text += point
        }
        while text.first == zero { text.removeFirst() }
        while text.last == zero { text.removeLast() }
        var place = Self.index(of: point, in: text) ?? text.count
        let left = part.integerMin - place
        let right = part.fractionMin - (text.count - place - 1)
        if left > 0 { text = Units(repeating: zero, count: left) + text }
        if right > 0 { text += Units(repeating: zero, count: right) }
        place = Self.index(of: point, in: text) ?? text.count
        let group = symbol("grouping-separator")
        if part.regularGroup > 0 {
            let count = (place - 1) / part.regularGroup
            for number in stride(from: 1, through: max(count, 0), by: 1) where place - number * part.regularGroup >= 0 {
                text.insert(contentsOf: group, at: place - number * part.regularGroup)
            }
        } else {
            for position in part.integerGroups where place - position >= 0 && place - position <= text.count {
                text.insert(contentsOf: group, at: place - position)
                place += 1
            }
        }
        place = Self.index(of: point, in: text) ?? text.count
        for position in part.fractionGroups where position + place + 1 <= text.count {
            text.insert(contentsOf: group, at: position + place + 1)
        }
        place = Self.index(of: point, in: text) ?? text.count
        if Self.index(of: point, in: part.picture) == nil || place == text.count - 1, !text.isEmpty {
            text.removeLast()
        }
        if let exponent {
            var power = digits(Double(exponent), 0)
            if power.count < part.exponentMin {
                power = Units(repeating: zero, count: part.exponentMin - power.count) + power
            }
            text += symbol("exponent-separator") + (exponent < 0 ? symbol("minus-sign") : []) + power
        }
        return String(decoding: part.prefix + text + part.suffix, as: UTF16.self)
    }

    private func digits(_ value: Double, _ count: Int) -> Units {
        Units(NumberText.fixed(value.magnitude, digits: count).utf16).map {
            (48...57).contains($0) ? $0 - 48 &+ zero : $0
        }
    }
}
