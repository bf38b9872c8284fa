import Blueprint
import Glibc
import JSON
import Network

/// Writes the files for clients at a start, and remembers in the data folder what it wrote.
///
///     nothing there               written
///     what it wrote               written again
///     that with more in it        written again, with what a person added
///     anything else               kept beside it under another name, until `homeport outputs --restore`
struct ClientFileKeeper {
    /// What is remembered of a file.
    private struct Record {
        let path: String
        /// What stood in it, without what people added.
        var generated: JSONObject
        /// Where that is which was there before; nil: there was none.
        var kept: String?
    }

    private static let name = "outputs.json"
    private static let bytesMax = 32 << 20
    private static let recordsMax = 100
    private static let keptMax = 100
    private static let fileMode: mode_t = 0o644
    private static let recordMode: mode_t = 0o600

    private let folder: String
    private let report: (String) -> Void

    /// - Parameter folder: the data folder.
    init(in folder: String, report: @escaping (String) -> Void) {
        self.folder = folder
        self.report = report
    }

    // MARK: Writing

    func write(_ file: ClientFile, to path: String) throws(ClientFile.Refusal) {
        let format = OutputsFormat(ofFile: path, isVersion1: file.isVersion1, isWeb: file.isWeb) ?? .gen2
        let (generated, wrapping) = try file.content(format, .current)
        let place = Self.absolute(path)
        var records = self.records
        let known = records.firstIndex { $0.path.utf8.elementsEqual(place.utf8) }
        var value = generated
        var kept = known.flatMap { records[$0].kept }
        let current = try Self.read(path)
        if let current {
            let found = wrapping.value(in: current)
            if let known, let found, Self.holds(.object(found), .object(records[known].generated)) {
                value = Self.merged(generated, Self.added(found, to: records[known].generated))
            } else if found != generated {
                let name = try keep(path)
                report(
                    "\(path) was not written by Homeport, and is now \(name): `homeport outputs --restore` puts it back"
                )
                kept = Self.absolute(name)
            }
        }
        let bytes = wrapping.bytes(of: .object(value))
        if bytes != current { try Self.replace(path, bytes, mode: Self.fileMode) }
        let record = Record(path: place, generated: generated, kept: kept)
        if let known { records[known] = record } else { records.append(record) }
        try remember(records)
    }

    /// Gives a file another name, with the same ending: `amplify_outputs.before-homeport.json`.
    private func keep(_ path: String) throws(ClientFile.Refusal) -> String {
        for number in 1...Self.keptMax {
            let name = Self.named(path, number == 1 ? "before-homeport" : "before-homeport-\(number)")
            // A link does not replace what is there.
            guard link(path, name) == 0 else {
                if errno == EEXIST { continue }
                throw Self.unwritable(name)
            }
            guard unlink(path) == 0 else { throw Self.unwritable(path) }
            return name
        }
        throw ClientFile.Refusal(
            code: .unwritableOutput,
            message:
                "\(path) was not written by Homeport, and \(Self.keptMax) such files are kept beside it: remove some")
    }

    private static func named(_ path: String, _ mark: String) -> String {
        let file = path.split(separator: "/").last ?? ""
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return "\(path).\(mark)" }
        let ending = file[dot...]
        return "\(path.dropLast(ending.count)).\(mark)\(ending)"
    }

    // MARK: Putting back

    /// Puts back what was there before; says how many files that were.
    func restore() throws(ClientFile.Refusal) -> Int {
        let records = self.records
        for record in records {
            let current = try Self.read(record.path)
            let found = current.flatMap { Self.value(in: $0, like: record) }
            // What people have changed since is not lost.
            if current != nil, found != record.generated {
                let name = Self.named(record.path, "with-homeport")
                guard rename(record.path, name) == 0 else { throw Self.unwritable(name) }
                report("\(record.path) was changed by hand, and is now \(name)")
            }
            if let kept = record.kept, access(kept, F_OK) == 0 {
                guard rename(kept, record.path) == 0 else { throw Self.unwritable(record.path) }
                report("\(record.path) is what it was before Homeport")
            } else if found == record.generated {
                guard unlink(record.path) == 0 else { throw Self.unwritable(record.path) }
                report("\(record.path) is removed: there was none before Homeport")
            }
        }
        if !records.isEmpty { try remember([]) }
        return records.count
    }

    /// What stands in a file. The same name has other forms in projects of the first generation.
    private static func value(in file: [UInt8], like record: Record) -> JSONObject? {
        let values = [false, true].compactMap { isVersion1 in
            let format = OutputsFormat(ofFile: record.path, isVersion1: isVersion1) ?? .gen2
            return format.form(isVersion1: isVersion1).wrapping.value(in: file)
        }
        return values.first { $0 == record.generated } ?? values.first
    }

    // MARK: What is remembered

    private var recordFile: String { "\(folder)/\(Self.name)" }

    private var records: [Record] {
        guard let bytes = try? SmallFile.read(recordFile, bytesMax: Self.bytesMax),
            let value = try? JSONReader.value(of: bytes)
        else { return [] }
        return (value["files"]?.array ?? []).compactMap { file in
            guard let path = file["path"]?.string, let generated = file["generated"]?.object else { return nil }
            return Record(path: path, generated: generated, kept: file["kept"]?.string)
        }
    }

    private func remember(_ records: [Record]) throws(ClientFile.Refusal) {
        let files = records.suffix(Self.recordsMax).map { record in
            var file = JSONObject([("path", .string(record.path)), ("generated", .object(record.generated))])
            file["kept"] = record.kept.map { .string($0) }
            return JSONValue.object(file)
        }
        do throws(SystemError) { try DataFolder.make(folder) } catch { throw Self.unwritable(folder, error) }
        try Self.replace(recordFile, JSONWriter.bytes(of: ["files": .array(files)]), mode: Self.recordMode)
    }

    // MARK: Values

    /// Whether a value has all that another says.
    private static func holds(_ value: JSONValue, _ other: JSONValue) -> Bool {
        guard case .object(let members) = other else { return value == other }
        guard case .object(let found) = value else { return false }
        return members.allSatisfy { member in found[member.key].map { holds($0, member.value) } ?? false }
    }

    /// What stands in a value beside what another says.
    private static func added(_ value: JSONObject, to other: JSONObject) -> JSONObject {
        var added = JSONObject()
        for member in value {
            guard let known = other[member.key] else {
                added[member.key] = member.value
                continue
            }
            if case .object(let inner) = member.value, case .object(let base) = known {
                let more = self.added(inner, to: base)
                if !more.isEmpty { added[member.key] = .object(more) }
            }
        }
        return added
    }

    private static func merged(_ value: JSONObject, _ added: JSONObject) -> JSONObject {
        var merged = value
        for member in added {
            if case .object(let more) = member.value, case .object(let inner)? = value[member.key] {
                merged[member.key] = .object(self.merged(inner, more))
            } else if value[member.key] == nil {
                merged[member.key] = member.value
            }
        }
        return merged
    }

    // MARK: Files

    private static func read(_ path: String) throws(ClientFile.Refusal) -> [UInt8]? {
        do throws(SystemError) {
            return try SmallFile.read(path, bytesMax: bytesMax)
        } catch {
            if error.code == ENOENT { return nil }
            throw ClientFile.Refusal(code: .unreadableInput, message: "cannot read \(path): \(error)")
        }
    }

    private static func replace(_ path: String, _ bytes: [UInt8], mode: mode_t) throws(ClientFile.Refusal) {
        do throws(SystemError) { try SmallFile.replace(path, with: bytes, mode: mode) } catch {
            throw unwritable(path, error)
        }
    }

    private static func unwritable(_ path: String) -> ClientFile.Refusal {
        ClientFile.Refusal(
            code: .unwritableOutput, message: "cannot write \(path): \(String(cString: strerror(errno)))")
    }

    private static func unwritable(_ path: String, _ error: SystemError) -> ClientFile.Refusal {
        ClientFile.Refusal(code: .unwritableOutput, message: "cannot write \(path): \(error)")
    }

    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return "\(String(cString: folder))/\(path)"
    }
}

extension OutputsFormat.Wrapping {
    func bytes(of value: JSONValue) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.writePretty(value, to: &bytes)
        return self.bytes(of: bytes)
    }

    /// What stands in such a file; nil where it is none.
    func value(in file: [UInt8]) -> JSONObject? {
        var text = file[...]
        if self != .json {
            guard let start = file.firstIndex(of: UInt8(ascii: "{")), let end = file.lastIndex(of: UInt8(ascii: "}")),
                start < end
            else { return nil }
            text = file[start...end]
        }
        // There Dart reads one of two.
        if self == .oldDart { text = Self.single(text)[...] }
        return (try? JSONReader.value(of: Array(text)))?.object
    }

    /// The same with one backslash for two.
    private static func single(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let backslash = UInt8(ascii: "\\")
        var result: [UInt8] = []
        var isSecond = false
        for byte in text {
            isSecond = byte == backslash && !isSecond && result.last == backslash
            if !isSecond { result.append(byte) }
        }
        return result
    }
}
