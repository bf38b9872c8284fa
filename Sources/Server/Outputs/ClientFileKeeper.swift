import Blueprint
import Glibc
import JSON
import Network

/// Writes the files for clients at a start, and remembers in the data folder what it wrote and what was there before.
///
///     nothing there                              written
///     what it wrote                              written again
///     that, with members or addresses changed    written again, with what the developer changed
///     anything else                              kept in the data folder; the first such file is the original
///
/// `homeport outputs --restore` puts the original back.
struct ClientFileKeeper {
    private static let bytesMax = 32 << 20
    private static let keptMax = 1_000
    private static let folderName = "clients"
    private static let fileMode: mode_t = 0o644
    private static let keptMode: mode_t = 0o600
    private static let modeBits: mode_t = 0o777

    private let folder: String
    private let records: ClientFileRecords
    private let report: (String) -> Void

    /// - Parameter folder: the data folder.
    init(in folder: String, report: @escaping (String) -> Void) {
        self.folder = folder
        records = ClientFileRecords(in: folder)
        self.report = report
    }

    // MARK: Writing

    /// The former file at this place.
    struct Former: Sendable {
        let place: String
        /// Nil: nothing.
        let content: [UInt8]?
        let record: ClientFileRecords.Record?
        let written: [UInt8]
        /// Where the content was kept, if it was.
        let kept: String?
    }

    @discardableResult
    func write(_ file: ClientFile, to path: String) throws(ClientFile.Refusal) -> Former {
        let (generated, wrapping) = try file.content(file.format(ofFile: path), .current, for: path)
        // Through links: several apps may have one file.
        let place = DataFolder.absolute(path)
        let known = records.record(of: place)
        var value = generated
        var (original, kept) = (known?.kept, nil as String?)
        let current = try Self.read(place)
        if let current {
            let found = wrapping.value(in: current)
            let isMarked = ClientFileEdits.isMarked(current, found)
            if let found, ClientFileEdits.isEdited(found, of: known?.generated ?? generated) {
                // Of a file of which nothing is remembered, addresses may be those of an earlier start.
                let base = known?.generated ?? ClientFileEdits.common(found, generated)
                value = ClientFileEdits.merged(generated, found, since: base)
            } else if found != generated, known != nil || !isMarked {
                let name = try keep(place, current)
                kept = DataFolder.absolute(name)
                report(
                    "\(path) was not written by Homeport, and is now \(name)"
                        + (original == nil ? ": `homeport outputs --restore` puts it back" : ""))
                if original == nil, !isMarked { original = kept }
            }
        }
        let bytes = wrapping.bytes(of: .object(value))
        if bytes != current { try Self.replace(place, bytes, mode: Self.mode(of: place) ?? Self.fileMode, named: path) }
        try records.set(ClientFileRecords.Record(path: place, generated: generated, kept: original))
        return Former(place: place, content: current, record: known, written: bytes, kept: kept)
    }

    /// Keeps a file in the data folder, which version control leaves out; says where.
    private func keep(_ path: String, _ content: [UInt8]) throws(ClientFile.Refusal) -> String {
        let own = "\(folder)/\(Self.folderName)"
        do throws(SystemError) {
            try DataFolder.make(folder)
            if mkdir(own, 0o700) != 0, errno != EEXIST { throw SystemError(call: "mkdir", subject: own) }
        } catch { throw Self.unwritable(own, error) }
        for number in 1...Self.keptMax {
            let name = Self.named("\(own)/\(path.split(separator: "/").last ?? "file")", number)
            do throws(SystemError) {
                try SmallFile.create(name, with: content, mode: Self.mode(of: path) ?? Self.keptMode)
                return name
            } catch {
                guard error.code == EEXIST else { throw Self.unwritable(name, error) }
            }
        }
        throw ClientFile.Refusal(
            code: .unwritableOutput,
            message: "\(path) was not written by Homeport, and \(own) has \(Self.keptMax) such files: remove some")
    }

    /// `amplify_outputs.json`, `amplify_outputs-2.json` and so on.
    private static func named(_ path: String, _ number: Int) -> String {
        guard number > 1 else { return path }
        let file = path.split(separator: "/").last ?? ""
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return "\(path)-\(number)" }
        let ending = file[dot...]
        return "\(path.dropLast(ending.count))-\(number)\(ending)"
    }

    // MARK: Putting back

    /// Puts back what was there before a single writing, unless the file has been written since.
    func takeBack(_ former: Former) throws(ClientFile.Refusal) {
        guard try Self.read(former.place) == former.written else {
            report("\(former.place) was written by others meanwhile, and is left as it is")
            return
        }
        try putBack(former.content, at: former.place)
        if let kept = former.kept { unlink(kept) }
        if let record = former.record { try records.set(record) } else { try records.remove(former.place) }
    }

    /// Puts back what was there before the first writing; says how many files that were.
    func restore() throws(ClientFile.Refusal) -> Int {
        let all = records.all
        for record in all {
            let current = try Self.read(record.path)
            let found = current.flatMap { Self.value(in: $0, like: record) }
            // What people have changed since is not lost.
            if let current, found != record.generated {
                report("\(record.path) was changed by hand, and is now \(try keep(record.path, current))")
            }
            if let kept = record.kept, let original = try Self.read(kept) {
                try putBack(original, at: record.path, mode: Self.mode(of: kept))
                unlink(kept)
                report("\(record.path) is what it was before Homeport")
            } else if current != nil {
                try putBack(nil, at: record.path)
                report("\(record.path) is removed: there was none before Homeport")
            }
        }
        if !all.isEmpty { try records.removeAll() }
        return all.count
    }

    private func putBack(_ content: [UInt8]?, at path: String, mode: mode_t? = nil) throws(ClientFile.Refusal) {
        if let content {
            try Self.replace(path, content, mode: mode ?? Self.mode(of: path) ?? Self.fileMode)
        } else if unlink(path) != 0, errno != ENOENT {
            throw Self.unwritable(path, SystemError(call: "unlink", subject: path))
        }
    }

    /// The content of a file. The same name has other forms in projects of the first generation.
    private static func value(in file: [UInt8], like record: ClientFileRecords.Record) -> JSONObject? {
        let values = [false, true].compactMap { isVersion1 in
            let format = OutputsFormat(ofFile: record.path, isVersion1: isVersion1) ?? .gen2
            return format.form(isVersion1: isVersion1).wrapping.value(in: file)
        }
        return values.first { $0 == record.generated } ?? values.first
    }

    // MARK: Files

    private static func mode(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & modeBits : nil
    }

    private static func read(_ path: String) throws(ClientFile.Refusal) -> [UInt8]? {
        do throws(SystemError) {
            return try SmallFile.read(path, bytesMax: bytesMax)
        } catch {
            if error.code == ENOENT { return nil }
            throw ClientFile.Refusal(code: .unreadableInput, message: "cannot read \(path): \(error)")
        }
    }

    /// - Parameter name: what people call it.
    private static func replace(
        _ path: String, _ bytes: [UInt8], mode: mode_t, named name: String? = nil
    ) throws(ClientFile.Refusal) {
        do throws(SystemError) { try SmallFile.replace(path, with: bytes, mode: mode) } catch {
            throw unwritable(name ?? path, error)
        }
    }

    static func unwritable(_ path: String, _ error: SystemError) -> ClientFile.Refusal {
        ClientFile.Refusal(code: .unwritableOutput, message: "cannot write \(path): \(error)")
    }
}
