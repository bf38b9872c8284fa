import Access
import JSON

/// Who sent a request, and what functions are told of it.
package struct Requester: Sendable {
    package let identity: Identity
    /// What becomes of the reasons of a denial; nil: nobody collects them.
    let explanation: Explanation?
    /// What is noted for the log and the counters; nil: nobody counts.
    let note: OperationNote?
    private let particulars: @Sendable () -> Particulars

    /// What only functions want to know.
    package struct Particulars: Sendable {
        let sourceAddresses: [String]
        let domainName: String?
        /// The fields of the request's head, as functions get them.
        let fields: [(name: String, value: String)]

        package init(
            sourceAddresses: [String] = [], domainName: String? = nil, fields: [(name: String, value: String)] = []
        ) {
            self.sourceAddresses = sourceAddresses
            self.domainName = domainName
            self.fields = fields
        }
    }

    /// `particulars` is called when they are wanted.
    package init(
        _ identity: Identity, explanation: Explanation? = nil, note: OperationNote? = nil,
        particulars: @escaping @Sendable () -> Particulars = { Particulars() }
    ) {
        self.identity = identity
        self.explanation = explanation
        self.note = note
        self.particulars = particulars
    }

    /// As functions see it; made only when one is called.
    var fieldCaller: FieldCaller {
        let particulars = particulars()
        return FieldCaller(
            identity: identity.payload(sourceAddresses: particulars.sourceAddresses), fields: particulars.fields,
            domainName: particulars.domainName)
    }
}

/// Who a run of an operation is for: the requester, and what the rules of the schema make of their identity.
struct RunCaller: Sendable {
    let requester: Requester
    let access: Caller
}
