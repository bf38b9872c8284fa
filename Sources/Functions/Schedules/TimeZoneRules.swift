import Network

/// The offsets of a time zone, from the system's own files (RFC 8536).
struct TimeZoneRules: Sendable, Equatable {
    /// The moments when the offset changes, and the offset from each on.
    private var changes: [(moment: Int64, offset: Int)] = []
    /// Before the first change.
    private var first = 0
    /// What holds behind the last one.
    private var rule: TimeZoneRule?

    private static let folder = "/usr/share/zoneinfo/"
    private static let bytesMax = 256 << 10
    private static let utc: Set = ["UTC", "Etc/UTC", "GMT", "Z"]

    static func == (left: TimeZoneRules, right: TimeZoneRules) -> Bool {
        left.first == right.first && left.rule == right.rule && left.changes.elementsEqual(right.changes, by: ==)
    }

    private init() {}

    /// Nil: there is no such zone.
    init?(named name: String) {
        guard !Self.utc.contains(name) else {
            self.init()
            return
        }
        func isOfName(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                || [0x2F, 0x2D, 0x2B, 0x5F].contains(byte)
        }
        guard !name.isEmpty, !name.hasPrefix("/"), name.utf8.allSatisfy(isOfName),
            let bytes = try? SmallFile.read(Self.folder + name, bytesMax: Self.bytesMax)
        else { return nil }
        self.init(file: bytes)
    }

    init?(file bytes: [UInt8]) {
        guard bytes.starts(with: Array("TZif".utf8)), bytes.count > 44, bytes[4] >= 0x32 else { return nil }
        func number(_ place: Int, _ count: Int) -> Int64? {
            guard place >= 0, place + count <= bytes.count else { return nil }
            let bits = bytes[place..<place + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return count == 8 ? Int64(bitPattern: bits) : Int64(Int32(truncatingIfNeeded: bits))
        }
        /// The counts of a header: of UT marks, standard marks, leap seconds, changes, kinds, letters.
        func counts(_ place: Int) -> [Int]? {
            let found = (0..<6).compactMap { number(place + 20 + $0 * 4, 4).map(Int.init) }
            return found.count == 6 && found.allSatisfy { (0...bytes.count).contains($0) } ? found : nil
        }
        // The first part is for readers of 32 bits.
        guard let old = counts(0) else { return nil }
        let start = 44 + old[3] * 5 + old[4] * 6 + old[5] + old[2] * 8 + old[1] + old[0]
        guard let new = counts(start) else { return nil }
        let moments = start + 44
        let kinds = moments + new[3] * 9
        func offset(_ kind: Int) -> Int? { kind < new[4] ? number(kinds + kind * 6, 4).map(Int.init) : nil }
        guard let first = offset(0) else { return nil }
        self.first = first
        for index in 0..<new[3] {
            guard let moment = number(moments + index * 8, 8), moments + new[3] * 8 + index < bytes.count,
                let offset = offset(Int(bytes[moments + new[3] * 8 + index]))
            else { return nil }
            changes.append((moment, offset))
        }
        let end = kinds + new[4] * 6 + new[5] + new[2] * 12 + new[1] + new[0]
        guard end < bytes.count else { return nil }
        rule = TimeZoneRule(String(decoding: bytes[end...].filter { $0 != 0x0A }, as: UTF8.self))
    }

    /// What is added to UTC at a moment, in seconds.
    func offset(at moment: Int64) -> Int {
        guard let last = changes.last else { return rule?.offset(at: moment) ?? first }
        if moment >= last.moment { return rule?.offset(at: moment) ?? last.offset }
        return changes.last { $0.moment <= moment }?.offset ?? first
    }

    /// The moment at which clocks show a time; nil: they leave it out. Of two, the first.
    func moment(ofLocal local: Int64) -> Int64? {
        let day: Int64 = 86_400
        let offsets = Set([local - day, local, local + day].map { offset(at: $0) })
        return offsets.map { local - Int64($0) }.filter { $0 + Int64(offset(at: $0)) == local }.min()
    }
}

/// The rule by which a zone goes on: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct TimeZoneRule: Sendable, Equatable {
    private struct Change: Sendable, Equatable {
        let month: Int
        let week: Int
        /// 0 is Sunday.
        let weekday: Int
        let seconds: Int
    }

    private let standard: Int
    private var summer: (offset: Int, from: Change, to: Change)?

    static func == (left: TimeZoneRule, right: TimeZoneRule) -> Bool {
        left.standard == right.standard && left.summer?.offset == right.summer?.offset
            && left.summer?.from == right.summer?.from && left.summer?.to == right.summer?.to
    }

    init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        guard Self.skipName(&rest), let west = Self.seconds(&rest) else { return nil }
        standard = -west
        guard !rest.isEmpty else { return }
        guard Self.skipName(&rest) else { return nil }
        var offset = standard + 3_600
        if let first = rest.first, first != UInt8(ascii: ",") {
            guard let west = Self.seconds(&rest) else { return nil }
            offset = -west
        }
        guard let from = Self.change(&rest), let to = Self.change(&rest), rest.isEmpty else { return nil }
        summer = (offset, from, to)
    }

    func offset(at moment: Int64) -> Int {
        guard let summer else { return standard }
        let local = moment + Int64(standard)
        let year = CivilDay(Int((local >= 0 ? local : local - 86_399) / 86_400)).year
        let begin = Self.moment(summer.from, year) - Int64(standard)
        let end = Self.moment(summer.to, year) - Int64(summer.offset)
        let isSummer = begin < end ? begin <= moment && moment < end : !(end <= moment && moment < begin)
        return isSummer ? summer.offset : standard
    }

    /// The local time of a change, in seconds.
    private static func moment(_ change: Change, _ year: Int) -> Int64 {
        // The days since 1970 of the first of the month, found by a day near it.
        var day = (year - 1_970) * 365 + (year - 1_969) / 4 + (change.month - 1) * 30 - 3
        while true {
            let civil = CivilDay(day)
            if civil.month == change.month, civil.year == year, civil.day == 1 { break }
            day += 1
        }
        let weekday = CivilDay(day).weekday - 1
        var found = day + (change.weekday - weekday + 7) % 7 + (change.week - 1) * 7
        // The fifth week is the last one.
        while CivilDay(found).month != change.month { found -= 7 }
        return Int64(found) * 86_400 + Int64(change.seconds)
    }

    private static func skipName(_ text: inout ArraySlice<UInt8>) -> Bool {
        let count = text.count
        if text.first == UInt8(ascii: "<") {
            guard let end = text.firstIndex(of: UInt8(ascii: ">")) else { return false }
            text = text[(end + 1)...]
        } else {
            text = text.drop { (0x41...0x5A).contains($0 & 0xDF) }
        }
        return text.count < count
    }

    private static func number(_ text: inout ArraySlice<UInt8>) -> Int? {
        let digits = text.prefix(3).prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty else { return nil }
        text = text.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// `[+-]HH[:MM[:SS]]`
    private static func seconds(_ text: inout ArraySlice<UInt8>) -> Int? {
        let sign = text.first == UInt8(ascii: "-") ? -1 : 1
        if let first = text.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { text = text.dropFirst() }
        guard var total = number(&text).map({ $0 * 3_600 }) else { return nil }
        for unit in [60, 1] where text.first == UInt8(ascii: ":") {
            text = text.dropFirst()
            guard let part = number(&text) else { return nil }
            total += part * unit
        }
        return sign * total
    }

    /// `,Mm.w.d[/time]`
    private static func change(_ text: inout ArraySlice<UInt8>) -> Change? {
        guard text.starts(with: [UInt8(ascii: ","), UInt8(ascii: "M")]) else { return nil }
        text = text.dropFirst(2)
        var parts: [Int] = []
        for place in 0..<3 {
            if place > 0 {
                guard text.first == UInt8(ascii: ".") else { return nil }
                text = text.dropFirst()
            }
            guard let part = number(&text) else { return nil }
            parts.append(part)
        }
        guard (1...12).contains(parts[0]), (1...5).contains(parts[1]), (0...6).contains(parts[2]) else { return nil }
        var seconds = 7_200
        if text.first == UInt8(ascii: "/") {
            text = text.dropFirst()
            guard let told = Self.seconds(&text) else { return nil }
            seconds = told
        }
        return Change(month: parts[0], week: parts[1], weekday: parts[2], seconds: seconds)
    }
}
