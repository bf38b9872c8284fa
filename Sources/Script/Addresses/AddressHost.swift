/// The host of an address: a name, an IPv4 or an IPv6 address.
enum AddressHost {
    private static let forbidden = Set("\0\t\n\r #/:<>?@[\\]^|".unicodeScalars)

    static func parse(_ source: some Collection<Unicode.Scalar>, isSpecial: Bool) -> String? {
        if source.first == "[" {
            guard source.count > 2, Array(source).last == "]" else { return nil }
            return IPv6.parse(Array(source.dropFirst().dropLast())).map { "[\(IPv6.text(of: $0))]" }
        }
        guard isSpecial else {
            if source.contains(where: { forbidden.contains($0) }) { return nil }
            return AddressEscapes.encode(source, AddressEscapes.control)
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: source)
        let decoded = String(decoding: AddressEscapes.decode(Array(String(text).utf8)), as: UTF8.self)
        guard let name = asciiName(decoded), !name.isEmpty else { return nil }
        let isRefused = name.unicodeScalars.contains {
            $0.value <= 0x20 || $0.value == 0x7F || $0 == "%" || forbidden.contains($0)
        }
        if isRefused { return nil }
        if endsInNumber(name) { return IPv4.parse(name) }
        return name
    }

    /// In small letters; names beyond ASCII as `xn--`.
    private static func asciiName(_ name: String) -> String? {
        var labels: [String] = []
        for label in name.lowercased().split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "." || $0 == "。" })
        {
            let scalars = Normalization.composed.apply(to: Array(label.utf16))
            if scalars.allSatisfy({ $0 < 0x80 }) {
                labels.append(String(decoding: scalars, as: UTF16.self))
            } else {
                guard let encoded = Punycode.encode(Array(String(decoding: scalars, as: UTF16.self).unicodeScalars))
                else { return nil }
                labels.append("xn--" + encoded)
            }
        }
        return labels.joined(separator: ".")
    }

    private static func endsInNumber(_ name: String) -> Bool {
        var parts = name.split(separator: ".", omittingEmptySubsequences: false)
        if parts.last == "", parts.count > 1 { parts.removeLast() }
        guard let last = parts.last, !last.isEmpty else { return false }
        return last.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } || IPv4.number(last) != nil
    }
}

enum IPv4 {
    /// Decimal, `0x` or octal.
    static func number(_ part: Substring) -> UInt64? {
        if part.isEmpty { return nil }
        if part.hasPrefix("0x") || part.hasPrefix("0X") {
            return part.count == 2 ? 0 : unsigned(part.dropFirst(2), 16)
        }
        if part.count > 1, part.first == "0" { return unsigned(part.dropFirst(), 8) }
        return unsigned(part, 10)
    }

    private static func unsigned(_ digits: Substring, _ radix: Int) -> UInt64? {
        guard digits.utf8.allSatisfy({ ($0 >= 0x30 && $0 <= 0x39) || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x66) }) else {
            return nil
        }
        return UInt64(digits, radix: radix)
    }

    static func parse(_ name: String) -> String? {
        var parts = name.split(separator: ".", omittingEmptySubsequences: false)
        if parts.last == "", parts.count > 1 { parts.removeLast() }
        guard parts.count <= 4 else { return nil }
        var numbers: [UInt64] = []
        for part in parts {
            guard let number = number(part) else { return nil }
            numbers.append(number)
        }
        guard let last = numbers.popLast(), numbers.allSatisfy({ $0 <= 255 }),
            last < 1 << UInt64(8 * (4 - numbers.count))
        else { return nil }
        var address = last
        for (index, number) in numbers.enumerated() { address += number << UInt64(8 * (3 - index)) }
        return [24, 16, 8, 0].map { String(address >> $0 & 255) }.joined(separator: ".")
    }
}

enum IPv6 {
    static func parse(_ source: [Unicode.Scalar]) -> [UInt16]? {
        var pieces: [UInt16] = []
        var compressedAt: Int?
        var index = 0
        func digit(_ index: Int) -> UInt32? {
            guard index < source.count, source[index].value < 0x80 else { return nil }
            return Lexer.hexadecimalValue(UInt16(source[index].value))
        }
        if source.first == ":" {
            guard source.count > 1, source[1] == ":" else { return nil }
            index = 2
            compressedAt = 0
        }
        while index < source.count {
            if pieces.count == 8 { return nil }
            if source[index] == ":" {
                if compressedAt != nil { return nil }
                compressedAt = pieces.count
                index += 1
                continue
            }
            let start = index
            var value: UInt32 = 0
            while index - start < 4, let next = digit(index) {
                value = value << 4 | next
                index += 1
            }
            if index < source.count, source[index] == "." {
                guard index > start, pieces.count <= 6 else { return nil }
                var text = String.UnicodeScalarView()
                text.append(contentsOf: source[start...])
                let parts = String(text).split(separator: ".", omittingEmptySubsequences: false)
                guard parts.count == 4 else { return nil }
                var bytes: [UInt16] = []
                for part in parts {
                    guard let byte = UInt8(part), part.count == 1 || part.first != "0",
                        part.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
                    else { return nil }
                    bytes.append(UInt16(byte))
                }
                pieces += [bytes[0] << 8 | bytes[1], bytes[2] << 8 | bytes[3]]
                index = source.count
                break
            }
            if index == start { return nil }
            pieces.append(UInt16(truncatingIfNeeded: value))
            if index < source.count {
                guard source[index] == ":" else { return nil }
                index += 1
                if index == source.count { return nil }
            }
        }
        if let compressedAt {
            guard pieces.count < 8 else { return nil }
            pieces.insert(contentsOf: [UInt16](repeating: 0, count: 8 - pieces.count), at: compressedAt)
        }
        return pieces.count == 8 ? pieces : nil
    }

    /// With the longest row of zeros left out.
    static func text(of pieces: [UInt16]) -> String {
        var best = (start: -1, count: 1)
        var start = -1
        for (index, piece) in pieces.enumerated() {
            if piece != 0 {
                start = -1
                continue
            }
            if start < 0 { start = index }
            if index - start + 1 > best.count { best = (start, index - start + 1) }
        }
        var text = ""
        var index = 0
        while index < pieces.count {
            if index == best.start {
                text += index == 0 ? "::" : ":"
                index += best.count
                continue
            }
            text += String(pieces[index], radix: 16)
            index += 1
            if index < pieces.count { text += ":" }
        }
        return text
    }
}

enum Punycode {
    static func encode(_ source: [Unicode.Scalar]) -> String? {
        guard source.count < 64 else { return nil }
        var output = source.filter { $0.value < 0x80 }.map { Character($0) }
        let basicCount = output.count
        if basicCount > 0 { output.append("-") }
        var (n, delta, bias, handled): (UInt32, Int, Int, Int) = (128, 0, 72, basicCount)
        while handled < source.count {
            guard let next = source.lazy.map(\.value).filter({ $0 >= n }).min() else { return nil }
            delta += Int(next - n) * (handled + 1)
            n = next
            for scalar in source {
                if scalar.value < n { delta += 1 }
                guard scalar.value == n else { continue }
                var q = delta
                var k = 36
                while true {
                    let threshold = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias
                    if q < threshold { break }
                    output.append(digit(threshold + (q - threshold) % (36 - threshold)))
                    q = (q - threshold) / (36 - threshold)
                    k += 36
                }
                output.append(digit(q))
                bias = adapt(delta, handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            n += 1
        }
        return String(output)
    }

    private static func digit(_ value: Int) -> Character {
        Character(Unicode.Scalar(UInt8(value < 26 ? 0x61 + value : 0x30 + value - 26)))
    }

    private static func adapt(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var k = 0
        while delta > 455 {
            delta /= 35
            k += 36
        }
        return k + 36 * delta / (delta + 38)
    }
}
