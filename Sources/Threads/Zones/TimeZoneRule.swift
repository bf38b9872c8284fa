/// The rule by which a zone goes on: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct TimeZoneRule: Sendable, Equatable {
    private struct Change: Sendable, Equatable {
        let month: Int
        let week: Int
        /// 0 is Sunday.
        let weekday: Int
        let seconds: Int
    }

    private let standard: TimeZoneRules.Setting
    private var summer: (setting: TimeZoneRules.Setting, from: Change, to: Change)?

    static func == (left: TimeZoneRule, right: TimeZoneRule) -> Bool {
        left.standard == right.standard && left.summer?.setting == right.summer?.setting
            && left.summer?.from == right.summer?.from && left.summer?.to == right.summer?.to
    }

    init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        guard let name = Self.name(&rest), let west = Self.seconds(&rest) else { return nil }
        standard = .init(offset: -west, name: name)
        guard !rest.isEmpty else { return }
        guard let name = Self.name(&rest) else { return nil }
        var offset = standard.offset + 3_600
        if let first = rest.first, first != UInt8(ascii: ",") {
            guard let west = Self.seconds(&rest) else { return nil }
            offset = -west
        }
        guard let from = Self.change(&rest), let to = Self.change(&rest), rest.isEmpty else { return nil }
        summer = (.init(offset: offset, name: name), from, to)
    }

    func setting(at moment: Int64) -> TimeZoneRules.Setting {
        guard let summer else { return standard }
        let local = moment + Int64(standard.offset)
        let year = CivilDay(Int((local >= 0 ? local : local - 86_399) / 86_400)).year
        let begin = Self.moment(summer.from, year) - Int64(standard.offset)
        let end = Self.moment(summer.to, year) - Int64(summer.setting.offset)
        let isSummer = begin < end ? begin <= moment && moment < end : !(end <= moment && moment < begin)
        return isSummer ? summer.setting : standard
    }

    /// The local time of a change, in seconds.
    private static func moment(_ change: Change, _ year: Int) -> Int64 {
        let day = CivilDay(year: year, month: change.month, day: 1).number
        let weekday = CivilDay(day).weekday - 1
        var found = day + (change.weekday - weekday + 7) % 7 + (change.week - 1) * 7
        // The fifth week is the last one.
        while CivilDay(found).month != change.month { found -= 7 }
        return Int64(found) * 86_400 + Int64(change.seconds)
    }

    /// `CET`, `<+03>`; the signs around it are no part of it.
    private static func name(_ text: inout ArraySlice<UInt8>) -> String? {
        let name: ArraySlice<UInt8>
        if text.first == UInt8(ascii: "<") {
            guard let end = text.firstIndex(of: UInt8(ascii: ">")) else { return nil }
            name = text[..<end].dropFirst()
            text = text[(end + 1)...]
        } else {
            name = text.prefix { (0x41...0x5A).contains($0 & 0xDF) }
            text = text.dropFirst(name.count)
        }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
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
