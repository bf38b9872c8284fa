import Glibc
import Network

/// The processes of a group: a shell, say, with the program that it has started, and what that has.
enum ProcessGroup {
    /// More are not looked at.
    private static let entriesMax = 65_536

    /// Those that are in a group now, its leader among them.
    static func members(of leader: Int32) -> [Int32] {
        guard let names = FolderContent.readableNames(in: "/proc", max: entriesMax) else { return [leader] }
        let members = names.compactMap { Int32($0) }.filter { $0 > 0 && getpgid($0) == leader }
        return members.isEmpty ? [leader] : members
    }
}
