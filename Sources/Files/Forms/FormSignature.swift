import Access
import Crypto
import JSON

extension FileSignatures {
    /// Who has signed a form by its policy, with Version 4 or 2; nil for a form that has none. The policy itself is not looked at.
    package func principal(
        of form: FormFields, from source: RequestSource, now: Int64
    ) throws(FileError) -> IAMPrincipal? {
        guard let policy = form["policy"] else {
            // What is signed is the policy.
            if form["x-amz-signature"] != nil || form["signature"] != nil { throw Self.missing("policy") }
            return nil
        }
        if let key = form["awsaccesskeyid"] {
            guard form["x-amz-signature"] == nil, form["x-amz-algorithm"] == nil else { throw .severalMechanisms }
            let signature = try Self.field("signature", of: form)
            let owner = try owner(
                of: key, form["x-amz-security-token"], from: source, now: now)
            guard SignatureVersion2.isSigned(policy, signature, secret: owner.secret) else {
                throw Self.mismatch(key, policy, signature)
            }
            return owner.principal
        }
        let algorithm = try Self.field("x-amz-algorithm", of: form)
        let credential = try Self.field("x-amz-credential", of: form)
        let date = try Self.field("x-amz-date", of: form)
        let signature = try Self.field("x-amz-signature", of: form)
        guard algorithm == SignatureHeader.algorithm else { throw .unsupportedMechanism }
        let header: SignatureHeader
        do throws(Refusal) {
            header = try SignatureHeader(credential: credential, signedFields: "policy", signature: signature)
        } catch {
            throw .malformedHeader(error.message)
        }
        guard let seconds = SignatureTime.seconds(of: date) else {
            throw .accessDenied("AWS authentication requires a valid x-amz-date field")
        }
        try SignatureClaim.check(header, date: date) { .malformedHeader($0) }
        try checkRegion(header) { .malformedHeader($0) }
        guard seconds <= now + FileLimits.skewSeconds else { throw .accessDenied("Request is not valid yet") }
        let owner = try owner(
            of: header.accessKeyID, form["x-amz-security-token"], from: source, now: now)
        let key = key(of: header.accessKeyID, secret: owner.secret, day: header.day)
        let computed = Hexadecimal.text(of: key.code(of: Array(policy.utf8)))
        guard ConstantTime.areEqual(computed, signature) else {
            throw Self.mismatch(header.accessKeyID, policy, signature)
        }
        return owner.principal
    }

    private static func mismatch(_ key: String, _ policy: String, _ signature: String) -> FileError {
        .signatureDoesNotMatch.with("AWSAccessKeyId", key).with("StringToSign", policy)
            .with("SignatureProvided", signature)
    }

    private static func field(_ name: String, of form: FormFields) throws(FileError) -> String {
        guard let value = form[name] else { throw missing(name) }
        return value
    }

    private static func missing(_ name: String) -> FileError {
        .invalidArgument(
            "Bucket POST must contain a field named '\(name)'. If it is specified, please check the order of the fields."
        ).with("ArgumentName", name)
    }
}
