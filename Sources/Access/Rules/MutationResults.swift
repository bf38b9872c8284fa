/// The places of a mutation's result: the record that it changed, by what was done to it, and the records that lead on
/// from there.
package struct MutationResults: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let created = MutationResults(rawValue: 1)
    package static let updated = MutationResults(rawValue: 2)
    package static let deleted = MutationResults(rawValue: 4)
    /// Whatever was done.
    package static let related = MutationResults(rawValue: 8)

    package static let all: MutationResults = [.created, .updated, .deleted, .related]
}
