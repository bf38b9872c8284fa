/// The bounds of calls that no single service sets.
package enum CloudLimits {
    /// The members of an object with texts by name.
    package static let mapMembersMax = 100
    /// The faults of a call that its refusal names. More are left out.
    package static let faultsMax = 10
    /// The bytes of texts in an answer beyond which it is written beside the loop.
    static let writtenAtOnceMax = 64 << 10
    /// The parameters in the query of a call that has no body.
    static let queryParametersMax = 64
    /// The longest form that is looked into for the name of a call that waits.
    static let waitingFormBytesMax = 64 << 10
}
