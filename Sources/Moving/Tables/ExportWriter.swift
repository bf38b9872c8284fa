import Crypto
import Items
import JSON
import Network

/// Writes the items of a table as an export of DynamoDB has them: a gzip of lines, and the manifests that say what is in it.
package final class ExportWriter {
    package enum Format: String, Sendable, CaseIterable {
        case dynamodbJSON = "dynamodb-json"
        case ion

        fileprivate var name: String { self == .ion ? "ION" : "DYNAMODB_JSON" }
        fileprivate var ending: String { self == .ion ? "ion.gz" : "json.gz" }
    }

    private let folder: String
    private let tableName: String
    private let format: Format
    private let moment: Int64
    private let file: GzipFile
    private let fileName: String
    private var buffer: [UInt8] = []
    package private(set) var count = 0

    /// Begins one in a folder, which is made. What an interrupted one has left is written over.
    package init(_ folder: String, tableName: String, _ format: Format, moment: Int64) throws(MovingFault) {
        self.folder = folder
        self.tableName = tableName
        self.format = format
        self.moment = moment
        fileName = "items.\(format.ending)"
        try WholeFile.makeFolder("\(folder)/data")
        file = try GzipFile("\(folder)/data/\(fileName)")
    }

    /// True if a whole export of that moment is in the folder.
    package static func isWhole(_ folder: String, moment: Int64) -> Bool {
        guard FileStatus.isFile("\(folder)/\(ExportManifest.summaryName)") else { return false }
        return (try? ExportManifest(folder))?.moment == moment
    }

    package func append(_ item: Item) throws(MovingFault) {
        guard format == .dynamodbJSON else {
            IonWriter.append(item, to: &buffer)
            return try noteLine()
        }
        try append { item.write(to: &$0) }
    }

    /// Appends an item that the closure writes as DynamoDB's JSON.
    package func append(_ write: (inout [UInt8]) -> Void) throws(MovingFault) {
        buffer += Array(#"{"Item":"#.utf8)
        write(&buffer)
        buffer += Array("}\n".utf8)
        try noteLine()
    }

    /// True if items may come as text.
    package var takesText: Bool { format == .dynamodbJSON }

    private func noteLine() throws(MovingFault) {
        count += 1
        if buffer.count >= MovingLimits.pieceBytes { try file.append(&buffer) }
    }

    /// Ends it. The summary comes last: where it is, everything is.
    package func finish() throws(MovingFault) {
        try file.append(&buffer)
        let sum = try file.finish()
        let line: JSONValue = [
            "itemCount": .integer(Int64(count)), "md5Checksum": .string(Base64.text(of: sum, .standard)),
            "etag": .string("\(Hexadecimal.text(of: SpreadingDigest.of(sum)))-1"),
            "dataFileS3Key": .string("data/\(fileName)"),
        ]
        try write(JSONWriter.bytes(of: line) + [0x0A], "manifest-files")
        let time = Timestamp(seconds: moment / 1_000, milliseconds: Int(moment % 1_000)).text
        let summary: JSONValue = [
            "version": "2020-06-30",
            "tableArn": .string(
                ARN("dynamodb", region: "us-east-1", account: "000000000000", "table/\(tableName)").description),
            "startTime": .string(time),
            "endTime": .string(time), "exportTime": .string(time), "manifestFilesS3Key": "manifest-files.json",
            "itemCount": .integer(Int64(count)), "outputFormat": .string(format.name),
        ]
        try write(JSONWriter.bytes(of: summary), "manifest-summary")
    }

    private func write(_ bytes: [UInt8], _ name: String) throws(MovingFault) {
        let sum = Array(Base64.text(of: SpreadingDigest.of(bytes), .standard).utf8)
        try WholeFile.write(sum, to: "\(folder)/\(name).md5")
        try WholeFile.write(bytes, to: "\(folder)/\(name).json")
    }
}
