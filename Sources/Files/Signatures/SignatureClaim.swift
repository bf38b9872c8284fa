import Access
import Crypto
import JSON
import Network

/// How a request says that it is signed with Version 4: in its head, or as a link in its query.
struct SignatureClaim {
    let header: SignatureHeader
    /// The time of the signature, as it was signed.
    let date: String
    /// What stands for the body's digest in what was signed.
    let payload: String
    let sessionToken: String?
    let isLink: Bool

    /// What the claim of a request is; nil for one that is not signed.
    static func find(in head: HTTPRequestHead, _ query: RawQuery, now: Int64) throws(FileError) -> SignatureClaim? {
        let authorization = head.fields.values(of: "authorization" as StaticString).first
        let parameters = LinkParameters(query)
        try parameters.checkOnce()
        guard parameters.isSigned else {
            return try authorization.map { text throws(FileError) in
                try SignatureClaim(authorization: text, head.fields, now: now)
            }
        }
        guard authorization == nil else { throw .severalMechanisms }
        try parameters.checkSpelling()
        return try SignatureClaim(parameters, head.fields, now: now)
    }

    // MARK: In the head

    private init(authorization text: String, _ fields: HTTPFields, now: Int64) throws(FileError) {
        guard SignatureHeader.begins(text) else {
            guard text.hasPrefix("AWS ") || text.hasPrefix("AWS4-") else {
                throw .invalidArgument("Unsupported Authorization Type").with("ArgumentName", "Authorization")
            }
            throw .unsupportedMechanism
        }
        do throws(Refusal) {
            header = try SignatureHeader(text)
        } catch {
            throw .malformedHeader(error.message)
        }
        guard let date = Self.date(fields, now: now), let seconds = SignatureTime.seconds(of: date) else {
            throw .accessDenied("AWS authentication requires a valid Date or x-amz-date header")
        }
        try Self.check(header, date: date) { .malformedHeader($0) }
        guard (now - FileLimits.skewSeconds...now + FileLimits.skewSeconds).contains(seconds) else {
            throw .requestTimeTooSkewed.with("RequestTime", date)
                .with("MaxAllowedSkewMilliseconds", "\(FileLimits.skewSeconds * 1_000)")
        }
        guard let payload = fields["x-amz-content-sha256"] else {
            throw .invalidRequest("Missing required header for this request: x-amz-content-sha256")
        }
        self.date = date
        self.payload = payload
        sessionToken = fields["x-amz-security-token"]
        isLink = false
    }

    /// The time of a request in the form that is signed: its own field, else `Date`, which SDKs send in its place where they were given
    /// one. It need not be among the signed fields, as it is signed by itself.
    private static func date(_ fields: HTTPFields, now: Int64) -> String? {
        if let date = fields["x-amz-date"] { return date }
        guard let date = fields["date"] else { return nil }
        guard let seconds = HTTPDate.seconds(of: date, now: now) else { return date }
        let text = Timestamp(seconds: seconds).text.utf8.prefix(19).filter {
            $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":")
        }
        return String(decoding: text, as: UTF8.self) + "Z"
    }

    // MARK: In a link

    private init(_ parameters: LinkParameters, _ fields: HTTPFields, now: Int64) throws(FileError) {
        guard let algorithm = parameters["x-amz-algorithm"], let credential = parameters["x-amz-credential"],
            let date = parameters["x-amz-date"], let expires = parameters["x-amz-expires"],
            let names = parameters["x-amz-signedheaders"], let signature = parameters["x-amz-signature"]
        else {
            throw .malformedLink(
                "Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters."
            )
        }
        guard algorithm == SignatureHeader.algorithm else {
            throw .malformedLink("X-Amz-Algorithm only supports \"\(SignatureHeader.algorithm)\"")
        }
        do throws(Refusal) {
            header = try SignatureHeader(credential: credential, signedFields: names, signature: signature)
        } catch {
            throw .malformedLink(error.message)
        }
        guard let seconds = SignatureTime.seconds(of: date) else {
            throw .malformedLink("X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"")
        }
        try Self.check(header, date: date) { .malformedLink($0) }
        guard seconds <= now + FileLimits.skewSeconds else {
            throw .accessDenied("Request is not valid yet").with("X-Amz-Date", date)
        }
        guard now < seconds + (try Self.life(expires)) else {
            throw .accessDenied("Request has expired").with("X-Amz-Expires", expires)
        }
        self.date = date
        payload = try Self.payload(parameters, fields)
        sessionToken = parameters["x-amz-security-token"]
        isLink = true
    }

    /// How many seconds a link is good.
    private static func life(_ text: String) throws(FileError) -> Int64 {
        guard (1...10).contains(text.utf8.count),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let seconds = Int64(text)
        else { throw .malformedLink("X-Amz-Expires should be a number") }
        guard (1...FileLimits.linkSecondsMax).contains(seconds) else {
            throw .malformedLink(
                "X-Amz-Expires must be between 1 second and a week (\(FileLimits.linkSecondsMax) seconds)")
        }
        return seconds
    }

    /// What a link says about the body: most say nothing.
    private static func payload(_ parameters: LinkParameters, _ fields: HTTPFields) throws(FileError) -> String {
        let field = fields["x-amz-content-sha256"]
        guard let parameter = parameters["x-amz-content-sha256"] else { return field ?? PayloadClaim.unsignedName }
        guard field == nil || field == parameter else {
            throw .invalidRequest("The link and its head have different values of x-amz-content-sha256.")
        }
        return parameter
    }

    // MARK: Both

    /// What a signature is good for is the day of the request and this service; its region is looked at with the key.
    static func check(
        _ header: SignatureHeader, date: String, _ error: (String) -> FileError
    ) throws(FileError) {
        guard date.hasPrefix(header.day), header.day.utf8.count == 8 else {
            throw error(
                "Invalid credential date \"\(header.day)\". This date is not the same as X-Amz-Date: \"\(date.utf8.prefix(8))\"."
            )
        }
        guard header.service == FileSignatures.service else {
            throw error(
                "Error parsing the X-Amz-Credential parameter; incorrect service \"\(header.service)\". This endpoint belongs to \"\(FileSignatures.service)\"."
            )
        }
        guard Hexadecimal.areDigest(header.signature.utf8) else { throw .signatureDoesNotMatch.because("no digits") }
    }
}
