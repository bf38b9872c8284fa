import Crypto
import Files
import Glibc
import JSON
import Moving
import Network
import Project
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
    /// The identities in whose folders files are, and those of them that no user has.
    private var identities: Set<ByteText> = []
    private(set) var strangers: [String] = []
    /// Nil on the way out.
    private let owners: IdentityImport?

    private static let identitiesMax = 1_000_000

    init(
        _ resolution: ConfigurationResolver.Resolution, _ environment: [String: String], over store: Store,
        of owners: IdentityImport? = nil,
        isWanted: @escaping @Sendable () -> Bool, _ report: MoveProgress
    ) throws(MoveFailure) {
        self.owners = owners
        let configuration = resolution.configuration
        do throws(StartError) {
            places = try FilesSettings(configuration, Project.storage(of: resolution), nil)
        } catch { throw MoveFailure(error.message, code: error.code) }
        service = FileService(
            places.room(), over: store, in: BuiltInFiles.folder(of: configuration, besides: environment),
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
            guard !FileStatus.isFolder(text), let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else {
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
        try await hold(keys.compactMap(ObjectPath.identity(of:)), source.folder)
        var rest = keys[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.atOnceMax)
            rest = rest.dropFirst(part.count)
            let work = part.map { Coming(key: $0, path: "\(source.folder)/\($0)", known: listing[$0]) }
            for (one, outcome) in zip(work, await outcomes(of: work, to: bucket)) { try note(outcome, of: one) }
            guard isWanted() else { throw MoveFailure.stopped }
        }
        report.clear()
        report.line("\(source.folder): \(Counted.text(keys.count, "file"))")
    }

    /// Keeps identities from everybody who does not prove that they are theirs, before their files are here.
    private func hold(_ ids: [String], _ place: String) async throws(MoveFailure) {
        guard let owners else { return }
        let new = ids.filter { identities.insert(ByteText($0)).inserted }
        guard identities.count <= Self.identitiesMax else {
            throw MoveFailure(
                "\(place): files of more than \(Self.identitiesMax) identities: give fewer folders at a time")
        }
        var rest = new[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(PoolLimits.importedUsersPerTransaction))
            rest = rest.dropFirst(part.count)
            do throws(TransferError) { strangers += try await owners.hold(part, on: PoolShard()) } catch {
                throw MoveFailure(error)
            }
        }
    }

    /// Files that come at the same time: the disk writes several in the time of one.
    private static let atOnceMax = 32

    /// A file on its way in.
    private struct Coming: Sendable {
        let key: String
        let path: String
        let known: ObjectListing.Entry?
    }

    private func outcomes(of work: [Coming], to bucket: String) async -> [Result<Bool, FileError>] {
        let service = service
        return await withTaskGroup(of: (Int, Result<Bool, FileError>).self) { group in
            for (number, one) in work.enumerated() {
                group.addTask { (number, await Self.bring(one, to: bucket, by: service)) }
            }
            var outcomes = [Result<Bool, FileError>](repeating: .success(false), count: work.count)
            for await (number, outcome) in group { outcomes[number] = outcome }
            return outcomes
        }
    }

    /// False for a file that is there already.
    private static func bring(_ one: Coming, to bucket: String, by service: FileService) async -> Result<
        Bool, FileError
    > {
        do throws(FileError) {
            if let there = try await service.described(one.key, in: bucket) {
                let sum = try sum(of: one.path)
                guard there.tag != sum.tag || there.size != sum.size else { return .success(false) }
                throw FileError.invalidRequest("a file of this key is there already, with another content")
            }
            if let tag = one.known?.tag, !isOfParts(tag), try sum(of: one.path).tag != tag {
                throw FileError.invalidRequest("its MD5 is not \(tag), as the listing says: sync it again")
            }
            try await service.put(
                fileAt: one.path, as: one.key, in: bucket, fields: one.known?.fields ?? [],
                tags: (one.known?.tags ?? []).map { FileTag(key: $0.key, value: $0.value) },
                modified: one.known?.modified ?? modified(one.path))
            return .success(true)
        } catch { return .failure(error) }
    }

    /// The tag of an object that came in parts depends on them.
    private static func isOfParts(_ tag: String) -> Bool { tag.utf8.contains(UInt8(ascii: "-")) }

    private func note(_ outcome: Result<Bool, FileError>, of one: Coming) throws(MoveFailure) {
        switch outcome {
        case .success(false): present += 1
        case .success(true):
            if let tag = one.known?.tag, Self.isOfParts(tag) { withOtherTag += 1 }
            if one.known?.fields.contains(where: { $0.name == "content-type" }) != true { withoutType += 1 }
            count += 1
            report.records(1)
        case .failure(let error):
            // A disk that is full, or that fails, takes no other file either.
            guard error.status.code < 500 else { throw MoveFailure(error) }
            report.fault(FaultList.Fault(place: one.path, record: one.key, reason: error.reason ?? error.message))
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

    // MARK: Out

    /// Writes the files of all buckets below a folder, but for those that an interrupted move has written.
    ///
    /// - Parameter part: the path of the file that is being written, on the same disk: a move that is killed leaves nothing in the folder that
    ///   is no file.
    func write(to folder: String, by part: String) async throws(MoveFailure) {
        for bucket in places.buckets {
            var isThere = false
            do throws(FileError) { isThere = try await !service.listed("", in: bucket.bucketName).isEmpty } catch {
                throw MoveFailure(error)
            }
            if isThere { try await write(bucket.bucketName, to: "\(folder)/\(bucket.bucketName)", by: part) }
        }
    }

    private func write(_ bucket: String, to folder: String, by part: String) async throws(MoveFailure) {
        let listing = try MoveFailure.reading { () throws(MovingFault) in
            try WholeFile.makeFolder(folder)
            return try PlainFile("\(folder).jsonl")
        }
        var last = ""
        while true {
            let page: [FileService.Listed]
            do throws(FileError) { page = try await service.listed("", in: bucket, after: last) } catch {
                throw MoveFailure(error)
            }
            guard let next = page.last?.key else { break }
            last = next
            var written: [(path: String, modified: Int64)] = []
            for object in page {
                if let file = try await write(object, of: bucket, to: folder, listing, by: part) {
                    written.append(file)
                }
                guard isWanted() else { throw MoveFailure.stopped }
            }
            // The time of a file says that it is on the disk: a move that goes on leaves it then.
            try MoveFailure.reading { [written] () throws(MovingFault) in try WholeFile.settle(written.map(\.path)) }
            for file in written { Self.setTime(file.path, file.modified) }
        }
        try MoveFailure.reading { () throws(MovingFault) in try listing.finish() }
        report.clear()
        report.line("\(folder): \(Counted.text(count, "file"))")
    }

    /// Answers with a file that has its bytes, but is not on the disk for certain.
    private func write(
        _ object: FileService.Listed, of bucket: String, to folder: String, _ listing: PlainFile, by part: String
    ) async throws(MoveFailure) -> (path: String, modified: Int64)? {
        func refuse(_ reason: String) -> (path: String, modified: Int64)? {
            report.fault(FaultList.Fault(place: bucket, record: object.key, reason: reason))
            return nil
        }
        guard let path = ObjectPath.path(of: object.key).map({ "\(folder)/\($0)" }) else {
            return refuse("a file cannot be called so")
        }
        guard !FileStatus.isFolder(path) else {
            return refuse("another key goes on behind it: a file cannot be a folder too")
        }
        do throws(FileError) {
            guard let known = try await service.described(object.key, in: bucket) else { return nil }
            var entry = ObjectListing.Entry(key: object.key)
            entry.size = known.size
            entry.tag = known.tag
            entry.modified = known.modified
            entry.fields = known.fields + known.metadata.map { ("x-amz-meta-\($0.name)", $0.value) }
            entry.tags = known.tags.map { ($0.key, $0.value) }
            var isNew = false
            do throws(MovingFault) {
                try listing.append(entry.line)
                if !Self.isWritten(path, known) {
                    try WholeFile.makeFolder(path.folderOfPath)
                    let file = try PlainFile(path, by: part)
                    do throws(FileError) {
                        guard try await service.copy(object.key, in: bucket, to: file.raw) else { return nil }
                    } catch { throw MovingFault(.unwritable, path, MoveFailure(error).message) }
                    try file.finish(isOnDisk: false)
                    isNew = true
                }
            } catch {
                guard error.kind != .unwritable else { throw FileError.internalError.because(error.description) }
                return refuse(error.reason)
            }
            count += 1
            report.records(1)
            return isNew ? (path, known.modified) : nil
        } catch { throw MoveFailure(error) }
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
