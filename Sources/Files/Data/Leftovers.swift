import Synchronization

/// Files that a commit has left without a record and that are removed behind it. Their notes in the database go with the next
/// change, so that a delete costs one commit.
final class Leftovers: Sendable {
    private let gone = Mutex<[FileNumber]>([])

    /// Notes that are removed with one change.
    private static let perChangeMax = 256

    /// Told of files that are off the disk.
    func removed(_ files: [FileNumber]) {
        gone.withLock { $0 += files }
    }

    /// Those whose notes can go.
    func take() -> [FileNumber] {
        gone.withLock { gone in
            let taken = Array(gone.prefix(Self.perChangeMax))
            gone.removeFirst(taken.count)
            return taken
        }
    }
}
