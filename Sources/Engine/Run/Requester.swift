import Access
import JSON

/// Who sent a request, and what functions are told of it.
package struct Requester: Sendable {
    package let identity: Identity
    /// The fields of the request's head, as functions get them.
    let fields: @Sendable () -> [(name: String, value: String)]
    let sourceAddresses: [String]
    let domainName: String?
    /// What becomes of the reasons of a denial; nil: nobody collects them.
    let explanation: Explanation?

    package init(
        _ identity: Identity, sourceAddresses: [String] = [], domainName: String? = nil,
        explanation: Explanation? = nil,
        fields: @escaping @Sendable () -> [(name: String, value: String)] = { [] }
    ) {
        self.identity = identity
        self.fields = fields
        self.sourceAddresses = sourceAddresses
        self.domainName = domainName
        self.explanation = explanation
    }

    /// As functions see it; made only when one is called.
    var fieldCaller: FieldCaller {
        FieldCaller(
            identity: identity.payload(sourceAddresses: sourceAddresses), fields: fields(), domainName: domainName)
    }
}

/// Who a run of an operation is for: the requester, and what the rules of the schema make of their identity.
struct RunCaller: Sendable {
    let requester: Requester
    let access: Caller
}
