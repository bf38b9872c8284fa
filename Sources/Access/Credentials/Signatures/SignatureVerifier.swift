import Crypto
import JSON

/// Verifies requests that are signed with Signature Version 4, as the Amplify clients sign them.
///
/// Clients differ in whether they sign the host with its port, so several spellings of it are tried; what a signature
/// proves stays the same, since the host of a request says nothing about its sender.
struct SignatureVerifier: Sendable {
    private let credentials: [ByteText: PrincipalCredential]
    private let demands: SignatureDemands
    /// Whose the keys are that nobody has configured; nil: nobody gives any out.
    var temporary: (any TemporaryCredentials)?

    init(_ credentials: [PrincipalCredential], _ demands: SignatureDemands) {
        self.credentials = Dictionary(
            texts: credentials.map { ($0.principal.accessKeyID, $0) }, uniquingKeysWith: { first, _ in first })
        self.demands = demands
    }

    /// Whose signature it is.
    func identity(
        of request: CredentialRequest, signedBy text: String, now: Int64
    ) throws(Refusal) -> Identity {
        let header = try SignatureHeader(text)
        let date = try time(of: request, header, now: now)
        guard header.service == demands.service else {
            throw .signatureTime("Credential should be scoped to correct service: '\(demands.service)'.")
        }
        if let region = demands.region, header.region != region {
            throw .signatureTime("Credential should be scoped to a valid Region, not '\(header.region)'.")
        }
        guard let credential = credentials[header.accessKeyID] else {
            let given = try temporary(header.accessKeyID, of: request, now: now)
            try verify(request, header, date: date, secret: given.secret)
            return .iam(given.principal, expires: given.expires)
        }
        guard isGood(credential, for: request) else { throw .unknownAccessKey }
        try verify(request, header, date: date, secret: credential.secret)
        return .iam(credential.principal)
    }

    /// What was given out for a time as a key that nobody has configured.
    private func temporary(
        _ accessKeyID: String, of request: CredentialRequest, now: Int64
    ) throws(Refusal) -> TemporaryCredential {
        guard let temporary, let token = request.fields.only("x-amz-security-token"),
            token.utf8.count <= AccessLimits.tokenBytesMax,
            let given = temporary.credential(ofKey: accessKeyID, sessionToken: token)
        else { throw .unknownAccessKey }
        guard now < given.expires else {
            throw .expiredCredentials.because(
                "the access key ended \(now.subtractingReportingOverflow(given.expires).partialValue) seconds ago")
        }
        return given
    }

    /// Whether the credentials count for a request: where it comes from, and the session that it names.
    private func isGood(_ credential: PrincipalCredential, for request: CredentialRequest) -> Bool {
        if credential.isForThisMachine {
            guard request.fields.areFromThisMachine else { return false }
            if demands.takesAnySessionOnThisMachine { return true }
        }
        return ConstantTime.areEqual(
            credential.sessionToken ?? "", request.fields.only("x-amz-security-token") ?? "")
    }

    /// The time of the signature, which must be about now.
    private func time(
        of request: CredentialRequest, _ header: SignatureHeader, now: Int64
    ) throws(Refusal) -> String {
        guard let date = request.fields.only("x-amz-date"), let seconds = SignatureTime.seconds(of: date) else {
            throw .incompleteSignature("Authorization header requires existence of one 'X-Amz-Date' header.")
        }
        guard header.day == String(date.prefix(8)) else {
            throw .signatureTime("Date in Credential scope does not match the date of the request: \(date)")
        }
        let minutes = demands.skewSeconds / 60
        if seconds < now - demands.skewSeconds {
            throw .signatureTime("Signature expired: \(date) is more than \(minutes) minutes ago")
        }
        if seconds > now + demands.skewSeconds {
            throw .signatureTime("Signature not yet current: \(date) is more than \(minutes) minutes ahead")
        }
        return date
    }

    private func verify(
        _ request: CredentialRequest, _ header: SignatureHeader, date: String, secret: String
    ) throws(Refusal) {
        guard header.signedFields.contains("host"), request.fields.only("host") != nil else {
            throw .incompleteSignature("'Host' must be a 'SignedHeader' in the AWS Authorization.")
        }
        for name in header.signedFields where request.fields.values(of: name).isEmpty {
            throw .incompleteSignature("'\(name)' is a 'SignedHeader', but the request has no such header.")
        }
        for name in demands.signedFields where !request.fields.values(of: name).isEmpty {
            guard header.signedFields.contains(name) else {
                throw .incompleteSignature("'\(name)' must be a 'SignedHeader' in the AWS Authorization.")
            }
        }
        for name in demands.singleFields where request.fields.values(of: name).count > 1 {
            throw .incompleteSignature("The request has more than one '\(name)' header.")
        }
        let bodyDigest = Hexadecimal.text(of: Digest.sha256.of(request.body))
        let key = SigningKey.bytes(
            secret: secret, day: header.day, region: header.region, service: header.service)
        var first: (canonical: String, toSign: String)?
        for values in Self.readings(request.fields, of: header.signedFields) {
            for path in Self.paths(request) {
                for host in hosts(request) {
                    let canonical = CanonicalRequest(
                        method: request.line.method, path: path, query: CanonicalRequest.query(request.line.query),
                        signedFields: header.signedFields, values: { $0 == "host" ? [host] : values($0) },
                        bodyDigest: bodyDigest
                    ).text
                    let digest = Hexadecimal.text(of: Digest.sha256.of(Array(canonical.utf8)))
                    let toSign = [SignatureHeader.algorithm, date, header.scope, digest].joined(separator: "\n")
                    let signature = Hexadecimal.text(of: HMACSHA256.code(of: Array(toSign.utf8), key: key))
                    if ConstantTime.areEqual(signature, header.signature) {
                        return try checkDigest(request, bodyDigest)
                    }
                    first = first ?? (canonical, toSign)
                }
            }
        }
        throw .wrongSignature(canonical: first?.canonical ?? "", toSign: first?.toSign ?? "")
    }

    /// A digest of the body that the request itself names must be the body's.
    private func checkDigest(_ request: CredentialRequest, _ bodyDigest: String) throws(Refusal) {
        for named in request.fields.values(of: "x-amz-content-sha256") where named != bodyDigest {
            throw .signatureTime("The provided 'x-amz-content-sha256' header does not match what was computed.")
        }
    }

    /// How the signed fields may have been read by who signed them: all their values, and, where some are the same,
    /// each of them once. Who puts the fields of two libraries together does so after one of them has signed.
    private static func readings(
        _ fields: any CredentialFields, of names: [String]
    ) -> [(String) -> [String]] {
        let isRepeated = names.contains { fields.distinctValues(of: $0).count < fields.values(of: $0).count }
        return [fields.values(of:)] + (isRepeated ? [fields.distinctValues(of:)] : [])
    }

    private static func paths(_ request: CredentialRequest) -> [String] {
        let canonical = CanonicalRequest.path(request.line.path)
        return canonical == request.line.path ? [canonical] : [canonical, request.line.path]
    }

    private func hosts(_ request: CredentialRequest) -> [String] {
        guard let given = request.fields.only("host") else { return [] }
        guard !demands.isHostExact else {
            // What the request is for is decided by its authority, which a target can name as well.
            return request.line.authority.map { $0 == given } ?? true ? [given] : []
        }
        let bare = Self.withoutPort(given)
        let port = request.line.authority.map { String($0.dropFirst(Self.withoutPort($0).count)) } ?? ""
        return [given, bare, bare + port, request.line.authority ?? given].eachOnce()
            .prefix(AccessLimits.signatureAttemptsMax / 4).map(\.self)
    }

    private static func withoutPort(_ host: String) -> String {
        guard let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")),
            host[colon...].utf8.dropFirst().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return host }
        return String(host[..<colon])
    }
}
