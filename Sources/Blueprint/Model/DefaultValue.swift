import JSON

/// Whether the text of a default fits a scalar. The forms are those that Amplify checks, which are not quite those
/// that AppSync accepts from clients.
enum DefaultValue {
    static func isValid(_ text: String, for scalar: String) -> Bool {
        let bytes = Array(text.utf8)
        switch scalar {
        case "Int", "AWSTimestamp", "BigInt": return startsWithInteger(text)
        case "Float", "Double": return startsWithNumber(text)
        case "Boolean": return ["true", "false"].contains(text.lowercased())
        case "AWSJSON": return (try? JSONReader.value(of: bytes)) != nil
        case "AWSDate": return isDate(bytes)
        case "AWSTime": return isTime(bytes[...], leapSecond: false)
        case "AWSDateTime": return isDateTime(bytes)
        case "AWSEmail": return isEmail(bytes)
        case "AWSURL": return isURL(bytes)
        case "AWSPhone": return isPhone(bytes)
        case "AWSIPAddress": return isIPv4(bytes[...]) || isIPv6(bytes)
        default: return true
        }
    }

    /// Returns whether a text begins with a whole number, spaces and a sign before it allowed.
    static func startsWithInteger(_ text: String) -> Bool {
        unsigned(text).first?.isDigit ?? false
    }

    /// Returns whether a text begins with a number.
    static func startsWithNumber(_ text: String) -> Bool {
        let rest = unsigned(text)
        if rest.starts(with: Array("Infinity".utf8)) { return true }
        let fraction = rest.first == UInt8(ascii: ".") ? rest.dropFirst() : rest
        return fraction.first?.isDigit ?? false
    }

    /// Returns whether a text that begins with a whole number begins with one below zero.
    static func isNegative(_ text: String) -> Bool {
        guard trimmed(text).first == UInt8(ascii: "-") else { return false }
        return unsigned(text).prefix(while: \.isDigit).contains { $0 != UInt8(ascii: "0") }
    }

    private static func trimmed(_ text: String) -> ArraySlice<UInt8> {
        Array(text.utf8).drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    }

    private static func unsigned(_ text: String) -> ArraySlice<UInt8> {
        let rest = trimmed(text)
        return rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") ? rest.dropFirst() : rest
    }

    /// The number of two digits at the start of a slice.
    private static func twoDigits(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= 2, let first = bytes.first, first.isDigit, bytes[bytes.startIndex + 1].isDigit else {
            return nil
        }
        return Int(first - 0x30) * 10 + Int(bytes[bytes.startIndex + 1] - 0x30)
    }

    private static func isDate(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let century = twoDigits(bytes[0...]), let year = twoDigits(bytes[2...]),
            let month = twoDigits(bytes[5...]), let day = twoDigits(bytes[8...]), (1...12).contains(month)
        else { return false }
        let fullYear = century * 100 + year
        let isLeap = (fullYear % 4 == 0 && fullYear % 100 != 0) || fullYear % 400 == 0
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...days[month - 1]).contains(day)
    }

    /// `hh:mm:ss`, a fraction if any, and an offset.
    private static func isTime(_ bytes: ArraySlice<UInt8>, leapSecond: Bool) -> Bool {
        let start = bytes.startIndex
        guard bytes.count >= 9, bytes[start + 2] == UInt8(ascii: ":"), bytes[start + 5] == UInt8(ascii: ":"),
            let hour = twoDigits(bytes), let minute = twoDigits(bytes[(start + 3)...]),
            let second = twoDigits(bytes[(start + 6)...]), hour < 24, minute < 60,
            second < 60 || leapSecond && second == 60
        else { return false }
        var rest = bytes[(start + 8)...]
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix(while: \.isDigit)
            guard !fraction.isEmpty else { return false }
            rest = rest.dropFirst(1 + fraction.count)
        }
        guard let sign = rest.first else { return false }
        if sign == UInt8(ascii: "Z") { return rest.count == 1 }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), rest.count == 6,
            rest[rest.startIndex + 3] == UInt8(ascii: ":"), let offsetHour = twoDigits(rest.dropFirst()),
            let offsetMinute = twoDigits(rest.dropFirst(4))
        else { return false }
        return offsetHour < 24 && offsetMinute < 60
    }

    private static func isDateTime(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 11, bytes[10] == UInt8(ascii: "T") else { return false }
        return isDate(Array(bytes[..<10])) && isTime(bytes[11...], leapSecond: false)
    }

    private static func isEmail(_ bytes: [UInt8]) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return false }
        let marks = Array(".!#$%&'*+/=?^_`{|}~-".utf8)
        guard parts[0].allSatisfy({ $0.isAlphanumeric || marks.contains($0) }) else { return false }
        return parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy(isHostLabel)
    }

    private static func isHostLabel(_ label: ArraySlice<UInt8>) -> Bool {
        guard let first = label.first, let last = label.last, label.count <= 63 else { return false }
        return first.isAlphanumeric && last.isAlphanumeric
            && label.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
    }

    /// A URL with a scheme, and with a host where the scheme needs one.
    private static func isURL(_ bytes: [UInt8]) -> Bool {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0, bytes[0] | 0x20 >= 0x61,
            bytes[0] | 0x20 <= 0x7A,
            bytes[..<colon].allSatisfy({ $0.isAlphanumeric || Array("+-.".utf8).contains($0) })
        else { return false }
        let scheme = String(decoding: bytes[..<colon].map(Plural.lowercased), as: UTF8.self)
        guard ["http", "https", "ws", "wss", "ftp"].contains(scheme) else { return true }
        let slashes = Array("/\\".utf8)
        let rest = bytes[(colon + 1)...].drop { slashes.contains($0) }
        let authority = rest.prefix { !Array("/\\?#".utf8).contains($0) }
        let host = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last ?? []
        let name = host.first == UInt8(ascii: "[") ? host : host.prefix { $0 != UInt8(ascii: ":") }
        let forbidden = Array(" <>^|%".utf8)
        return !name.isEmpty && !name.contains { forbidden.contains($0) }
            && host.dropFirst(name.count).dropFirst().allSatisfy { $0.isDigit || host.first == UInt8(ascii: "[") }
    }

    /// A number in international form. Whether its country has such numbers is not checked.
    private static func isPhone(_ bytes: [UInt8]) -> Bool {
        guard bytes.first == UInt8(ascii: "+") else { return false }
        let separators = Array(" -().".utf8)
        guard bytes.dropFirst().allSatisfy({ $0.isDigit || separators.contains($0) }) else { return false }
        return (7...15).contains(bytes.count(where: \.isDigit))
    }

    private static func isIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                guard (1...3).contains(part.count), part.allSatisfy(\.isDigit) else { return false }
                guard part.count == 1 || part.first != UInt8(ascii: "0") else { return false }
                return part.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 255
            }
    }

    private static func isIPv6(_ bytes: [UInt8]) -> Bool {
        let address = bytes.prefix { $0 != UInt8(ascii: "%") }
        var groups = address.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard groups.count >= 3, groups.count <= 9 else { return false }
        var count = 0
        if let last = groups.last, last.contains(UInt8(ascii: ".")) {
            guard isIPv4(last) else { return false }
            groups.removeLast()
            count = 2
        }
        // "::" stands once for any number of zero groups; at either end it leaves one more empty part.
        var gaps = 0
        for (number, group) in groups.enumerated() {
            if group.isEmpty {
                let isOuter = number == 0 || (number == groups.count - 1 && count == 0)
                if isOuter {
                    let neighbour = number == 0 ? 1 : number - 1
                    guard groups.indices.contains(neighbour), groups[neighbour].isEmpty else { return false }
                } else {
                    gaps += 1
                }
                continue
            }
            guard group.count <= 4, group.allSatisfy({ $0.hexadecimalValue != nil }) else { return false }
            count += 1
        }
        return gaps == 0 ? count == 8 && !groups.contains(where: \.isEmpty) : gaps == 1 && count < 8
    }
}
