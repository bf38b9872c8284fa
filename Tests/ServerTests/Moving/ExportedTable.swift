import Crypto
import Foundation
import JSON
import Network
import TestSupport

/// An export of a table to S3, as DynamoDB writes it.
struct ExportedTable {
    static let apiID = "abcdefghijklmnopqrstuvwxyz"

    var name: String
    /// The lines of each data file.
    var files: [[String]]
    var time = "2026-01-14T10:18:50.622Z"
    /// The begin of an incremental export.
    var from: String?

    init(_ model: String, _ files: [[String]]) {
        name = "\(model)-\(Self.apiID)-dev"
        self.files = files
    }

    static func gzip(_ text: String) throws -> [UInt8] {
        var deflater = try Deflater(.gzip)
        var bytes: [UInt8] = []
        try Array(text.utf8).withUnsafeBytes { try deflater.deflate($0, ending: .finish, into: &bytes) }
        return bytes
    }

    static func md5(_ bytes: [UInt8]) -> String { Base64.text(of: SpreadingDigest.of(bytes), .standard) }

    /// Writes it below a folder, and answers with the folder of its manifests.
    @discardableResult
    func write(to folder: TemporaryFolder, below place: String = "exports") throws -> String {
        let number = String(name.utf8.reduce(1_000_000) { ($0 &* 31 &+ Int($1)) & 0xFFF_FFFF } + files.count)
        let id = "AWSDynamoDB/01768385930622-\(number)"
        let data = from == nil ? "\(id)/data" : "AWSDynamoDB/data"
        var manifest = ""
        for (index, lines) in files.enumerated() {
            let name = "file\(number)\(index).json.gz"
            let bytes = try Self.gzip(lines.map { "\($0)\n" }.joined())
            try Self.put(bytes, to: "\(folder.path)/\(place)/\(data)/\(name)")
            let sum = Self.md5(bytes)
            manifest +=
                #"{"itemCount":\#(lines.count),"md5Checksum":"\#(sum)","etag":"x-1","dataFileS3Key":"\#(data)/\#(name)"}"#
                + "\n"
        }
        let count = files.reduce(0) { $0 + $1.count }
        let times =
            from.map {
                #""exportFromTime":"\#($0)","exportToTime":"\#(time)","exportType":"INCREMENTAL_EXPORT","outputView":"NEW_AND_OLD_IMAGES""#
            } ?? #""exportTime":"\#(time)""#
        let summary =
            #"{"version":"2020-06-30","tableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/\#(name)","tableId":"cf263806","#
            + times + #","itemCount":\#(count),"outputFormat":"DYNAMODB_JSON"}"#
        let path = "\(folder.path)/\(place)/\(id)"
        try Self.put(Array(summary.utf8), to: "\(path)/manifest-summary.json")
        try Self.put(Array(Self.md5(Array(summary.utf8)).utf8), to: "\(path)/manifest-summary.md5")
        try Self.put(Array(manifest.utf8), to: "\(path)/manifest-files.json")
        try Self.put(Array(Self.md5(Array(manifest.utf8)).utf8), to: "\(path)/manifest-files.md5")
        return path
    }

    static func put(_ bytes: [UInt8], to path: String) throws {
        let url = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }
}
