import Access
import Crypto
import JSON
import Network

/// Tells who has signed a request for files, and what of it they have signed: Signature Version 4 in the head or in a link, or Version 2
/// in a link.
///
/// Whose the keys are is configured, or said by the session token that comes with them. Clients differ in how they sign the
/// host, a plus in the query and a slash that is escaped, so several readings are tried; what they say of the request is the
/// same, but for the plus, of which the proof tells how it was meant.
package final class FileSignatures: Sendable {
    static let service = "s3"

    private let credentials: [ByteText: PrincipalCredential]
    private let temporary: (any TemporaryCredentials)?
    private let region: String
    private let ports: [Int]
    private let keys: SigningKeys

    /// - Parameters:
    ///   - temporary: whose the keys are that nobody has configured; nil: nobody gives any out.
    ///   - ports: those that this server is reached at. A client that leaves the port out of its requests may have signed it.
    package init(
        _ configured: [PrincipalCredential], _ temporary: (any TemporaryCredentials)?, region: String, ports: [Int] = []
    ) {
        credentials = Dictionary(
            texts: configured.map { ($0.principal.accessKeyID, $0) }, uniquingKeysWith: { first, _ in first })
        self.temporary = temporary
        self.region = region
        self.ports = Array(ports.prefix(FileLimits.signedPortsMax))
        keys = SigningKeys(service: Self.service)
    }

    /// Who has signed the request with this head; throws where that is wrong.
    ///
    /// - Parameter bucket: the one that the host names; nil: the path does.
    package func proof(
        of head: HTTPRequestHead, bucket: String? = nil, from source: RequestSource, now: Int64
    ) throws(FileError) -> FileProof {
        let names = try ServiceFields.names(of: head.fields)
        let text = head.query
        let query = RawQuery(text)
        if let link = try Version2Link(query, head.fields, now: now) {
            let owner = try owner(of: link.accessKeyID, link.sessionToken, from: source, now: now)
            try link.verify(head, names, bucket: bucket, secret: owner.secret)
            return FileProof(
                principal: owner.principal, isLink: true, payload: try PayloadClaim(ofUnsigned: head.fields),
                query: try FileQuery(text, plusIsSpace: false).keeping(Version2Link.isRead),
                linkFields: link.fields.filter { LinkParameters.isField($0.name) || $0.name == "content-type" })
        }
        guard let claim = try SignatureClaim.find(in: head, query, now: now) else {
            return FileProof(
                principal: nil, isLink: false, payload: try PayloadClaim(ofUnsigned: head.fields),
                query: try FileQuery(text, plusIsSpace: true), linkFields: [])
        }
        let signed = claim.header.region
        if !Self.names(host: head.fields["host"], signed) {
            try checkRegion(claim.header) {
                claim.isLink
                    ? .malformedLink("Error parsing the X-Amz-Credential parameter; \($0)") : .malformedHeader($0)
            }
        }
        try checkSigned(claim, names, head)
        let owner = try owner(
            of: claim.header.accessKeyID, claim.sessionToken, from: source, now: now)
        let key = keys.key(of: claim.header.accessKeyID, secret: owner.secret, day: claim.header.day, region: signed)
        let plusIsSpace = try verify(claim, head, query, key)
        let meant = try FileQuery(text, plusIsSpace: plusIsSpace)
        let fields = claim.isLink ? meant.all.map { ($0.name.inLowerCaseASCII, $0.value) } : []
        return FileProof(
            principal: owner.principal, isLink: claim.isLink, payload: try PayloadClaim(claim, key), query: meant,
            linkFields: fields.filter { LinkParameters.isField($0.0) })
    }

    /// Returns whether a region is that by which amplify-js is led to this host: `localhost:20002#` to `BUCKET.s3.localhost:20002`.
    ///
    /// The library makes `https://s3.REGION.amazonaws.com` of a region, and signs that region. The host is signed too, so such a
    /// signature does not count for another host.
    static func names(host: String?, _ region: String) -> Bool {
        guard region.utf8.count > 1, region.utf8.last == UInt8(ascii: "#"), let host else { return false }
        let base = Array("s3.".utf8) + region.utf8.dropLast()
        let name = host.utf8
        guard name.count >= base.count, name.suffix(base.count).elementsEqual(base) else { return false }
        let rest = name.dropLast(base.count)
        return rest.isEmpty || rest.last == UInt8(ascii: ".")
    }

    /// Throws where a signature is for another region.
    func checkRegion(_ header: SignatureHeader, _ error: (String) -> FileError) throws(FileError) {
        guard header.region != region else { return }
        throw error("the region '\(header.region)' is wrong; expecting '\(region)'").with("Region", region)
    }

    // MARK: Whose keys they are

    /// The secret of an access key, and whose it is.
    func owner(
        of accessKeyID: String, _ token: String?, from source: RequestSource, now: Int64
    ) throws(FileError) -> (secret: String, principal: IAMPrincipal) {
        let unknown = FileError.invalidAccessKeyID.with("AWSAccessKeyId", accessKeyID)
        if let credential = credentials[accessKeyID] {
            if let fault = credential.fault(from: source) { throw unknown.because(fault) }
            if credential.reach == .anywhere {
                guard ConstantTime.areEqual(credential.sessionToken ?? "", token ?? "") else { throw .invalidToken }
            }
            return (credential.secret, credential.principal)
        }
        guard let temporary else { throw unknown }
        guard let token else {
            // Keys that are given out for a time are called so everywhere.
            throw accessKeyID.hasPrefix("ASIA") ? .invalidToken.because("there is no session token") : unknown
        }
        guard token.utf8.count <= AccessLimits.tokenBytesMax,
            let given = temporary.credential(ofKey: accessKeyID, sessionToken: token)
        else { throw accessKeyID.hasPrefix("ASIA") ? .invalidToken : unknown }
        guard now < given.expires else { throw .expiredToken }
        return (given.secret, given.principal)
    }

    /// The key that who has this secret signs with on a day.
    func key(of accessKeyID: String, secret: String, day: String) -> HMACKey {
        keys.key(of: accessKeyID, secret: secret, day: day, region: region)
    }

    // MARK: Whether they have signed it

    /// Returns whether everything is signed that says what is to be done, beside the method, the path and the query.
    private func checkSigned(
        _ claim: SignatureClaim, _ names: [[UInt8]], _ head: HTTPRequestHead
    ) throws(FileError) {
        guard claim.header.signs("host"), let host = head.fields["host"] else {
            throw .notSigned("host")
        }
        // The bucket is that of the authority, which a target can name as well.
        guard head.authority.map({ $0 == host }) ?? true else {
            throw .signatureDoesNotMatch.because("the target has another authority than the host field")
        }
        let unsigned = names.filter { !claim.header.signs($0) }
        guard unsigned.isEmpty else {
            throw .notSigned(unsigned.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ", "))
        }
    }

    /// Returns whether a plus in the query was signed as a space; throws where the signature is none of this request.
    private func verify(
        _ claim: SignatureClaim, _ head: HTTPRequestHead, _ query: RawQuery, _ key: HMACKey
    ) throws(FileError) -> Bool {
        var first: (canonical: [UInt8], toSign: [UInt8])?
        let paths = Self.paths(head)
        var scope: [UInt8] = []
        scope.reserveCapacity(Self.signedTextBytes)
        scope += SignatureHeader.algorithm.utf8
        scope.append(UInt8(ascii: "\n"))
        scope += claim.date.utf8
        scope.append(UInt8(ascii: "\n"))
        claim.header.appendScope(to: &scope)
        scope.append(UInt8(ascii: "\n"))
        // Nearly every client signs the host that it sends: the other readings are made where that is none.
        for host in hosts(head) {
            let lines = try ServiceFields.lines(claim.header, head.fields, host: host)
            for plusIsSpace in query.hasPlus ? [true, false] : [true] {
                let queryText = query.canonical(plusIsSpace: plusIsSpace) {
                    claim.isLink && LinkParameters.isSignature($0)
                }
                for path in paths {
                    var canonical: [UInt8] = []
                    canonical.reserveCapacity(path.count + queryText.count + lines.count + 128)
                    canonical += head.methodText.utf8
                    canonical.append(UInt8(ascii: "\n"))
                    canonical += path
                    canonical.append(UInt8(ascii: "\n"))
                    canonical += queryText
                    canonical.append(UInt8(ascii: "\n"))
                    canonical += lines
                    canonical.append(UInt8(ascii: "\n"))
                    canonical += claim.payload.utf8
                    let toSign = scope + Hexadecimal.digits(of: Digest.sha256.of(canonical))
                    let signature = Hexadecimal.digits(of: key.code(of: toSign))
                    if ConstantTime.areEqual(signature, claim.header.signature.utf8) { return plusIsSpace }
                    first = first ?? (canonical, toSign)
                }
            }
        }
        throw .signatureDoesNotMatch.with("AWSAccessKeyId", claim.header.accessKeyID)
            .with("StringToSign", String(decoding: first?.toSign ?? [], as: UTF8.self)).with(
                "SignatureProvided", claim.header.signature
            )
            .with("CanonicalRequest", String(decoding: first?.canonical ?? [], as: UTF8.self))
    }

    /// What most texts that are signed have less than.
    private static let signedTextBytes = 192

    /// The path as it was sent, with escapes in their one form, and where a slash is escaped, with that as a slash too.
    private static func paths(_ head: HTTPRequestHead) -> [[UInt8]] {
        let path = head.encodedPath.utf8
        let sent = SignedPath.normalized(path, isSlashEscaped: true)
        guard path.contains(UInt8(ascii: "%")) else { return [sent] }
        let open = SignedPath.normalized(path, isSlashEscaped: false)
        return open == sent ? [sent] : [sent, open]
    }

    /// The host as it was sent, without its port, and with each of the server's where it has none.
    private func hosts(_ head: HTTPRequestHead) -> [String] {
        guard let host = head.fields["host"] else { return [] }
        let digits: (UInt8) -> Bool = { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")), host.utf8[colon...].dropFirst().allSatisfy(digits)
        else { return [host] + ports.map { "\(host):\($0)" } }
        return [host, String(host[..<colon])]
    }
}
