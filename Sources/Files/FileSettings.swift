import Access
import JSON

/// How the store behaves: plain values.
package struct FileSettings: Sendable {
    /// The buckets that are there from the start, and who may do what in them.
    package var buckets: [ByteText: any FileRights] = [:]
    /// The rights of identities' roles, beside the rules of buckets; nil: there are none.
    package var identities: IdentityRights?
    /// The bucket that is meant where a request names none, as amplify-js does when it deletes many.
    package var usualBucket: String?
    /// The functions that are told of what happens to files.
    package var functions = FileFunctions()
    /// Hosts below which the first part is a bucket.
    package var hosts = ["s3.localhost"]
    package var region = "us-east-1"
    /// The account whose buckets they are.
    package var accountID = IAMPrincipal.exampleAccountID
    package var objectBytesMax: Int64 = Int64(FileLimits.objectBytesMax)
    /// The largest that is put together from parts: as large as S3 takes it, unless somebody has set less for all objects.
    var joinedBytesMax: Int64 {
        objectBytesMax < Int64(FileLimits.objectBytesMax) ? objectBytesMax : Int64(FileLimits.joinedBytesMax)
    }
    package var uploadMilliseconds = FileLimits.uploadMilliseconds
    package var uploadsMax = FileLimits.uploadsMax
    package var freeBytesMin = FileLimits.freeBytesMin

    package init() {}
}
