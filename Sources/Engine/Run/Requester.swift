import Access

/// Who sent a request, and what becomes of what is found out about it. What they may do is asked of Access's `Caller`, who
/// is the same in many requests.
package struct Requester: Sendable {
    package let identity: Identity
    /// What becomes of the reasons of a denial; nil: nobody collects them.
    let explanation: Explanation?
    /// What is noted for the log and the counters; nil: nobody counts.
    let note: OperationNote?
    /// What functions are told of them; made only when one is.
    let told: @Sendable () -> FieldCaller.Told

    /// `told` is called when a function is told of them. Without it functions are told nothing but the identity.
    package init(
        _ identity: Identity, explanation: Explanation? = nil, note: OperationNote? = nil,
        told: (@Sendable () -> FieldCaller.Told)? = nil
    ) {
        self.identity = identity
        self.explanation = explanation
        self.note = note
        self.told = told ?? { FieldCaller.Told(identity, from: []) }
    }

    /// As functions and handlers see them.
    var fieldCaller: FieldCaller { FieldCaller(told) }
}
