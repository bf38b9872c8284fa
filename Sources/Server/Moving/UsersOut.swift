import JSON
import Moving
import Store
import UserPool

/// Writes users as Cognito's operations list them, and the table that its import jobs take.
final class UsersOut {
    private let export: UserExport
    private let folder: String
    private let report: MoveProgress
    /// Users who cannot be in the table, such as those of other providers.
    private(set) var notInTable = 0

    private static let customMax = 50

    init(_ export: UserExport, to folder: String, _ report: MoveProgress) {
        self.export = export
        self.folder = folder
        self.report = report
    }

    func run() throws(MoveFailure) -> Int {
        do throws(TransferError) {
            var custom: Set<ByteText> = []
            var groups: [JSONValue] = []
            _ = try export.lines { line, _ throws(TransferError) in
                if line["group"] != nil { groups.append(.object(CognitoUser.groupElement(of: line))) }
                for attribute in line["attributes"]?.object ?? JSONObject()
                where attribute.key.hasPrefix("custom:") && custom.count < Self.customMax {
                    custom.add(attribute.key)
                }
            }
            return try write(groups, CognitoTable(custom: custom.sorted().map(\.string)))
        } catch { throw MoveFailure(error) }
    }

    private func write(_ groups: [JSONValue], _ table: CognitoTable) throws(TransferError) -> Int {
        let (list, rows): (PlainFile, PlainFile)
        do throws(MovingFault) {
            try WholeFile.makeFolder(folder)
            try WholeFile.write(
                JSONWriter.bytes(of: ["Groups": .array(groups)]) + [0x0A], to: "\(folder)/groups.json")
            list = try PlainFile("\(folder)/users.json")
            rows = try PlainFile("\(folder)/users.csv")
        } catch { throw .unwritable(error.description) }
        var users = Array(#"{"Users":["#.utf8)
        var csv = table.header
        var isFirst = true
        let count = try export.lines { line, progress throws(TransferError) in
            guard line["group"] == nil else { return }
            users += Array((isFirst ? "\n" : ",\n").utf8)
            isFirst = false
            users += JSONWriter.bytes(of: .object(CognitoUser.element(of: line)))
            csv += row(of: line, table)
            report.records(1)
            guard users.count + csv.count >= StoreLimits.exportBufferBytes else { return }
            try Self.flush(&users, list)
            try Self.flush(&csv, rows)
        }
        users += Array("\n]}\n".utf8)
        try Self.flush(&users, list)
        try Self.flush(&csv, rows)
        do throws(MovingFault) {
            try rows.finish()
            try list.finish()
        } catch { throw .unwritable(error.description) }
        return count
    }

    private func row(of line: JSONObject, _ table: CognitoTable) -> [UInt8] {
        let attributes = line["attributes"]?.object ?? JSONObject()
        let hasAddress = ["email", "phone_number"].contains { attributes["\($0)_verified"]?.text == "true" }
        let factors = (line["mfa"]?["enabled"]?.array ?? []).compactMap(\.string)
        guard hasAddress, line["status"]?.text != "EXTERNAL_PROVIDER", let name = line["username"]?.string,
            let row = table.row(
                name, attributes, hasMessageFactor: factors.contains("SMS_MFA") && attributes["phone_number"] != nil)
        else {
            notInTable += 1
            return []
        }
        return row
    }

    private static func flush(_ bytes: inout [UInt8], _ file: PlainFile) throws(TransferError) {
        do throws(MovingFault) { try file.append(bytes) } catch { throw .unwritable(error.description) }
        bytes.removeAll(keepingCapacity: true)
    }
}
