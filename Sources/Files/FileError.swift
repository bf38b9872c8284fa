import Crypto
import JSON
import Network
import Store

/// A refusal as clients of S3 know it: a status, a code that programs look at, a text for people.
package struct FileError: Error, Sendable, Equatable {
    package let status: HTTPStatus
    package let code: String
    package var message: String
    /// Elements that stand in the answer beside these, in order: the key, the bucket.
    package var details: [Detail] = []
    /// Why it was refused, for the log; never in an answer.
    package var reason: String?
    /// The error of the database that is behind it.
    var storeError: StoreError?

    package struct Detail: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    package static func == (left: FileError, right: FileError) -> Bool {
        left.status == right.status && left.code == right.code && left.message == right.message
            && left.details == right.details && left.reason == right.reason
    }

    package init(_ status: Int, _ code: String, _ message: String, reason: String? = nil) {
        self.status = HTTPStatus(code: status)
        self.code = code
        self.message = message
        self.reason = reason
    }

    /// The same with one element more.
    package func with(_ name: String, _ value: String) -> FileError {
        var error = self
        error.details.append(Detail(name: name, value: value))
        return error
    }

    /// The same with why, for the log.
    package func because(_ reason: String) -> FileError {
        var error = self
        error.reason = reason
        return error
    }
}

extension FileError {
    package static let accessDenied = FileError(403, "AccessDenied", "Access Denied")
    package static let noSuchKey = FileError(404, "NoSuchKey", "The specified key does not exist.")
    package static let noSuchVersion = FileError(404, "NoSuchVersion", "The specified version does not exist.")
    package static let noSuchBucket = FileError(404, "NoSuchBucket", "The specified bucket does not exist")
    package static let noSuchUpload = FileError(
        404, "NoSuchUpload",
        "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed."
    )
    package static let badDigest = FileError(
        400, "BadDigest", "The Content-MD5 or checksum value that you specified did not match what the server received."
    )
    /// A `Content-MD5` that is none.
    package static func invalidDigest(_ text: String) -> FileError {
        FileError(400, "InvalidDigest", "The Content-MD5 you specified was invalid.").with("Content-MD5", text)
    }
    /// A `Content-MD5` of other bytes. The service shows that of an object in hexadecimal digits, and that of a part in base64.
    static func wrongDigest(_ expected: [UInt8], _ found: [UInt8], ofPart isOfPart: Bool = false) -> FileError {
        FileError(400, "BadDigest", "The Content-MD5 you specified did not match what we received.")
            .with("ExpectedDigest", isOfPart ? Base64.text(of: expected, .standard) : Hexadecimal.text(of: expected))
            .with("CalculatedDigest", Base64.text(of: found, .standard))
    }
    static let unknownChecksum = invalidRequest(
        "The algorithm type you specified in x-amz-checksum- header is invalid.")
    static let missingDigest = invalidRequest("Missing required header for this request: Content-MD5")
    package static let wrongPayloadHash = FileError(
        400, "XAmzContentSHA256Mismatch",
        "The provided 'x-amz-content-sha256' header does not match what was computed.")
    package static let incompleteBody = FileError(
        400, "IncompleteBody", "You did not provide the number of bytes specified by the Content-Length HTTP header.")
    package static let missingLength = FileError(
        411, "MissingContentLength", "You must provide the Content-Length HTTP header.")
    package static let tooLarge = FileError(
        400, "EntityTooLarge", "Your proposed upload exceeds the maximum allowed size")
    package static let tooSmall = FileError(
        400, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size")
    package static let invalidPart = FileError(
        400, "InvalidPart",
        "One or more of the specified parts could not be found.  The part may not have been uploaded, or the specified entity tag may not match the part's entity tag."
    )
    package static let invalidPartOrder = FileError(
        400, "InvalidPartOrder",
        "The list of parts was not in ascending order. Parts must be ordered by part number.")
    package static let malformedXML = FileError(
        400, "MalformedXML", "The XML you provided was not well-formed or did not validate against our published schema"
    )
    package static let invalidRange = FileError(416, "InvalidRange", "The requested range is not satisfiable")
    package static let preconditionFailed = FileError(
        412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold")
    package static let methodNotAllowed = FileError(
        405, "MethodNotAllowed", "The specified method is not allowed against this resource.")
    package static let notImplemented = FileError(
        501, "NotImplemented", "A header or query you provided implies functionality that is not implemented.")
    package static let keyTooLong = FileError(400, "KeyTooLongError", "Your key is too long")
    package static let diskFull = FileError(
        507, "InsufficientStorage", "There is not enough space left on this server's disk to keep the object.")
    package static let slowDown = FileError(503, "SlowDown", "Please reduce your request rate.")
    package static let serviceUnavailable = FileError(
        503, "ServiceUnavailable", "Service is unable to handle request.")
    /// The run that a file is of was taken away from this node, which was taken for gone.
    static let lostRun = FileError(
        503, "ServiceUnavailable", "Service is unable to handle request: the upload has to begin again.")
    package static let internalError = FileError(
        500, "InternalError", "We encountered an internal error. Please try again.")

    package static func invalidArgument(_ message: String) -> FileError { FileError(400, "InvalidArgument", message) }
    package static func invalidRequest(_ message: String) -> FileError { FileError(400, "InvalidRequest", message) }
}
