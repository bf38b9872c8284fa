/// Questions about single units and code points, and the way between the two.
package enum CodePoints {
    package static func joined(_ lead: UInt16, _ trail: UInt16) -> UInt32 {
        0x10000 &+ ((UInt32(lead) & 0x3FF) << 10) &+ (UInt32(trail) & 0x3FF)
    }

    /// The code point at a place, and how many units it takes; a lone surrogate stands for itself.
    package static func point(in units: UnsafeBufferPointer<UInt16>, at index: Int) -> (value: UInt32, length: Int) {
        let first = units[index]
        guard UTF16.isLeadSurrogate(first), index + 1 < units.count, UTF16.isTrailSurrogate(units[index + 1]) else {
            return (UInt32(first), 1)
        }
        return (joined(first, units[index + 1]), 2)
    }

    package static func point(in units: [UInt16], at index: Int) -> (value: UInt32, length: Int) {
        units.withUnsafeBufferPointer { point(in: $0, at: index) }
    }

    /// Where halves of a pair stand without the other one.
    package static func loneSurrogates(in units: [UInt16]) -> [Int] {
        var places: [Int] = []
        var index = 0
        units.withUnsafeBufferPointer { units in
            while index < units.count {
                let (point, length) = point(in: units, at: index)
                if length == 1, UTF16.isSurrogate(UInt16(truncatingIfNeeded: point)) { places.append(index) }
                index += length
            }
        }
        return places
    }

    package static func append(_ point: UInt32, to units: inout [UInt16]) {
        if point < 0x10000 {
            units.append(UInt16(truncatingIfNeeded: point))
        } else {
            let rest = point &- 0x10000
            units.append(UInt16(truncatingIfNeeded: 0xD800 &+ (rest >> 10)))
            units.append(UInt16(truncatingIfNeeded: 0xDC00 &+ (rest & 0x3FF)))
        }
    }

    package static func decimalDigit(_ unit: UInt16) -> Int? {
        (0x30...0x39).contains(unit) ? Int(unit) - 0x30 : nil
    }

    package static func hexadecimalDigit(_ unit: UInt16) -> UInt32? {
        switch unit {
        case 0x30...0x39: UInt32(unit) - 0x30
        case 0x41...0x46: UInt32(unit) - 0x41 + 10
        case 0x61...0x66: UInt32(unit) - 0x61 + 10
        default: nil
        }
    }

    // MARK: Classes of the grammar

    /// WhiteSpace of the language: tab, vertical tab, form feed, byte order mark and the category Zs.
    package static func isWhiteSpace(_ unit: UInt16) -> Bool {
        switch unit {
        case 0x20, 0x09, 0x0B, 0x0C, 0xA0: true
        case ..<0x1680: false
        case 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000, 0xFEFF: true
        default: false
        }
    }

    package static func isLineTerminator(_ unit: UInt16) -> Bool {
        unit == 0x0A || unit == 0x0D || unit == 0x2028 || unit == 0x2029
    }

    /// What `trim` takes away and numbers may stand between.
    package static func isSpace(_ unit: UInt16) -> Bool {
        isWhiteSpace(unit) || isLineTerminator(unit)
    }

    /// IdentifierStart without escapes: ID_Start (which has Other_ID_Start in it), `$` and `_`.
    package static func isIdentifierStart(_ point: UInt32) -> Bool {
        if point < 0x80 {
            return (0x61...0x7A).contains(point | 0x20) || point == 0x24 || point == 0x5F
        }
        return Unicode.Scalar(point)?.properties.isIDStart ?? false
    }

    /// IdentifierPart without escapes: ID_Continue, `$`, and the two joiners.
    package static func isIdentifierPart(_ point: UInt32) -> Bool {
        if point < 0x80 {
            return (0x61...0x7A).contains(point | 0x20) || (0x30...0x39).contains(point) || point == 0x24
                || point == 0x5F
        }
        if point == 0x200C || point == 0x200D { return true }
        return Unicode.Scalar(point)?.properties.isIDContinue ?? false
    }
}

extension CodePoints {
    package static func isSurrogate(_ point: UInt32) -> Bool {
        (0xD800..<0xE000).contains(point)
    }
}
