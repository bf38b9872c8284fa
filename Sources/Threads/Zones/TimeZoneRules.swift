#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The offsets of a time zone, from the system's own files (RFC 8536).
package struct TimeZoneRules: Sendable, Equatable {
    /// How clocks are set: what is added to UTC, in seconds, and what that is called, such as `CET`.
    package struct Setting: Sendable, Equatable {
        package let offset: Int
        package let name: String
    }

    /// The moments when clocks are set, and how they are from each on.
    private var changes: [(moment: Int64, setting: Setting)] = []
    /// Before the first change.
    private var first = Setting(offset: 0, name: "UTC")
    /// The rule after the last transition.
    private var rule: TimeZoneRule?

    private static let folder = "/usr/share/zoneinfo/"
    private static let bytesMax = 256 << 10
    private static let utc: Set = ["UTC", "Etc/UTC", "GMT", "Z"]

    package static func == (left: TimeZoneRules, right: TimeZoneRules) -> Bool {
        left.first == right.first && left.rule == right.rule && left.changes.elementsEqual(right.changes, by: ==)
    }

    private init() {}

    /// Nil: there is no such zone.
    package init?(named name: String) {
        guard !Self.utc.contains(name) else {
            self.init()
            return
        }
        func isOfName(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                || [0x2F, 0x2D, 0x2B, 0x5F].contains(byte)
        }
        guard !name.isEmpty, !name.hasPrefix("/"), name.utf8.allSatisfy(isOfName),
            let bytes = Self.bytes(ofFile: Self.folder + name)
        else { return nil }
        self.init(file: bytes)
    }

    package init?(file bytes: [UInt8]) {
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
        let names = kinds + new[4] * 6
        func setting(_ kind: Int) -> Setting? {
            guard kind < new[4], let offset = number(kinds + kind * 6, 4), kinds + kind * 6 + 5 < bytes.count else {
                return nil
            }
            let place = names + Int(bytes[kinds + kind * 6 + 5])
            guard place < min(names + new[5], bytes.count) else { return nil }
            return Setting(
                offset: Int(offset), name: String(decoding: bytes[place...].prefix { $0 != 0 }, as: UTF8.self))
        }
        guard let first = setting(0) else { return nil }
        self.first = first
        for index in 0..<new[3] {
            guard let moment = number(moments + index * 8, 8), moments + new[3] * 8 + index < bytes.count,
                let setting = setting(Int(bytes[moments + new[3] * 8 + index]))
            else { return nil }
            changes.append((moment, setting))
        }
        let end = kinds + new[4] * 6 + new[5] + new[2] * 12 + new[1] + new[0]
        guard end < bytes.count else { return nil }
        rule = TimeZoneRule(String(decoding: bytes[end...].filter { $0 != 0x0A }, as: UTF8.self))
    }

    /// How clocks are set at a moment.
    package func setting(at moment: Int64) -> Setting {
        guard let last = changes.last else { return rule?.setting(at: moment) ?? first }
        if moment >= last.moment { return rule?.setting(at: moment) ?? last.setting }
        return changes.last { $0.moment <= moment }?.setting ?? first
    }

    /// The offset from UTC at a moment, in seconds.
    package func offset(at moment: Int64) -> Int { setting(at: moment).offset }

    /// The moment at which clocks show a time; nil: they leave it out. Of two, the first.
    package func moment(ofLocal local: Int64) -> Int64? {
        let day: Int64 = 86_400
        let offsets = Set([local - day, local, local + day].map { offset(at: $0) })
        return offsets.map { local - Int64($0) }.filter { $0 + Int64(offset(at: $0)) == local }.min()
    }

    private static func bytes(ofFile path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= bytesMax else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var count = 0
        while count < bytes.count {
            let added = bytes[count...].withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
            guard added > 0 else { return nil }
            count += added
        }
        return bytes
    }
}
