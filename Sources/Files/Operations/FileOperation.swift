import JSON
import Network

/// An operation of S3, as its clients call it.
struct FileOperation: Sendable {
    let name: StaticString
    /// The answer without a task: for an operation that waits for nothing where the data is in a file.
    let answersAtOnce: (@Sendable (FileRun) throws(FileError) -> HTTPResponse)?
    let run: @Sendable (FileRun) async throws(FileError) -> HTTPResponse
    /// True if its answers say how the content of an object is encrypted: S3 encrypts all of them since 2023, and SDKs show it.
    let tellsEncryption: Bool

    private init(
        _ name: StaticString, tellsEncryption: Bool = false,
        _ method: @escaping @Sendable (FileRun) -> () async throws(FileError) -> HTTPResponse
    ) {
        (self.name, self.tellsEncryption) = (name, tellsEncryption)
        run = { run throws(FileError) in try await method(run)() }
        answersAtOnce = nil
    }

    private init(
        _ name: StaticString, tellsEncryption: Bool = false,
        atOnce answer: @escaping @Sendable (FileRun) throws(FileError) -> HTTPResponse,
        beside run: @escaping @Sendable (FileRun) async throws(FileError) -> HTTPResponse
    ) {
        (self.name, self.tellsEncryption) = (name, tellsEncryption)
        answersAtOnce = answer
        self.run = run
    }

    /// What a request calls: by its method, by whether it is for the service, a bucket or an object, and by the parameters that have a
    /// meaning of their own. Parameters that nobody knows are read over, as S3 does.
    static func called(by head: HTTPRequestHead, _ target: FileTarget, _ query: FileQuery) throws(FileError)
        -> FileOperation
    {
        for (name, _) in query.all where unserved.contains(ByteText(name)) {
            throw FileError.notImplemented.with("Query", name)
        }
        if let version = query["versionId"], version != "null" {
            throw FileError(400, "InvalidArgument", "Invalid version id specified")
        }
        if target.bucket == nil {
            guard head.method == .get else { throw notAllowed(head) }
            return listBuckets
        }
        return target.key.isEmpty ? try ofBucket(head, query) : try ofObject(head, query)
    }

    private static func ofBucket(_ head: HTTPRequestHead, _ query: FileQuery) throws(FileError) -> FileOperation {
        // What can only be read must not be taken for the making or the end of the bucket.
        if head.method == .put || head.method == .delete,
            let name = ["versioning", "versions", "location", "uploads"].first(where: { query.contains($0) })
        {
            throw FileError.notImplemented.with("Query", name)
        }
        switch head.method {
        case .get where query.contains("location"): return bucketLocation
        case .get where query.contains("tagging"): return getBucketTagging
        case .put where query.contains("tagging"): return putBucketTagging
        case .delete where query.contains("tagging"): return deleteBucketTagging
        case .head where query.contains("tagging"), .post where query.contains("tagging"): throw notAllowed(head)
        case .get where query.contains("uploads"): return listUploads
        case .get where query.contains("versioning"): return bucketVersioning
        case .get where query.contains("versions"): return listVersions
        case .get: return listObjects
        case .head: return headBucket
        case .put: return createBucket
        case .delete: return deleteBucket
        case .post where query.contains("delete"): return deleteObjects
        case .post: return postObject
        default: throw notAllowed(head)
        }
    }

    private static func ofObject(_ head: HTTPRequestHead, _ query: FileQuery) throws(FileError) -> FileOperation {
        let isCopy = head.fields.contains("x-amz-copy-source")
        switch head.method {
        case .get where query.contains("uploadId"): return listParts
        case .get where query.contains("tagging"): return getTagging
        case .get where query.contains("attributes"): return getAttributes
        case .get, .head: return getObject
        case .put where query.contains("uploadId"), .put where query.contains("partNumber"):
            return isCopy ? copyPart : uploadPart
        case .put where query.contains("tagging"): return putTagging
        case .put: return isCopy ? copyObject : putObject
        case .post where query.contains("uploads"): return createUpload
        case .post where query.contains("uploadId"): return completeUpload
        case .delete where query.contains("uploadId"): return abortUpload
        case .delete where query.contains("tagging"): return deleteTagging
        case .delete: return deleteObject
        default: throw notAllowed(head)
        }
    }

    private static func notAllowed(_ head: HTTPRequestHead) -> FileError {
        FileError.methodNotAllowed.with("Method", head.methodText)
    }

    private static let getObject = FileOperation(
        "GetObject", tellsEncryption: true, atOnce: { run throws(FileError) in try ObjectReading(run: run).answer() },
        beside: { run throws(FileError) in try await ObjectReading.answerBeside(run) })
    private static let putObject = FileOperation("PutObject", tellsEncryption: true, FileRun.putObject)
    private static let copyObject = FileOperation("CopyObject", tellsEncryption: true, FileRun.copyObject)
    private static let deleteObject = FileOperation("DeleteObject", FileRun.deleteObject)
    private static let deleteObjects = FileOperation("DeleteObjects", FileRun.deleteObjects)
    private static let getTagging = FileOperation("GetObjectTagging", FileRun.getTagging)
    private static let putTagging = FileOperation("PutObjectTagging", FileRun.putTagging)
    private static let deleteTagging = FileOperation("DeleteObjectTagging", FileRun.deleteTagging)
    private static let getAttributes = FileOperation("GetObjectAttributes", FileRun.getAttributes)
    private static let createUpload = FileOperation(
        "CreateMultipartUpload", tellsEncryption: true, FileRun.createUpload)
    private static let uploadPart = FileOperation("UploadPart", tellsEncryption: true, FileRun.uploadPart)
    private static let copyPart = FileOperation("UploadPartCopy", tellsEncryption: true, FileRun.copyPart)
    private static let listParts = FileOperation("ListParts", FileRun.listParts)
    private static let completeUpload = FileOperation(
        "CompleteMultipartUpload", tellsEncryption: true, FileRun.completeUpload)
    private static let abortUpload = FileOperation("AbortMultipartUpload", FileRun.abortUpload)
    private static let listObjects = FileOperation("ListObjects", FileRun.listObjects)
    private static let listVersions = FileOperation("ListObjectVersions", FileRun.listVersions)
    private static let listUploads = FileOperation("ListMultipartUploads", FileRun.listUploads)
    private static let listBuckets = FileOperation("ListBuckets", FileRun.listBuckets)
    private static let headBucket = FileOperation("HeadBucket", FileRun.headBucket)
    private static let bucketLocation = FileOperation("GetBucketLocation", FileRun.bucketLocation)
    private static let bucketVersioning = FileOperation("GetBucketVersioning", FileRun.bucketVersioning)
    private static let getBucketTagging = FileOperation("GetBucketTagging", FileRun.getBucketTagging)
    private static let putBucketTagging = FileOperation("PutBucketTagging", FileRun.putBucketTagging)
    private static let deleteBucketTagging = FileOperation("DeleteBucketTagging", FileRun.deleteBucketTagging)
    private static let createBucket = FileOperation("CreateBucket", FileRun.createBucket)
    private static let deleteBucket = FileOperation("DeleteBucket", FileRun.deleteBucket)
    private static let postObject = FileOperation("PostObject", tellsEncryption: true, FileRun.postObject)

    /// Parameters that make a request one for something that this store does not have.
    static let unserved: Set<ByteText> = Set(
        texts: [
            "accelerate", "acl", "analytics", "cors", "encryption", "intelligent-tiering", "inventory", "legal-hold",
            "lifecycle",
            "logging", "metrics", "notification", "object-lock", "ownershipControls", "policy", "policyStatus",
            "publicAccessBlock",
            "replication", "requestPayment", "restore", "retention", "select", "torrent", "website",
        ])
}
