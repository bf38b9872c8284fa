import Glibc

/// Numbers as texts of the language and back.
enum NumberUnits {
    static func text(of number: Double) -> [UInt16] {
        if number.isNaN { return Array("NaN".utf16) }
        if number.isInfinite { return Array((number < 0 ? "-Infinity" : "Infinity").utf16) }
        if number == 0 { return [0x30] }
        if abs(number) < 9e15, number == number.rounded() { return Array(String(Int64(number)).utf16) }
        let description = Array("\(abs(number))".utf16)
        var digits: [UInt16] = []
        var point = 0
        var exponent = 0
        var index = 0
        var sawPoint = false
        while index < description.count {
            let unit = description[index]
            if unit == 0x2E {
                sawPoint = true
            } else if unit == 0x65 {
                exponent = Int(String(decoding: description[(index + 1)...], as: UTF16.self)) ?? 0
                break
            } else {
                digits.append(unit)
                if !sawPoint { point += 1 }
            }
            index += 1
        }
        var position = point + exponent
        while digits.first == 0x30 {
            digits.removeFirst()
            position -= 1
        }
        while digits.last == 0x30 { digits.removeLast() }
        let count = digits.count
        var text: [UInt16] = number < 0 ? [0x2D] : []
        if count <= position, position <= 21 {
            text += digits + [UInt16](repeating: 0x30, count: position - count)
        } else if position > 0, position <= 21 {
            text += digits[..<position] + [0x2E] + digits[position...]
        } else if position > -6, position <= 0 {
            text += [0x30, 0x2E] + [UInt16](repeating: 0x30, count: -position) + digits
        } else {
            text.append(digits[0])
            if count > 1 { text += [0x2E] + digits[1...] }
            text += Array("e\(position - 1 < 0 ? "-" : "+")\(abs(position - 1))".utf16)
        }
        return text
    }

    static func number(of units: [UInt16]) -> Double {
        var units = units[...]
        func isSpace(_ unit: UInt16) -> Bool {
            switch unit {
            case 9...13, 32, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF: true
            default: false
            }
        }
        while let first = units.first, isSpace(first) { units.removeFirst() }
        while let last = units.last, isSpace(last) { units.removeLast() }
        if units.isEmpty { return 0 }
        let text = String(decoding: units, as: UTF16.self)
        switch text {
        case "Infinity", "+Infinity": return .infinity
        case "-Infinity": return -.infinity
        default: break
        }
        for (prefix, radix) in [("0x", 16), ("0X", 16), ("0b", 2), ("0B", 2), ("0o", 8), ("0O", 8)]
        where text.hasPrefix(prefix) {
            var value = 0.0
            guard text.utf8.count > 2 else { return .nan }
            for character in text.dropFirst(2) {
                guard let digit = character.hexDigitValue, digit < radix else { return .nan }
                value = value * Double(radix) + Double(digit)
            }
            return value
        }
        var seen = false
        for unit in units {
            switch unit {
            case 0x30...0x39: seen = true
            case 0x2B, 0x2D, 0x2E, 0x45, 0x65: break
            default: return .nan
            }
        }
        guard seen else { return .nan }
        var fixed = text
        if fixed.hasSuffix(".") { fixed.removeLast() }
        fixed = fixed.replacingPoint()
        return Double(fixed) ?? .nan
    }

    static func power(_ base: Double, _ exponent: Double) -> Double {
        if exponent.isNaN || (abs(base) == 1 && exponent.isInfinite) { return .nan }
        return pow(base, exponent)
    }
}

extension String {
    fileprivate func replacingPoint() -> String {
        // Swift wants digits on both sides of the point.
        var result = ""
        var last: Character = " "
        for character in self {
            if character == ".", !last.isNumber { result.append("0") }
            if last == ".", !character.isNumber { result.append("0") }
            result.append(character)
            last = character
        }
        return result
    }
}
