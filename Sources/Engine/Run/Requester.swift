import Access

/// Who sent a request, and what becomes of what is found out about it. What they may do is asked of Access's `Caller`, who
/// is the same in many requests.
package struct Requester: Sendable {
    package let identity: Identity
    /// What becomes of the reasons of a denial; nil: nobody collects them.
    let explanation: Explanation?
    /// What is noted for the log and the counters; nil: nobody counts.
    let note: OperationNote?
    /// From where the request came; nil: nobody says.
    let sender: (any RequestSender)?

    /// Without a sender, functions get the identity alone.
    package init(
        _ identity: Identity, explanation: Explanation? = nil, note: OperationNote? = nil,
        sender: (any RequestSender)? = nil
    ) {
        self.identity = identity
        self.explanation = explanation
        self.note = note
        self.sender = sender
    }

    /// As functions and handlers see them.
    var fieldCaller: FieldCaller {
        FieldCaller { [identity, sender] in sender?.told(of: identity) ?? FieldCaller.Told(identity, from: []) }
    }
}

/// The place that requests come from. Hot path: an object that many requests share, since most of them call no function.
package protocol RequestSender: AnyObject, Sendable {
    /// The words for functions about a request from there; made only when one asks.
    func told(of identity: Identity) -> FieldCaller.Told
}
