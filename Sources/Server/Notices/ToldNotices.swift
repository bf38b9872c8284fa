import Blueprint
import JSON
import Synchronization

/// The warnings and notes about a project that the server has logged. Later readings of the project log only new ones.
final class ToldNotices: Sendable {
    private let told = Mutex(Set<ByteText>())

    /// Those that are to be told: errors always, others once.
    func new(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        told.withLock { told in diagnostics.filter { $0.isError || told.insert(ByteText($0.message)).inserted } }
    }
}
