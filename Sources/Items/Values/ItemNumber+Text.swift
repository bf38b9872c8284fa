import JSON

// Numbers are texts in requests and answers: `"1.50"` comes, `"1.5"` goes.

extension ItemNumber {
    /// The number of a text, as the service reads it: digits with at most one point and perhaps an exponent, no blanks.
    package init(_ text: String) throws(ItemError) {
        var text = text
        let outcome = text.withUTF8 { bytes in Result { () throws(ItemError) in try Self.read(bytes) } }
        let number: ItemNumber
        switch outcome {
        case .success(let read): number = read
        case .failure(let fault):
            guard fault.message.utf8.elementsEqual(Self.noNumber.message.utf8) else { throw fault }
            // A request may have megabytes of it.
            throw text.utf8.count > Self.shownBytesMax ? fault : .validation("\(fault.message): \(text)")
        }
        let isSame = text.utf8.elementsEqual(number.description.utf8)
        self.init(
            coefficient: number.coefficient, exponent: number.exponent, isNegative: number.isNegative,
            written: isSame ? nil : Array(text.utf8))
    }

    private static let shownBytesMax = 255
    private static let noNumber = ItemError.validation("The parameter cannot be converted to a numeric value")
    static let tooPrecise = ItemError.validation("Attempting to store more than 38 significant digits in a Number")
    static let overflow = ItemError.validation(
        "Number overflow. Attempting to store a number with magnitude larger than supported range")
    static let underflow = ItemError.validation(
        "Number underflow. Attempting to store a number with magnitude smaller than supported range")

    private static func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(ItemError) -> ItemNumber {
        guard bytes.allSatisfy({ $0 < 0x80 }) else {
            // Digits of any script count, as in Java: they become those of ASCII.
            guard let plain = plainDigits(bytes) else { throw noNumber }
            let outcome = plain.withUnsafeBufferPointer { bytes in
                Result { () throws(ItemError) in try readPlain(bytes) }
            }
            return try outcome.get()
        }
        return try readPlain(bytes)
    }

    private static func plainDigits(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var plain: [UInt8] = []
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if scalar.isASCII {
                plain.append(UInt8(truncatingIfNeeded: scalar.value))
            } else if scalar.properties.generalCategory == .decimalNumber, let value = scalar.properties.numericValue {
                plain.append(UInt8(ascii: "0") + UInt8(value))
            } else {
                return nil
            }
        }
        return plain
    }

    /// One way through the digits, however many they are: those behind the 38th must be zeros.
    private static func readPlain(_ bytes: UnsafeBufferPointer<UInt8>) throws(ItemError) -> ItemNumber {
        var index = 0
        var isNegative = false
        if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            isNegative = first == UInt8(ascii: "-")
            index = 1
        }
        var coefficient: UInt128 = 0
        var exponent = 0
        var zeros = 0
        var isEmpty = true
        var isFraction = false
        var isPrecise = true
        digits: while index < bytes.count {
            switch bytes[index] {
            case let byte where byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"):
                isEmpty = false
                if isFraction { exponent -= 1 }
                if byte == UInt8(ascii: "0") {
                    zeros += 1
                } else if coefficient == 0 {
                    coefficient = UInt128(byte - UInt8(ascii: "0"))
                    zeros = 0
                } else if digitCount(of: coefficient) + zeros < digitsMax {
                    coefficient = coefficient * powers[zeros + 1] + UInt128(byte - UInt8(ascii: "0"))
                    zeros = 0
                } else {
                    isPrecise = false
                    zeros += 1
                }
            case UInt8(ascii: ".") where !isFraction: isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"): break digits
            default: throw noNumber
            }
            index += 1
        }
        guard !isEmpty else { throw noNumber }
        if index < bytes.count {
            let written = try readExponent(UnsafeBufferPointer(rebasing: bytes[(index + 1)...]))
            exponent += written
        }
        guard coefficient != 0 else { return .zero }
        return try fitting(
            coefficient: coefficient, exponent: exponent + zeros, isNegative: isNegative, isPrecise: isPrecise)
    }

    /// A power of ten. One beyond 32 bits is none, as in Java.
    private static func readExponent(_ bytes: UnsafeBufferPointer<UInt8>) throws(ItemError) -> Int {
        let isSigned = bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+")
        let digits = bytes.dropFirst(isSigned ? 1 : 0)
        guard !digits.isEmpty else { throw noNumber }
        var value = 0
        for byte in digits {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { throw noNumber }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
            guard value <= Int(Int32.max) else { throw noNumber }
        }
        return bytes.first == UInt8(ascii: "-") ? -value : value
    }

    /// The number of these parts in its one form, when it is within what DynamoDB holds.
    static func fitting(
        coefficient: UInt128, exponent: Int, isNegative: Bool, isPrecise: Bool = true
    ) throws(ItemError) -> ItemNumber {
        guard coefficient != 0 else { return .zero }
        var (coefficient, exponent) = (coefficient, exponent)
        while coefficient % 10 == 0 {
            coefficient /= 10
            exponent += 1
        }
        let count = digitCount(of: coefficient)
        guard isPrecise, count <= digitsMax else { throw tooPrecise }
        let magnitude = exponent + count - 1
        guard magnitude <= magnitudeMax else { throw overflow }
        guard magnitude >= magnitudeMin else { throw underflow }
        return ItemNumber(coefficient: coefficient, exponent: Int16(exponent), isNegative: isNegative)
    }
}

extension ItemNumber: CustomStringConvertible {
    /// The one text of this number, without an exponent: `1e125` has 126 digits.
    package var description: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text as it was written, or else the one text.
    package var text: String { written.map { String(decoding: $0, as: UTF8.self) } ?? description }

    /// Appends the text as it was written, or else the one text, in double quotes.
    func writeQuoted(to bytes: inout [UInt8]) {
        if let written { return written.withUnsafeBytes { JSONWriter.writeString($0, to: &bytes) } }
        bytes.append(UInt8(ascii: "\""))
        write(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Hot path: a page has a number in each of its items.
    private func write(to bytes: inout [UInt8]) {
        let zero = UInt8(ascii: "0")
        // One more than there are digits in the largest number of 128 bits.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 40) { buffer in
            var start = buffer.count
            func put(_ digit: UInt8) {
                start -= 1
                buffer[start] = zero + digit
            }
            var rest = coefficient
            while rest > UInt64.max {
                put(UInt8(truncatingIfNeeded: rest % 10))
                rest /= 10
            }
            var low = UInt64(rest)
            repeat {
                put(UInt8(truncatingIfNeeded: low % 10))
                low /= 10
            } while low != 0
            let digits = UnsafeBufferPointer(rebasing: buffer[start...])
            if isNegative { bytes.append(UInt8(ascii: "-")) }
            // How many digits stand before the point.
            let whole = digits.count + Int(exponent)
            if whole <= 0 {
                bytes.append(zero)
                bytes.append(UInt8(ascii: "."))
                bytes.append(contentsOf: repeatElement(zero, count: -whole))
                bytes.append(contentsOf: digits)
            } else if whole >= digits.count {
                bytes.append(contentsOf: digits)
                if whole > digits.count { bytes.append(contentsOf: repeatElement(zero, count: whole - digits.count)) }
            } else {
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[..<whole]))
                bytes.append(UInt8(ascii: "."))
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[whole...]))
            }
        }
    }
}
