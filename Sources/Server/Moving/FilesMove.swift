import Crypto
import Files
import Glibc
import JSON
import Moving
import Store
import UserPool

/// Files in and out: a folder for each bucket, with a listing of types and metadata beside it.
///
/// Unchecked: one command uses it, one call after the other.
final class FilesMove: @unchecked Sendable {
    private let places: FilesSettings
    private let service: FileService
    private let report: MoveProgress
    private let isWanted: @Sendable () -> Bool
    /// Files that came or went.
    private(set) var count = 0
    /// Files that were there already.
    private(set) var present = 0
    private(set) var withoutType = 0
    private(set) var withOtherTag = 0
    private var identities: Set<ByteText> = []

    private static let identitiesMax = 1_000_000

    init(
        _ configuration: Configuration, _ environment: [String: String], over store: Store,
        isWanted: @escaping @Sendable () -> Bool, _ report: MoveProgress
    ) throws(MoveFailure) {
        do throws(StartError) {
            places = try FilesSettings(configuration, ProjectResources.storage(of: configuration), nil)
        } catch { throw MoveFailure(error.message, code: error.code) }
        service = FileService(
            places.room, over: store, in: BuiltInFiles.folder(of: configuration, besides: environment),
            FileSignatures([], nil, region: places.region), caller: { _ in nil }, report: { _ in })
        self.report = report
        self.isWanted = isWanted
    }

    func close() { service.close() }

    // MARK: In

    /// A folder and the bucket that its files go to.
    struct Source: Sendable {
        let folder: String
        let bucket: String?

        /// `FOLDER` or `FOLDER:BUCKET`.
        init(_ text: String) {
            guard !FolderWalk.isFolder(text), let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else {
                (folder, bucket) = (text, nil)
                return
            }
            (folder, bucket) = (String(text[..<colon]), String(text[text.index(after: colon)...]))
        }
    }

    private func bucket(_ name: String?) throws(MoveFailure) -> String {
        guard let name else {
            guard let usual = places.usual else {
                throw MoveFailure("there is no bucket; the project's rules are refused")
            }
            return usual.bucketName
        }
        guard let bucket = places.buckets.first(where: { $0.name == name || $0.bucketName == name }) else {
            let known = places.buckets.map(\.name).joined(separator: ", ")
            throw MoveFailure("there is no bucket \(name); there are: \(known)")
        }
        return bucket.bucketName
    }

    func bring(_ source: Source) async throws(MoveFailure) {
        let bucket = try bucket(source.bucket)
        let listing = try MoveFailure.reading { () throws(MovingFault) in try ObjectListing(beside: source.folder) }
        var keys: [String] = []
        try FolderWalk.files(below: source.folder, wrong: { MoveFailure($0) }) { key throws(MoveFailure) in
            keys.append(key)
        }
        for key in keys {
            try await bring(key, of: source.folder, to: bucket, listing)
            guard isWanted() else { throw MoveFailure.stopped }
        }
        report.clear()
        report.line("\(source.folder): \(Counted.text(keys.count, "file"))")
    }

    private func bring(
        _ key: String, of folder: String, to bucket: String, _ listing: ObjectListing
    ) async throws(MoveFailure) {
        let path = "\(folder)/\(key)"
        let known = listing[key]
        if let identity = ObjectPath.identity(of: key), identities.count < Self.identitiesMax {
            identities.add(identity)
        }
        do throws(FileError) {
            if let there = try service.described(key, in: bucket) {
                let sum = try Self.sum(of: path)
                guard there.tag != sum.tag || there.size != sum.size else {
                    present += 1
                    return
                }
                throw FileError.invalidRequest("a file of this key is there already, with another content")
            }
            if let tag = known?.tag {
                // The tag of an object that came in parts depends on them.
                if tag.utf8.contains(UInt8(ascii: "-")) {
                    withOtherTag += 1
                } else if try Self.sum(of: path).tag != tag {
                    throw FileError.invalidRequest("its MD5 is not \(tag), as the listing says: sync it again")
                }
            }
            if known?.fields.contains(where: { $0.name == "content-type" }) != true { withoutType += 1 }
            try await service.put(
                fileAt: path, as: key, in: bucket, fields: known?.fields ?? [],
                tags: (known?.tags ?? []).map { FileTag(key: $0.key, value: $0.value) },
                modified: known?.modified ?? Self.modified(path))
            count += 1
            report.records(1)
        } catch {
            report.fault(FaultList.Fault(place: path, record: key, reason: error.reason ?? error.message))
        }
    }

    private static func sum(of path: String) throws(FileError) -> (tag: String, size: Int64) {
        var status = stat()
        do throws(MovingFault) {
            guard stat(path, &status) == 0 else { throw .system(.unreadable, path) }
            return (Hexadecimal.text(of: try SourceFile.md5(of: path)), Int64(status.st_size))
        } catch { throw .invalidRequest(error.description) }
    }

    private static func modified(_ path: String) -> Int64 {
        var status = stat()
        guard stat(path, &status) == 0 else { return 0 }
        return Int64(status.st_mtim.tv_sec) * 1_000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
    }

    /// Identities that files belong to and no user has.
    func strangers(_ store: Store) throws(MoveFailure) -> [String] {
        try MoveFailure.storing { () throws(StoreError) in
            let reader = try store.reader()
            var strangers: [String] = []
            for identity in identities.sorted() where try !IdentityImport.isKnown(identity.string, in: reader) {
                strangers.append(identity.string)
            }
            return strangers
        }
    }

    // MARK: Out

    /// Writes the files of all buckets below a folder, but for those that an interrupted move has written.
    func write(to folder: String) async throws(MoveFailure) {
        for bucket in places.buckets {
            var isThere = false
            do throws(FileError) { isThere = try !service.listed("", in: bucket.bucketName).isEmpty } catch {
                throw MoveFailure(error.reason ?? error.message)
            }
            if isThere { try await write(bucket.bucketName, to: "\(folder)/\(bucket.bucketName)") }
        }
    }

    private func write(_ bucket: String, to folder: String) async throws(MoveFailure) {
        let listing = try MoveFailure.reading { () throws(MovingFault) in
            try WholeFile.makeFolder(folder)
            return try PlainFile("\(folder).jsonl")
        }
        var last = ""
        while true {
            let page: [FileService.Listed]
            do throws(FileError) { page = try service.listed("", in: bucket, after: last) } catch {
                throw MoveFailure(error.reason ?? error.message)
            }
            guard let next = page.last?.key else { break }
            last = next
            for object in page {
                try await write(object, of: bucket, to: folder, listing)
                guard isWanted() else { throw MoveFailure.stopped }
            }
        }
        try MoveFailure.reading { () throws(MovingFault) in try listing.finish() }
        report.clear()
        report.line("\(folder): \(Counted.text(count, "file"))")
    }

    private func write(
        _ object: FileService.Listed, of bucket: String, to folder: String, _ listing: PlainFile
    ) async throws(MoveFailure) {
        func refuse(_ reason: String) {
            report.fault(FaultList.Fault(place: bucket, record: object.key, reason: reason))
        }
        guard let path = ObjectPath.path(of: object.key).map({ "\(folder)/\($0)" }) else {
            return refuse("a file cannot be called so")
        }
        guard !FolderWalk.isFolder(path) else {
            return refuse("another key goes on behind it: a file cannot be a folder too")
        }
        do throws(FileError) {
            guard let known = try service.described(object.key, in: bucket) else { return }
            var entry = ObjectListing.Entry(key: object.key)
            entry.size = known.size
            entry.tag = known.tag
            entry.modified = known.modified
            entry.fields = known.fields + known.metadata.map { ("x-amz-meta-\($0.name)", $0.value) }
            entry.tags = known.tags.map { ($0.key, $0.value) }
            do throws(MovingFault) {
                try listing.append(entry.line)
                if !Self.isWritten(path, known) {
                    try WholeFile.makeFolder(path.folderOfPath)
                    let file = try PlainFile(path)
                    do throws(FileError) {
                        guard try await service.copy(object.key, in: bucket, to: file.raw) else { return }
                    } catch { throw MovingFault(.unwritable, path, error.reason ?? error.message) }
                    try file.finish()
                    Self.setTime(path, known.modified)
                }
            } catch {
                guard error.kind != .unwritable else { throw FileError.internalError.because(error.description) }
                return refuse(error.reason)
            }
            count += 1
            report.records(1)
        } catch { throw MoveFailure(error.reason ?? error.message, code: .unwritableOutput) }
    }

    private static func isWritten(_ path: String, _ object: FileService.Described) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return Int64(status.st_size) == object.size && modified(path) == object.modified
    }

    private static func setTime(_ path: String, _ milliseconds: Int64) {
        let time = timespec(tv_sec: Int(milliseconds / 1_000), tv_nsec: Int(milliseconds % 1_000) * 1_000_000)
        _ = utimensat(AT_FDCWD, path, [time, time], 0)
    }
}
