/// What a service asks of the signatures of its callers, beside that they are right.
struct SignatureDemands: Sendable {
    /// The service in the scope of a signature.
    let service: String
    /// The region there; nil: any.
    var region: String?
    /// How far the time of a signature may be from now.
    var skewSeconds = AccessLimits.signatureSkewSeconds
    /// The fields, `host` apart, that a signature must be over where the request has them.
    var signedFields: [StaticString] = []
    /// The fields that a request may have once only.
    var singleFields: [StaticString] = []
    /// True if the host must be signed as it was sent. Else the spellings of the Amplify clients count too.
    var isHostExact = false
    /// True if keys that are no secret count whatever session they are sent with.
    var takesAnySessionOnThisMachine = true

    init(service: String) {
        self.service = service
    }
}
