import Crypto
import JSON
import Network

/// The description of an export of a DynamoDB table to S3: `manifest-summary.json`, and the data files that `manifest-files.json` names.
package struct ExportManifest: Sendable {
    /// The folder of the manifests.
    package let folder: String
    package let tableName: String
    package let tableID: String?
    package let isIncremental: Bool
    package let isIon: Bool
    /// The moment of the copy, in milliseconds since 1970; of an incremental export its end.
    package let moment: Int64
    /// The begin of an incremental export.
    package let from: Int64?
    package let itemCount: Int
    package let files: [DataFile]

    package struct DataFile: Sendable {
        package let path: String
        package let itemCount: Int
        /// The MD5 of the file; nil where the manifest names none.
        package let md5: [UInt8]?
    }

    package static let summaryName = "manifest-summary.json"
    private static let filesName = "manifest-files.json"

    /// Reads the manifests of a folder, and compares them with their checksums where they have any.
    package init(_ folder: String) throws(MovingFault) {
        self.folder = folder
        let path = "\(folder)/\(Self.summaryName)"
        let bytes = try SourceFile.content(of: path)
        try Self.compare(bytes, with: path)
        guard let summary = (try? JSONReader.value(of: bytes))?.object else {
            throw MovingFault(path, "it is no JSON object")
        }
        func text(_ name: String) throws(MovingFault) -> String {
            guard let text = summary[name]?.string, !text.isEmpty else { throw MovingFault(path, "it has no \(name)") }
            return text
        }
        let table = try text("tableArn")
        guard let slash = table.range(ofBytesOf: ":table/") else {
            throw MovingFault(path, "tableArn is no name of a table: \(table)")
        }
        tableName =
            table[slash.upperBound...].utf8.split(separator: UInt8(ascii: "/")).first.map { String(Substring($0)) }
            ?? ""
        guard !tableName.isEmpty else { throw MovingFault(path, "tableArn is no name of a table: \(table)") }
        tableID = summary["tableId"]?.string
        isIncremental = summary["exportType"]?.text == "INCREMENTAL_EXPORT"
        switch try text("outputFormat") {
        case "DYNAMODB_JSON": isIon = false
        case "ION": isIon = true
        case let other: throw MovingFault(path, "outputFormat is \(other), neither DYNAMODB_JSON nor ION")
        }
        func time(_ name: String) throws(MovingFault) -> Int64 {
            let text = try text(name)
            guard let time = Timestamp(text) else { throw MovingFault(path, "\(name) is no time: \(text)") }
            return time.millisecondsSince1970
        }
        moment = try time(isIncremental ? "exportToTime" : "exportTime")
        from = isIncremental ? try time("exportFromTime") : nil
        guard let count = summary["itemCount"]?.integer.flatMap({ Int(exactly: $0) }), count >= 0 else {
            throw MovingFault(path, "it has no itemCount")
        }
        itemCount = count
        files = try Self.files(of: folder)
        var sum = 0
        for file in files {
            let (next, isBeyond) = sum.addingReportingOverflow(file.itemCount)
            sum = isBeyond ? .max : next
        }
        guard sum == count else {
            throw MovingFault(path, "itemCount is \(count), and the files of \(Self.filesName) have \(sum)")
        }
    }

    private static func files(of folder: String) throws(MovingFault) -> [DataFile] {
        let path = "\(folder)/\(filesName)"
        var whole: [UInt8] = []
        let file = try SourceFile(path)
        while try file.read(into: &whole) {
            guard whole.count <= MovingLimits.noteBytesMax * 64 else { throw MovingFault(path, "it is too long") }
        }
        try compare(whole, with: path)
        var files: [DataFile] = []
        var lines = SourceLines(try SourceFile(path))
        while try lines.next({ line throws(MovingFault) in
            guard line.contains(where: { $0 > 0x20 }) else { return }
            let place = "\(path):\(files.count + 1)"
            guard files.count < MovingLimits.dataFilesMax else {
                throw MovingFault(place, "an export has at most \(MovingLimits.dataFilesMax) files")
            }
            guard let entry = (try? JSONReader.value(of: line))?.object, let key = entry["dataFileS3Key"]?.string,
                let count = entry["itemCount"]?.integer.flatMap({ Int(exactly: $0) }), count >= 0
            else { throw MovingFault(place, "it has no dataFileS3Key and itemCount") }
            let sum = entry["md5Checksum"]?.string
            let md5 = sum.flatMap { Base64.bytes(of: $0.utf8, .standard) }
            guard (sum == nil) == (md5 == nil) else { throw MovingFault(place, "md5Checksum is no base64") }
            guard let found = dataFile(key, beside: folder) else {
                throw MovingFault(.unreadable, place, "the file \(key) is not there: sync all of the export's folder")
            }
            files.append(DataFile(path: found, itemCount: count, md5: md5))
        }) {}
        return files
    }

    /// Where a data file lies: beside the manifests in a full export, beside their folder in an incremental one. Whatever stands before
    /// the last parts of its key, the folder may have been copied to any place.
    private static func dataFile(_ key: String, beside folder: String) -> String? {
        guard let name = key.parts(separatedBy: "/").last, !name.isEmpty, name != "..", name != "." else { return nil }
        let places = ["\(folder)/data/\(name)", "\(folder.folderOfPath)/data/\(name)"]
        return places.first { FileStatus.isFile($0) }
    }

    private static func compare(_ bytes: [UInt8], with path: String) throws(MovingFault) {
        let base = String(path.dropLast(".json".utf8.count))
        for name in ["\(base).md5", "\(base).checksum", "\(path).md5"] where FileStatus.isFile(name) {
            let text = try SourceFile.content(of: name).filter { $0 > 0x20 }
            guard text == Array(Base64.text(of: SpreadingDigest.of(bytes), .standard).utf8) else {
                throw MovingFault(.unreadable, path, "its checksum is not the one in \(name)")
            }
            return
        }
    }
}
