import JSON

/// What has happened to an object, as functions are told of it.
struct FileEvent: Sendable {
    /// How an object came to be, or went.
    enum Name: String, Sendable {
        case put = "ObjectCreated:Put"
        case post = "ObjectCreated:Post"
        case copy = "ObjectCreated:Copy"
        case completed = "ObjectCreated:CompleteMultipartUpload"
        case deleted = "ObjectRemoved:Delete"
    }

    let number: Int64
    let bucket: String
    let key: String
    /// A `Name`, or one that another version of the server has written.
    let name: String
    /// Nil of objects that are gone, as the tag.
    let size: Int64?
    let tag: String?
    /// In milliseconds since 1970.
    let time: Int64
    /// How often the function was told in vain.
    let tries: Int64
    /// The name of the one that is told.
    let function: String

    /// The event in the form in which S3 sends it. Keys stand in it like values of a form.
    func record(region: String) -> JSONValue {
        var object = JSONObject([("key", .string(Self.formEncoded(key)))])
        object["size"] = size.map { .integer($0) }
        object["eTag"] = tag.map { .string($0) }
        object["sequencer"] = .string(sequence)
        let s3: JSONValue = [
            "s3SchemaVersion": "1.0", "configurationId": "homeport",
            "bucket": [
                "name": .string(bucket), "ownerIdentity": ["principalId": "homeport"],
                "arn": .string(ARN.file(bucket).description),
            ],
            "object": .object(object),
        ]
        let record: JSONValue = [
            "eventVersion": "2.1", "eventSource": "aws:s3", "awsRegion": .string(region),
            "eventTime": .string(
                Timestamp(seconds: time / 1_000, milliseconds: Int(time % 1_000)).text),
            "eventName": .string(name), "userIdentity": ["principalId": "homeport"],
            "requestParameters": ["sourceIPAddress": "127.0.0.1"],
            "responseElements": ["x-amz-request-id": .string(sequence), "x-amz-id-2": "homeport"], "s3": s3,
        ]
        return ["Records": [record]]
    }

    /// Grows with the events of a key, in the order of its letters.
    private var sequence: String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 16 - digits.utf8.count)) + digits
    }

    private static func formEncoded(_ key: String) -> String {
        MarkupCharacters.percentEncoded(key).parts(separatedBy: "%20").joined(separator: "+")
    }
}
