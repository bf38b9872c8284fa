/// The bounds of calls that no single service sets.
package enum CloudLimits {
    /// The members of an object with texts by name.
    package static let mapMembersMax = 100
    /// The faults of a call that its refusal names. More are left out.
    package static let faultsMax = 10
}
