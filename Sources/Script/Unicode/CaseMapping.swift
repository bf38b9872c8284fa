/// `toLowerCase` and `toUpperCase` on units (ECMAScript 2023, 22.1.3.28): Unicode's full mappings without those of a language.
package enum CaseMapping {
    package static func lowercase(_ units: [UInt16]) -> [UInt16] {
        guard let first = units.firstIndex(where: { $0 >= 0x80 || (0x41...0x5A).contains($0) }) else { return units }
        var result = Array(units[..<first])
        result.reserveCapacity(units.count)
        var index = first
        while index < units.count {
            let unit = units[index]
            if unit < 0x80 {
                result.append((0x41...0x5A).contains(unit) ? unit &+ 32 : unit)
                index += 1
                continue
            }
            let (point, length) = CodePoints.point(in: units, at: index)
            if point == 0x3A3 {
                result.append(isFinalSigma(units, at: index) ? 0x3C2 : 0x3C3)
            } else if let scalar = Unicode.Scalar(point) {
                result.append(contentsOf: scalar.properties.lowercaseMapping.utf16)
            } else {
                result.append(unit)
            }
            index += length
        }
        return result
    }

    package static func uppercase(_ units: [UInt16]) -> [UInt16] {
        guard let first = units.firstIndex(where: { $0 >= 0x80 || (0x61...0x7A).contains($0) }) else { return units }
        var result = Array(units[..<first])
        result.reserveCapacity(units.count)
        var index = first
        while index < units.count {
            let unit = units[index]
            if unit < 0x80 {
                result.append((0x61...0x7A).contains(unit) ? unit &- 32 : unit)
                index += 1
                continue
            }
            let (point, length) = CodePoints.point(in: units, at: index)
            if let scalar = Unicode.Scalar(point) {
                result.append(contentsOf: scalar.properties.uppercaseMapping.utf16)
            } else {
                result.append(unit)
            }
            index += length
        }
        return result
    }

    /// A sigma ends a word when a cased letter stands before it and none behind it; what case ignores stands between.
    private static func isFinalSigma(_ units: [UInt16], at index: Int) -> Bool {
        var before = index
        while before > 0 {
            let start =
                before > 1 && UTF16.isTrailSurrogate(units[before - 1]) && UTF16.isLeadSurrogate(units[before - 2])
                ? before - 2 : before - 1
            guard let properties = Unicode.Scalar(CodePoints.point(in: units, at: start).value)?.properties else {
                return false
            }
            before = start
            if properties.isCaseIgnorable { continue }
            guard properties.isCased else { return false }
            var after = index + 1
            while after < units.count {
                let (point, length) = CodePoints.point(in: units, at: after)
                guard let properties = Unicode.Scalar(point)?.properties else { return true }
                if !properties.isCaseIgnorable { return !properties.isCased }
                after += length
            }
            return true
        }
        return false
    }
}
