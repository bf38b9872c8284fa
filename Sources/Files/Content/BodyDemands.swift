import Network

/// What a request says of the body that it brings, and what the body is compared with.
struct BodyDemands: Sendable {
    /// How many bytes the object has; nil: the request does not say, and it ends where its body does.
    let length: Int64?
    let bytesMax: Int64
    let claim: PayloadClaim
    /// What `Content-MD5` says.
    let digest: [UInt8]?
    /// The checksum that a field of the head carries.
    let checksum: (kind: Checksum, bytes: [UInt8])?
    /// The checksum that is to be made, or to come behind the chunks.
    var wanted: Checksum?
    /// True of a part of an object.
    var isOfPart = false
    private let fields: HTTPFields

    /// - Parameter checksumIsOfBody: whether a checksum in the head is that of the body, and not of what comes of the request.
    init(
        _ head: HTTPRequestHead, _ claim: PayloadClaim, bytesMax: Int64, checksumIsOfBody: Bool = true
    ) throws(FileError) {
        self.claim = claim
        self.bytesMax = bytesMax
        fields = head.fields
        switch (claim, head.framing) {
        case (.chunks, _):
            guard let text = head.fields["x-amz-decoded-content-length"], let length = text.plainNumber else {
                throw .missingLength
            }
            self.length = length
        case (_, .length(let count)): length = Int64(count)
        case (_, .none): length = 0
        default: length = nil
        }
        if let length, length > bytesMax {
            throw FileError.tooLarge.with("ProposedSize", "\(length)").with("MaxSizeAllowed", "\(bytesMax)")
        }
        digest = try Self.digest(of: head.fields)
        checksum = checksumIsOfBody ? try Self.checksum(of: head.fields) : nil
        let trailer = head.fields["x-amz-trailer"].flatMap { Checksum(fieldName: $0) }
        let named = try Self.algorithm(of: head.fields)
        wanted = checksum?.kind ?? trailer ?? named
    }

    private static func digest(of fields: HTTPFields) throws(FileError) -> [UInt8]? {
        guard let text = fields["content-md5"] else { return nil }
        guard let bytes = Checksum.md5.bytes(of: text) else { throw .invalidDigest(text) }
        return bytes
    }

    /// The one checksum of the head.
    private static func checksum(of fields: HTTPFields) throws(FileError) -> (kind: Checksum, bytes: [UInt8])? {
        var found: (kind: Checksum, bytes: [UInt8])?
        for kind in Checksum.named {
            guard let text = fields[kind.fieldName] else { continue }
            guard found == nil else {
                throw .invalidRequest(
                    "Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.")
            }
            guard let bytes = kind.bytes(of: text) else {
                throw FileError(400, "BadDigest", "Value for \(kind.fieldName) header is invalid.")
            }
            found = (kind, bytes)
        }
        // A sum that nobody compares is none.
        guard !fields.contains(where: isUnknownSum) else { throw .unknownChecksum }
        return found
    }

    private static let sumStart = Array("x-amz-checksum-".utf8)
    private static let sumEndings =
        (Checksum.named.map(\.rawValue) + ["algorithm", "mode", "type"]).map { Array($0.utf8) }

    /// Returns whether a field is called like one of a checksum, and is none that is known.
    private static func isUnknownSum(_ name: UnsafeRawBufferPointer) -> Bool {
        guard name.starts(with: sumStart) else { return false }
        let ending = name.dropFirst(sumStart.count)
        return !sumEndings.contains { $0.elementsEqual(ending) }
    }

    /// Returns whether the request says anything by which a change of its body would be noticed.
    static func names(aSumIn fields: HTTPFields) -> Bool {
        fields.contains("content-md5") || fields.contains("x-amz-trailer")
            || Checksum.named.contains { fields.contains($0.fieldName) }
    }

    /// The algorithm that a request names without a value.
    static func algorithm(of fields: HTTPFields) throws(FileError) -> Checksum? {
        guard let name = fields["x-amz-checksum-algorithm"] ?? fields["x-amz-sdk-checksum-algorithm"] else {
            return nil
        }
        guard let kind = Checksum(name: name) else {
            throw .invalidRequest(
                "Checksum algorithm provided is unsupported. Please try again with any of the valid types: [CRC32, CRC32C, CRC64NVME, SHA1, SHA256]"
            )
        }
        return kind
    }

    /// What is computed while the bytes come: the sum that the file is checked by among it.
    var kinds: Set<Checksum> {
        var kinds: Set<Checksum> = [.crc64nvme]
        if let wanted { kinds.insert(wanted) }
        if case .digest = claim { kinds.insert(.sha256) }
        return kinds
    }

    /// What takes the chunks off; nil where there are none.
    func chunks() throws(FileError) -> ChunkedBody? {
        guard case .chunks(let chunks) = claim else { return nil }
        return try ChunkedBody(chunks, of: fields)
    }

    /// Throws where so many bytes are more than there may be.
    func checkRoom(for count: Int) throws(FileError) {
        if let length {
            guard Int64(count) <= length else { throw .incompleteBody }
        } else {
            guard Int64(count) <= bytesMax else { throw .tooLarge.with("MaxSizeAllowed", "\(bytesMax)") }
        }
    }

    /// Throws where the bytes are not what the request says that they are.
    func check(_ sums: ContentSums, _ count: Int, trailer: (kind: Checksum, bytes: [UInt8])?) throws(FileError) {
        guard length == nil || length == Int64(count) else { throw .incompleteBody }
        if case .digest(let claimed) = claim, sums[.sha256] != claimed { throw .wrongPayloadHash }
        if let digest, sums.md5 != digest { throw .wrongDigest(digest, sums.md5, ofPart: isOfPart) }
        for claimed in [checksum, trailer].compactMap({ $0 }) where sums[claimed.kind] != claimed.bytes {
            throw FileError(
                400, "BadDigest",
                "The \(claimed.kind.name) you specified did not match the calculated checksum.")
        }
    }
}
