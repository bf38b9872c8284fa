import JSON
import Synchronization
import Threads

/// A time zone by one of the names that Java knows: `Z`, `+08:00`, `UTC+2`, `Europe/Berlin`.
struct TimeZoneName: Sendable {
    let name: String
    private let kind: Kind

    private enum Kind: Sendable {
        case offset(Int)
        case rules(TimeZoneRules)
    }

    static let utc = TimeZoneName(name: "UTC", kind: .offset(0))

    /// Zones that were read, each from its file.
    private static let known = Mutex<[ByteText: TimeZoneRules]>([:])
    private static let zeroNames: Set<ByteText> = ["Z", "UTC", "GMT", "UT"]

    private init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }

    init(offset: Int) {
        self.init(name: ZoneOffset.text(offset, .colons, zero: "Z"), kind: .offset(offset))
    }

    /// Nil: there is none of that name.
    init?(_ name: String) {
        if Self.zeroNames.contains(name) {
            self.init(name: name, kind: .offset(0))
            return
        }
        for start in ["UTC", "GMT", "UT", ""] where name.hasPrefix(start) {
            guard let offset = ZoneOffset.read(name.dropFirst(start.count)) else { continue }
            let text = ZoneOffset.text(offset, .colons, zero: start.isEmpty ? "Z" : "")
            self.init(name: start + text, kind: .offset(offset))
            return
        }
        guard let rules = Self.rules(name) else { return nil }
        self.init(name: name, kind: .rules(rules))
    }

    private static func rules(_ name: String) -> TimeZoneRules? {
        if let rules = known.withLock({ $0[name] }) { return rules }
        guard let rules = TimeZoneRules(named: name) else { return nil }
        known.withLock { zones in
            if zones.count >= LibraryLimits.timeZonesMax { zones.removeAll() }
            zones[name] = rules
        }
        return rules
    }

    /// What is added to UTC, in seconds.
    func offset(at moment: Int64) -> Int {
        switch kind {
        case .offset(let offset): offset
        case .rules(let rules): rules.offset(at: moment)
        }
    }

    /// What clocks are called there, such as `CEST`.
    func shortName(at moment: Int64) -> String {
        guard case .rules(let rules) = kind else { return name }
        return rules.setting(at: moment).name
    }

    /// The moment at which clocks show a time. One that they leave out is as much later as they were set forward.
    func moment(ofLocal local: Int64) -> Int64 {
        switch kind {
        case .offset(let offset): return local - Int64(offset)
        case .rules(let rules):
            return rules.moment(ofLocal: local) ?? local - Int64(rules.offset(at: local - 86_400))
        }
    }
}

/// A difference to UTC as text.
enum ZoneOffset {
    /// Java's patterns of offsets: `+HH`, `+HHmm`, `+HH:MM` and those with seconds where there are any.
    enum Form: Sendable {
        case hours, minutes, colons
    }

    private static let secondsMax = 18 * 3_600

    static func text(_ offset: Int, _ form: Form, zero: String) -> String {
        guard offset != 0 else { return zero }
        let amount = abs(offset)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let colon = form == .colons ? ":" : ""
        var text = (offset < 0 ? "-" : "+") + two(amount / 3_600)
        if form != .hours || amount / 60 % 60 != 0 { text += colon + two(amount / 60 % 60) }
        if amount % 60 != 0 { text += colon + two(amount % 60) }
        return text
    }

    /// `+8`, `+08`, `+0800`, `+08:00`, `+08:00:00` from its first to its last sign.
    static func read(_ text: Substring) -> Int? {
        var rest = text.utf8[...]
        guard let sign = rest.popFirst(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        let parts = rest.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var digits: [Int] = []
        for (place, part) in parts.enumerated() {
            guard parts.count == 1 || part.count == 2 || (place == 0 && part.count == 1) else { return nil }
            if part.count == 1 { digits.append(0) }
            for byte in part {
                guard (0x30...0x39).contains(byte) else { return nil }
                digits.append(Int(byte) - 0x30)
            }
        }
        guard parts.count <= 3, [2, 4, 6].contains(digits.count) else { return nil }
        var seconds = 0
        for (place, unit) in [3_600, 60, 1].enumerated() where place * 2 + 1 < digits.count {
            let number = digits[place * 2] * 10 + digits[place * 2 + 1]
            guard place == 0 || number < 60 else { return nil }
            seconds += number * unit
        }
        guard seconds <= secondsMax else { return nil }
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }
}
