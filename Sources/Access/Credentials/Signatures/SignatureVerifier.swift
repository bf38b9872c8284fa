import Crypto
import JSON

/// Verifies requests that are signed with Signature Version 4, as the Amplify clients sign them.
///
/// Clients differ in whether they sign the host with its port, so several spellings of it are tried; what a signature
/// proves stays the same, since the host of a request says nothing about its sender.
struct SignatureVerifier: Sendable {
    private let credentials: [ByteText: PrincipalCredential]
    private let demands: SignatureDemands
    private let keys: SigningKeys
    /// Whose the keys are that nobody has configured; nil: nobody gives any out.
    var temporary: (any TemporaryCredentials)?

    init(_ credentials: [PrincipalCredential], _ demands: SignatureDemands) {
        self.credentials = Dictionary(
            texts: credentials.map { ($0.principal.accessKeyID, $0) }, uniquingKeysWith: { first, _ in first })
        self.demands = demands
        keys = SigningKeys(service: demands.service)
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
        let fields = request.fields
        let signed = header.signedFields.map { CanonicalRequest.Field(name: $0, values: fields.values(of: $0)) }
        guard let host = signed.first(where: { $0.name == "host" }), let given = ShownCredential(host.values).value
        else {
            throw .incompleteSignature("'Host' must be a 'SignedHeader' in the AWS Authorization.")
        }
        for field in signed where field.values.isEmpty {
            throw .incompleteSignature("'\(field.name)' is a 'SignedHeader', but the request has no such header.")
        }
        for name in demands.signedFields where !Self.isSigned(name, signed) {
            guard fields.values(of: name).isEmpty else {
                throw .incompleteSignature("'\(name)' must be a 'SignedHeader' in the AWS Authorization.")
            }
        }
        for name in demands.singleFields {
            guard fields.values(of: name).count > 1 else { continue }
            throw .incompleteSignature("The request has more than one '\(name)' header.")
        }
        let bodyDigest = Hexadecimal.text(of: Digest.sha256.of(request.body))
        let key = keys.key(of: header.accessKeyID, secret: secret, day: header.day, region: header.region)
        let line = request.line
        let query = CanonicalRequest.query(line.query)
        var first: (canonical: [UInt8], toSign: [UInt8])?
        for fields in Self.readings(signed) {
            for path in Self.paths(line) {
                for host in hosts(given, line) {
                    let canonical = CanonicalRequest(
                        method: line.method, path: path, query: query, fields: fields, host: host,
                        bodyDigest: bodyDigest
                    ).bytes
                    let toSign = Self.textToSign(date, header, Digest.sha256.of(canonical))
                    let signature = Hexadecimal.digits(of: key.code(of: toSign))
                    if ConstantTime.areEqual(signature, header.signature.utf8) {
                        return try checkDigest(request, bodyDigest)
                    }
                    first = first ?? (canonical, toSign)
                }
            }
        }
        throw .wrongSignature(
            canonical: String(decoding: first?.canonical ?? [], as: UTF8.self),
            toSign: String(decoding: first?.toSign ?? [], as: UTF8.self))
    }

    /// Hot path: a few short names.
    private static func isSigned(_ name: String, _ signed: [CanonicalRequest.Field]) -> Bool {
        for field in signed where field.name == name { return true }
        return false
    }

    private static func textToSign(_ date: String, _ header: SignatureHeader, _ digest: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(textBytes)
        text += SignatureHeader.algorithm.utf8
        text.append(UInt8(ascii: "\n"))
        text += date.utf8
        text.append(UInt8(ascii: "\n"))
        header.appendScope(to: &text)
        text.append(UInt8(ascii: "\n"))
        text += Hexadecimal.digits(of: digest)
        return text
    }

    /// What a text to sign usually takes.
    private static let textBytes = 192

    /// A digest of the body that the request itself names must be the body's.
    private func checkDigest(_ request: CredentialRequest, _ bodyDigest: String) throws(Refusal) {
        for named in request.fields.values(of: "x-amz-content-sha256") where named != bodyDigest {
            throw .signatureTime("The provided 'x-amz-content-sha256' header does not match what was computed.")
        }
    }

    /// How the signed fields may have been read by who signed them: all their values, and, where some are the same,
    /// each of them once. Who puts the fields of two libraries together does so after one of them has signed.
    private static func readings(_ signed: [CanonicalRequest.Field]) -> [[CanonicalRequest.Field]] {
        let once = signed.map { field in
            field.values.count < 2 ? field : CanonicalRequest.Field(name: field.name, values: field.values.eachOnce())
        }
        let isRepeated = zip(once, signed).contains { $0.values.count < $1.values.count }
        return isRepeated ? [signed, once] : [signed]
    }

    private static func paths(_ line: CredentialRequest.Line) -> [String] {
        let canonical = CanonicalRequest.path(line.path)
        return canonical == line.path ? [canonical] : [canonical, line.path]
    }

    private func hosts(_ given: String, _ line: CredentialRequest.Line) -> [String] {
        guard !demands.isHostExact else {
            // What the request is for is decided by its authority, which a target can name as well.
            return line.authority.map { $0 == given } ?? true ? [given] : []
        }
        let bare = Self.withoutPort(given)
        let port = line.authority.map { String($0.dropFirst(Self.withoutPort($0).count)) } ?? ""
        return [given, bare, bare + port, line.authority ?? given].eachOnce()
            .prefix(AccessLimits.signatureAttemptsMax / 4).map(\.self)
    }

    private static func withoutPort(_ host: String) -> String {
        guard let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")),
            host[colon...].utf8.dropFirst().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return host }
        return String(host[..<colon])
    }
}
