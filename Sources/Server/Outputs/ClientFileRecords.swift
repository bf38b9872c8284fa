import Glibc
import JSON
import Network

/// What a data folder remembers of the files for clients: `outputs.json`.
struct ClientFileRecords {
    /// The memory of a file.
    struct Record: Sendable {
        /// From the root on.
        let path: String
        /// What was written, without what people added.
        let generated: JSONObject
        /// Where the original is, which was there before the first writing; nil: there was none.
        let kept: String?
    }

    private static let name = "outputs.json"
    private static let bytesMax = 32 << 20
    private static let countMax = 100
    private static let mode: mode_t = 0o600

    private let folder: String

    init(in folder: String) { self.folder = folder }

    private var file: String { "\(folder)/\(Self.name)" }

    var all: [Record] {
        guard let bytes = try? SmallFile.read(file, bytesMax: Self.bytesMax),
            let value = try? JSONReader.value(of: bytes)
        else { return [] }
        return (value["files"]?.array ?? []).compactMap { file in
            guard let path = file["path"]?.string, let generated = file["generated"]?.object else { return nil }
            return Record(path: path, generated: generated, kept: file["kept"]?.string)
        }
    }

    func record(of path: String) -> Record? { all.first { $0.path == path } }

    func set(_ record: Record) throws(ClientFile.Refusal) {
        var records = all
        if let place = records.firstIndex(where: { $0.path == record.path }) {
            records[place] = record
        } else {
            records.append(record)
        }
        try write(records)
    }

    func remove(_ path: String) throws(ClientFile.Refusal) { try write(all.filter { $0.path != path }) }

    func removeAll() throws(ClientFile.Refusal) { try write([]) }

    private func write(_ records: [Record]) throws(ClientFile.Refusal) {
        let files = records.suffix(Self.countMax).map { record in
            var file = JSONObject([("path", .string(record.path)), ("generated", .object(record.generated))])
            file["kept"] = record.kept.map { .string($0) }
            return JSONValue.object(file)
        }
        do throws(SystemError) {
            try DataFolder.make(folder)
            try SmallFile.replace(file, with: JSONWriter.bytes(of: ["files": .array(files)]), mode: Self.mode)
        } catch { throw ClientFileKeeper.unwritable(file, error) }
    }
}
