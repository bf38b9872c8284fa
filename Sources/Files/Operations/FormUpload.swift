import Access
import JSON
import Network

/// PostObject: a file that a page's form brings. Who made the form has signed what may be posted with it, and it is their rights
/// that count.
extension FileRun {
    func postObject() async throws(FileError) -> HTTPResponse {
        guard let type = head.fields["content-type"], type.inLowerCaseASCII.hasPrefix("multipart/form-data") else {
            throw FileError(
                412, "PreconditionFailed", "Bucket POST must be of the enclosure-type multipart/form-data")
        }
        guard call.proof.principal == nil, case .unsigned = call.proof.payload else {
            throw .invalidArgument("A form is signed by its policy and not in its head.")
        }
        if case .length(let count) = head.framing, Int64(count) > longestForm { throw .tooLarge }
        let source = BodySource(request.body)
        let intake = try FormIntake(contentType: type)
        let fields = try await intake.fields(from: source)
        let form = try checked(fields)
        try await service.makeReady(on: request.loop)
        let received = try await intake.receive(from: source, form, in: service.folder)
        let object = StoredObject(
            file: received.file.number, size: received.size, tag: received.tag, modified: service.now,
            content: form.content, checksum: received.checksum(form.checksum?.kind) ?? received.checksum(.crc64nvme),
            sum: received.sum)
        try await put(
            object, try bucket(), form.key, received.file, ObjectConditions(head.fields, now: call.now / 1_000),
            by: .post)
        return posted(object, form, fields)
    }

    private var longestForm: Int64 {
        service.settings.objectBytesMax + 2 * Int64(FileLimits.formBytesMax)
    }

    /// What is to become of the file, where who made the form may do that.
    private func checked(_ fields: FormFields) throws(FileError) -> PostedForm {
        let principal = try service.signatures.principal(
            of: fields, from: call.source, now: call.now / 1_000)
        let bucket = try bucket()
        guard let key = fields["key"], !key.isEmpty else {
            throw .invalidArgument(
                "Bucket POST must contain a field named 'key'. If it is specified, please check the order of the fields."
            ).with("ArgumentName", "key")
        }
        guard key.utf8.count <= FileLimits.keyBytesMax else { throw .keyTooLong }
        guard !key.utf8.contains(0) else { throw .invalidArgument("A key cannot hold NUL.") }
        guard service.allows(.put, bucket, key, service.caller(of: principal)) else { throw FileError.accessDenied }
        let policy = try fields["policy"].map { text throws(FileError) in try FormPolicy(text) }
        try policy?.check(fields, bucket: bucket, now: call.now / 1_000)
        return try PostedForm(fields, key: key, policy, bytesMax: service.settings.objectBytesMax)
    }

    // MARK: Answers

    /// Where the form wants the page to go next, or the status that it wants to see.
    private func posted(_ object: StoredObject, _ form: PostedForm, _ fields: FormFields) -> HTTPResponse {
        let bucket = call.target.bucket ?? ""
        var lines = HTTPFieldLines()
        lines.append("etag", "\"\(object.tag)\"")
        object.checksum?.append(to: &lines)
        // Where nobody has signed the form, nobody has said where the page may be sent.
        if form.isSigned, let target = fields["success_action_redirect"] ?? fields["redirect"],
            let location = PostedForm.redirect(target, bucket: bucket, key: form.key, tag: object.tag)
        {
            lines.append("location", location)
            return answer(HTTPStatus(code: 303), lines)
        }
        let location = location(of: form.key, in: bucket)
        lines.append("location", location)
        switch fields["success_action_status"] {
        case "200": return answer(.ok, lines)
        case "201":
            let made = MadeObject(location: location, bucket: bucket, key: form.key, etag: object.tag)
            var response = answer(markup: made.formMarkup, lines)
            response.status = HTTPStatus(code: 201)
            return response
        default: return answer(Self.noContent, lines)
        }
    }

    private func location(of key: String, in bucket: String) -> String {
        let path = (call.target.isVirtual ? [] : [bucket]) + key.parts(separatedBy: "/")
        let encoded = path.map { PercentCoding.encoded($0) }
        let scheme = request.isSecure ? "https" : "http"
        return "\(scheme)://\(head.authority ?? "localhost")/\(encoded.joined(separator: "/"))"
    }
}

/// A form whose maker may put the file there, and what is asked of the file.
struct PostedForm: Sendable {
    let key: String
    let content: ObjectContent
    let isSigned: Bool
    /// The checksums that the form names.
    let digest: [UInt8]?
    let checksum: (kind: Checksum, bytes: [UInt8])?
    private let policy: FormPolicy?
    private let bytesMax: Int64

    init(_ fields: FormFields, key: String, _ policy: FormPolicy?, bytesMax: Int64) throws(FileError) {
        self.key = key
        self.policy = policy
        isSigned = policy != nil
        self.bytesMax = bytesMax
        try ObjectContent.checkAccess(fields["acl"] ?? fields["x-amz-acl"])
        try ObjectContent.checkStorage(fields["x-amz-storage-class"])
        var content = try ObjectContent(named: fields.all.map { ($0.name, $0.value) })
        if let tagging = fields["tagging"] { content.tags = try TaggingRequest(Array(tagging.utf8)).tags }
        self.content = content
        digest = try fields["content-md5"].map { text throws(FileError) in
            guard let bytes = Checksum.md5.bytes(of: text) else { throw .invalidDigest(text) }
            return bytes
        }
        var checksums: [(kind: Checksum, bytes: [UInt8])] = []
        for kind in Checksum.named {
            guard let text = fields["\(kind.fieldName)"] else { continue }
            guard let bytes = kind.bytes(of: text) else {
                throw .invalidRequest("Value for \(kind.fieldName) field is invalid.")
            }
            checksums.append((kind, bytes))
        }
        guard checksums.count <= 1 else {
            throw .invalidRequest("Expecting a single x-amz-checksum- field. Multiple checksum Types are not allowed.")
        }
        let isUnknown = fields.all.contains { field in
            field.name.hasPrefix("x-amz-checksum-") && Checksum(fieldName: field.name) == nil
                && !Self.kindFields.contains(ByteText(field.name))
        }
        guard !isUnknown else { throw .unknownChecksum }
        checksum = checksums.first
    }

    private static let kindFields: Set<ByteText> = ["x-amz-checksum-algorithm", "x-amz-checksum-type"]

    /// What is computed while the file comes: the sum that it is checked by among it.
    var kinds: Set<Checksum> {
        var kinds: Set<Checksum> = [.crc64nvme]
        if let checksum { kinds.insert(checksum.kind) }
        return kinds
    }

    /// Throws where a file that has come so far has too many bytes.
    func check(growing size: Int64) throws(FileError) {
        guard size <= bytesMax else { throw .tooLarge }
        if let most = policy?.lengths?.upperBound, size > Int64(most) {
            throw .tooLarge.with("ProposedSize", "\(size)").with("MaxSizeAllowed", "\(most)")
        }
    }

    /// Throws where the whole file is not what the form says.
    func check(_ sums: ContentSums, _ size: Int) throws(FileError) {
        try policy?.check(size: size)
        if let digest, sums.md5 != digest { throw .wrongDigest(digest, sums.md5) }
        if let checksum, sums[checksum.kind] != checksum.bytes { throw .badDigest }
    }

    /// The address that a page is sent to, told what was made; nil for what is none.
    static func redirect(_ target: String, bucket: String, key: String, tag: String) -> String? {
        let isAddress = ["http://", "https://"].contains {
            target.inLowerCaseASCII.hasPrefix($0) && target.utf8.count > $0.utf8.count
        }
        guard isAddress, target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        let parameters = [("bucket", bucket), ("key", key), ("etag", "\"\(tag)\"")].map { name, value in
            "\(name)=\(PercentCoding.encoded(value))"
        }
        let bare = target.parts(separatedBy: "#")
        let mark = bare[0].utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        let fragment = bare.count > 1 ? "#" + bare.dropFirst().joined(separator: "#") : ""
        return bare[0] + mark + parameters.joined(separator: "&") + fragment
    }
}
