import Access
import JSON
import Network

/// The manifest of an inventory of S3: it lists files of CSV, packed by gzip, with a row for each object of a bucket.
struct FlowManifest: Sendable {
    /// Where the files are.
    let bucket: String
    let keys: [String]
    /// The names of the columns, as a reader of CSV has them.
    private let config: JSONValue

    private static let format = "CSV"

    init(_ bytes: [UInt8]) throws(FlowFault) {
        let manifest = try FlowItems.value(bytes)
        guard let schema = manifest["fileSchema"]?.string, let files = manifest["files"]?.array,
            let bucket = ARN(manifest["destinationBucket"]?.string ?? "", of: "s3")?.resource
        else {
            throw FlowItems.fault(
                "The manifest is none of an inventory of S3: it has 'destinationBucket', 'fileSchema' and 'files'.")
        }
        guard manifest["fileFormat"]?.string == Self.format else {
            throw FlowItems.fault(
                "The files of the manifest are not in the format \(Self.format), which is the one that is read here.")
        }
        guard files.count <= WorkflowLimits.manifestFilesMax else {
            throw FlowItems.fault("The manifest has more than \(WorkflowLimits.manifestFilesMax) files.")
        }
        var keys: [String] = []
        for file in files {
            guard let key = file["key"]?.string else { throw FlowItems.fault("A file of the manifest has no key.") }
            keys.append(key)
        }
        let names = schema.parts(separatedBy: ",").map { JSONValue.string($0.trimmingBlanks) }
        (self.bucket, self.keys) = (bucket, keys)
        config = ["CSVHeaderLocation": "GIVEN", "CSVHeaders": .array(names)]
    }

    /// The rows of a file, and how many bytes it has when it is unpacked.
    func rows(of packed: [UInt8], bytesMax: Int) throws(FlowFault) -> (rows: [JSONValue], bytes: Int) {
        var bytes: [UInt8] = []
        do throws(CompressionError) {
            var decoder = try ContentDecoder(.gzip, bytesMax: bytesMax)
            var position = 0
            try packed.span.withUnsafeBytes { input throws(CompressionError) in
                while try decoder.decode(input, at: &position, into: &bytes, upTo: Self.pieceBytes) == .outputIsFull {}
            }
            try decoder.finish()
        } catch {
            throw FlowItems.fault("A file of the manifest cannot be unpacked: \(error)")
        }
        return (try FlowItems.csv(bytes, config), bytes.count)
    }

    private static let pieceBytes = 1 << 20
}
