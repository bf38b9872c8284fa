import Glibc

/// The processes of a group: a shell, say, with the program that it has started, and what that has.
enum ProcessGroup {
    /// More are not looked at.
    private static let entriesMax = 65_536

    /// Those that are in a group now, its leader among them.
    static func members(of leader: Int32) -> [Int32] {
        guard let directory = opendir("/proc") else { return [leader] }
        defer { closedir(directory) }
        var members: [Int32] = []
        var entries = 0
        while entries < entriesMax, let entry = readdir(directory) {
            entries += 1
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let number = Int32(name), number > 0, getpgid(number) == leader else { continue }
            members.append(number)
        }
        return members.isEmpty ? [leader] : members
    }
}
