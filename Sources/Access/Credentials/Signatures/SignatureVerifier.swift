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
        try identity(of: request, signedBy: try SignatureHeader(text), now: now)
    }

    func identity(
        of request: CredentialRequest, signedBy header: SignatureHeader, now: Int64
    ) throws(Refusal) -> Identity {
        let date = try time(of: request, header, now: now)
        guard header.service == demands.service else {
            throw .signatureTime("Credential should be scoped to correct service: '\(demands.service)'.")
        }
        if let region = demands.region, header.region != region {
            throw .signatureTime("Credential should be scoped to a valid Region, not '\(header.region)'.")
        }
        let accessKeyID = header.accessKeyID
        guard let credential = credentials[accessKeyID] else {
            let given = try temporary(accessKeyID, of: request, now: now)
            try verify(request, header, date: date, secret: given.secret)
            return .iam(given.principal, expires: given.expires)
        }
        if let fault = credential.fault(from: request.fields.source) { throw .unknownAccessKey.because(fault) }
        guard hasSession(of: credential, request) else { throw .unknownAccessKey }
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

    /// Checks the session token of a request. Keys that everybody knows pass with any token, where the demands allow it.
    private func hasSession(of credential: PrincipalCredential, _ request: CredentialRequest) -> Bool {
        if credential.reach != .anywhere, demands.takesAnySessionOnThisMachine { return true }
        return ConstantTime.areEqual(
            credential.sessionToken ?? "", request.fields.only("x-amz-security-token") ?? "")
    }

    /// The time of the signature, which must be about now.
    private func time(
        of request: CredentialRequest, _ header: SignatureHeader, now: Int64
    ) throws(Refusal) -> [UInt8] {
        guard let date = request.fields.withOnly("x-amz-date", { Array($0) }),
            let seconds = SignatureTime.seconds(of: date)
        else {
            throw .incompleteSignature("Authorization header requires existence of one 'X-Amz-Date' header.")
        }
        var text: String { String(decoding: date, as: UTF8.self) }
        guard header.isOf(day: date.prefix(8)) else {
            throw .signatureTime("Date in Credential scope does not match the date of the request: \(text)")
        }
        let minutes = demands.skewSeconds / 60
        if seconds < now - demands.skewSeconds {
            throw .signatureTime("Signature expired: \(text) is more than \(minutes) minutes ago")
        }
        if seconds > now + demands.skewSeconds {
            throw .signatureTime("Signature not yet current: \(text) is more than \(minutes) minutes ahead")
        }
        return date
    }

    /// Hot path: the first way to read the request is nearly always the one in which it was signed, and makes no texts.
    private func verify(
        _ request: CredentialRequest, _ header: SignatureHeader, date: [UInt8], secret: String
    ) throws(Refusal) {
        let fields = request.fields
        guard header.signsHost, let given = fields.only("host") else {
            throw .incompleteSignature("'Host' must be a 'SignedHeader' in the AWS Authorization.")
        }
        let isRepeated = try checkFields(of: fields, header)
        let bodyDigest =
            request.sentDigest.map { Array(Hexadecimal.text(of: $0).utf8) } ?? Self.digits(of: request.body)
        let key = keys.key(of: header, secret: secret)
        let line = request.line
        let query = CanonicalRequest.query(line.query)
        var first: (canonical: [UInt8], toSign: [UInt8])?
        // Nil: as they stand there.
        var readings: [[CanonicalRequest.Field]?] = [nil]
        if isRepeated, let once = Self.fieldsOnce(fields, header) { readings.append(once) }
        for reading in readings {
            for path in Self.paths(line) {
                for host in hosts(given, line) {
                    let canonical =
                        if let reading {
                            CanonicalRequest(
                                method: line.method, path: path, query: query, fields: reading, host: host,
                                bodyDigest: String(decoding: bodyDigest, as: UTF8.self)
                            ).bytes
                        } else {
                            CanonicalRequest(
                                method: line.method, path: path, query: query, header, of: fields, host: host,
                                bodyDigest: bodyDigest
                            ).bytes
                        }
                    let toSign = Self.textToSign(date, header, canonical)
                    var signature: [UInt8] = []
                    key.withCode(of: toSign) { Hexadecimal.append($0, to: &signature) }
                    if ConstantTime.areEqual(signature, header.signatureBytes) {
                        return try checkDigest(fields, bodyDigest)
                    }
                    first = first ?? (canonical, toSign)
                }
            }
        }
        throw .wrongSignature(
            canonical: String(decoding: first?.canonical ?? [], as: UTF8.self),
            toSign: String(decoding: first?.toSign ?? [], as: UTF8.self))
    }

    /// Refuses a request without a field that is signed, or with one that should be or is there too often. Says whether a signed
    /// field is there several times.
    private func checkFields(
        of fields: any CredentialFields, _ header: SignatureHeader
    ) throws(Refusal) -> Bool {
        var isRepeated = false
        try header.forEachSignedField { name throws(Refusal) in
            let count = SignatureHeader.isHost(name) ? fields.count(of: "host") : fields.count(of: name)
            guard count > 0 else {
                let name = String(decoding: name, as: UTF8.self)
                throw .incompleteSignature("'\(name)' is a 'SignedHeader', but the request has no such header.")
            }
            isRepeated = isRepeated || count > 1
        }
        for name in demands.signedFields where !header.signs(name) {
            guard fields.count(of: name) == 0 else {
                throw .incompleteSignature("'\(name)' must be a 'SignedHeader' in the AWS Authorization.")
            }
        }
        for name in demands.singleFields {
            guard fields.count(of: name) > 1 else { continue }
            throw .incompleteSignature("The request has more than one '\(name)' header.")
        }
        return isRepeated
    }

    private static func digits(of bytes: [UInt8]) -> [UInt8] {
        var digest = RunningSHA256()
        digest.add(bytes)
        var digits: [UInt8] = []
        digest.end { Hexadecimal.append($0, to: &digits) }
        return digits
    }

    private static func textToSign(_ date: [UInt8], _ header: SignatureHeader, _ canonical: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(textBytes)
        text += SignatureHeader.algorithm.utf8
        text.append(UInt8(ascii: "\n"))
        text += date
        text.append(UInt8(ascii: "\n"))
        header.appendScope(to: &text)
        text.append(UInt8(ascii: "\n"))
        var digest = RunningSHA256()
        digest.add(canonical)
        digest.end { Hexadecimal.append($0, to: &text) }
        return text
    }

    /// What a text to sign usually takes.
    private static let textBytes = 192

    /// A digest of the body that the request itself names must be the body's.
    private func checkDigest(_ fields: any CredentialFields, _ bodyDigest: [UInt8]) throws(Refusal) {
        var isAnother = false
        let name: StaticString = "x-amz-content-sha256"
        fields.forEachValue(of: name.bytes) { named in
            isAnother = isAnother || !bodyDigest.withUnsafeBytes { named.isSame(as: $0) }
        }
        guard !isAnother else {
            throw .signatureTime("The provided 'x-amz-content-sha256' header does not match what was computed.")
        }
    }

    /// The signed fields as who has put the fields of two libraries together may have signed them before: those with the same value
    /// several times have it once. Nil where there are none.
    private static func fieldsOnce(
        _ fields: any CredentialFields, _ header: SignatureHeader
    ) -> [CanonicalRequest.Field]? {
        let signed = header.signedFields.map { CanonicalRequest.Field(name: $0, values: fields.values(of: $0)) }
        let once = signed.map { CanonicalRequest.Field(name: $0.name, values: $0.values.eachOnce()) }
        return zip(once, signed).contains { $0.values.count < $1.values.count } ? once : nil
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
