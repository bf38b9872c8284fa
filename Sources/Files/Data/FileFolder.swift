import CSystem
import Glibc
import Network
import Synchronization
import Threads

/// Objects as files: `incoming/` holds what is still coming, `objects/` what is whole.
///
///     incoming/RUN/NUMBER ──synced, renamed──▶ objects/RUN/FOLDER/NUMBER ──its folder synced──▶ a record may speak of it
///
/// Every run of the server has folders of its own, so what a crash has left is looked for there alone.
final class FileFolder: Sendable {
    let path: String
    private let state: Mutex<State>
    private let freeBytesMin: UInt64
    /// Where the work is done that waits for the disk.
    private let disk: WorkersAside

    private struct State {
        var run: Int64?
        /// Held as long as the process lives: it says that the run goes on.
        var lock: Int32?
        var next: UInt32 = 1
        var folder: Int64?
        var sync: FolderSync?
    }

    private static let mode: mode_t = 0o700
    /// Threads that wait for the disk: what several of them wait for at once, it does in one go.
    private static let threadsMax = 8
    /// Pieces of work that wait for such a thread.
    private static let waitingMax = 4_096

    init(_ path: String, freeBytesMin: UInt64 = FileLimits.freeBytesMin) {
        self.path = path
        self.freeBytesMin = freeBytesMin
        state = Mutex(State())
        disk = WorkersAside(threadsMax: Self.threadsMax, waitingMax: Self.waitingMax, niceness: 0)
    }

    // MARK: Work beside the loops

    /// Does what waits for the disk, beside the loop.
    func work<Value: Sendable>(
        _ body: @escaping @Sendable () throws(FileError) -> Value
    ) async throws(FileError) -> Value {
        let result = await disk.value { () -> Result<Value, FileError> in
            do throws(FileError) { return .success(try body()) } catch { return .failure(error) }
        }
        guard let result else { throw .slowDown.because("\(Self.waitingMax) pieces of work wait for the disk") }
        return try result.get()
    }

    /// The same for what nobody waits for. Where too much waits it is not done.
    func begin(_ body: @escaping @Sendable () -> Void) { disk.begin(body) }

    // MARK: Names

    func path(of file: FileNumber) -> String { "\(path)/objects/\(file.path)" }

    func incomingPath(ofRun run: Int64) -> String { "\(path)/incoming/\(FileNumber.name(run))" }

    func objectsPath(ofRun run: Int64) -> String { "\(path)/objects/\(FileNumber.name(run))" }

    var run: Int64? { state.withLock { $0.run } }

    /// The highest number of a run that has left a folder here; a database from before it does not know of it.
    func highestRun() -> Int64 {
        ["incoming", "objects"].flatMap { FolderContent.names(in: "\(path)/\($0)") }
            .compactMap { Int64($0, radix: 16) }.filter { FileNumber(run: $0, place: 0) != nil }.max() ?? 0
    }

    /// Makes the folders of a run, and holds them as this process's. Called once, before the first file.
    func begin(run: Int64) throws(FileError) {
        for folder in [path, "\(path)/incoming", "\(path)/objects"] { try Self.make(folder) }
        let own = [incomingPath(ofRun: run), objectsPath(ofRun: run)]
        var lock: Int32?
        repeat {
            if let lock { Glibc.close(lock) }
            for folder in own { try Self.make(folder) }
            lock = try Self.locked(own[0], waits: true)
            // Another process may have swept them away before: then what is held is none of them.
        } while try own.map({ (folder) throws(FileError) in try Self.make(folder) }).contains(true)
        for folder in ["\(path)/objects", "\(path)/incoming", path, "\(path)/.."] { try Self.sync(folder) }
        state.withLock { ($0.run, $0.lock) = (run, lock) }
    }

    /// Makes the folder of all objects, where no file has come yet.
    func makeObjects() throws(FileError) {
        for folder in [path, "\(path)/objects"] { try Self.make(folder) }
    }

    /// Goes on without a run, which is not this process's any more. False where it is none of its own by now.
    func forget(run: Int64) -> Bool {
        let isOwn = state.withLock { state in
            guard state.run == run else { return false }
            (state.run, state.folder, state.sync, state.next) = (nil, nil, nil, 1)
            return true
        }
        if isOwn { end() }
        return isOwn
    }

    /// Says that the run goes on no more.
    func end() {
        let lock = state.withLock { state in
            defer { state.lock = nil }
            return state.lock
        }
        if let lock { Glibc.close(lock) }
    }

    deinit { end() }

    /// Does something while a run is nobody's; false where its process still lives. What has died holds nothing.
    func whileNobodyHas(run: Int64, _ body: () throws(FileError) -> Void) throws(FileError) -> Bool {
        let incoming = incomingPath(ofRun: run)
        guard access(incoming, F_OK) == 0 else {
            try body()
            return true
        }
        guard let lock = try Self.locked(incoming, waits: false) else { return false }
        defer { Glibc.close(lock) }
        try body()
        return true
    }

    /// A folder's descriptor, which holds it as long as it is open; nil where another process does. A file system that knows of no such thing is
    /// taken at its word.
    static func locked(_ folder: String, waits: Bool) throws(FileError) -> Int32? {
        let raw = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw >= 0 else { throw failure("open", folder) }
        while flock(raw, LOCK_EX | (waits ? 0 : LOCK_NB)) != 0 {
            if errno == EINTR { continue }
            guard errno == EWOULDBLOCK else { break }
            Glibc.close(raw)
            return nil
        }
        return raw
    }

    /// Returns whether the folder is new.
    @discardableResult
    private static func make(_ folder: String) throws(FileError) -> Bool {
        if mkdir(folder, mode) == 0 { return true }
        guard errno == EEXIST else { throw failure("mkdir", folder) }
        return false
    }

    private static func sync(_ folder: String) throws(FileError) {
        do throws(SystemError) { try FolderSync(of: folder).run() } catch { throw FileError(error) }
    }

    /// A new file's name.
    private func nextNumber() throws(FileError) -> FileNumber {
        let number = state.withLock { state -> FileNumber? in
            guard let run = state.run, let number = FileNumber(run: run, place: state.next) else { return nil }
            state.next += 1
            return number
        }
        guard let number else {
            throw .internalError.because("no run of the file store has begun, or it has no names left")
        }
        return number
    }

    /// What brings the names of a file's folder to the disk; the folder is made when it is not there.
    private func sync(for file: FileNumber) throws(FileError) -> FolderSync {
        if let sync = state.withLock({ $0.folder == file.folder ? $0.sync : nil }) { return sync }
        let folder = "\(objectsPath(ofRun: file.run))/\(FileNumber.name(file.folder))"
        try Self.make(folder)
        do throws(FileError) { try Self.sync(objectsPath(ofRun: file.run)) } catch {
            // One of which nobody knows whether it is on the disk is made again.
            rmdir(folder)
            throw error
        }
        do throws(SystemError) {
            let made = try FolderSync(of: folder)
            return state.withLock { state in
                // Another has made it meanwhile: waiting for the same one is what it is for.
                if state.folder == file.folder, let sync = state.sync { return sync }
                if file.folder >= state.folder ?? 0 { (state.folder, state.sync) = (file.folder, made) }
                return made
            }
        } catch {
            throw FileError(error)
        }
    }

    // MARK: Files

    /// A new file that is still coming. Called beside the loop.
    func open(expecting count: Int64?) throws(FileError) -> IncomingFile {
        try checkSpace(for: count ?? 0)
        let number = try nextNumber()
        let place = "\(incomingPath(ofRun: number.run))/\(FileNumber.name(number.raw))"
        let raw = Glibc.open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard raw >= 0 else { throw Self.failure("open", place) }
        return IncomingFile(FileDescriptor(owning: raw), number: number, path: place, in: self)
    }

    /// Refuses what would take the space that is left alone.
    func checkSpace(for count: Int64) throws(FileError) {
        var space = statvfs()
        guard statvfs(path, &space) == 0 else { return }
        let free = UInt64(space.f_bavail).multipliedReportingOverflow(by: UInt64(space.f_frsize))
        guard !free.overflow else { return }
        let wanted = UInt64(clamping: count).addingReportingOverflow(freeBytesMin)
        guard !wanted.overflow, free.partialValue >= wanted.partialValue else {
            throw .diskFull.because(
                "\(free.partialValue) bytes are free where \(path) lies, and \(freeBytesMin) are left alone")
        }
    }

    /// Puts a file that is whole and on the disk to the others. Called beside the loop.
    fileprivate func place(_ file: FileNumber, from incoming: String) throws(FileError) {
        let sync = try sync(for: file)
        let place = path(of: file)
        // Never in the place of another: whatever has that name, a record may speak of it.
        guard homeport_rename_new(incoming, place) == 0 else { throw Self.failure("rename", place) }
        do throws(SystemError) { try sync.run() } catch {
            unlink(place)
            leave(sync, of: file)
            throw FileError(error)
        }
    }

    /// Goes on in the next folder: of one that could not be brought to the disk nobody knows what is there, now and later.
    private func leave(_ sync: FolderSync, of file: FileNumber) {
        state.withLock { state in
            guard state.sync === sync else { return }
            (state.folder, state.sync) = (nil, nil)
            state.next = max(state.next, FileNumber.firstPlace(behind: file))
        }
    }

    /// The file of an object, to read; nil when it is not there (any more).
    func reading(_ file: FileNumber) throws(FileError) -> OpenObject? {
        let place = path(of: file)
        let raw = Glibc.open(place, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else {
            guard errno == ENOENT else { throw Self.failure("open", place) }
            return nil
        }
        return OpenObject(FileDescriptor(owning: raw))
    }

    /// Removes the files of which no record speaks any more.
    func remove(_ files: [FileNumber]) {
        for file in files { unlink(path(of: file)) }
    }

    static func failure(_ call: String, _ subject: String) -> FileError {
        FileError(SystemError(call: call, subject: subject))
    }
}

/// An object's file that somebody reads.
struct OpenObject: ~Copyable {
    let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

    /// A part of it as a body. A short one is read now and sent together with its head; a longer one goes from the file to
    /// the socket when it has its turn.
    consuming func body(from offset: Int, count: Int) throws(FileError) -> HTTPResponseBody {
        guard count <= FileLimits.readAtOnceBytesMax else {
            return .file(HTTPFileBody(descriptor, offset: offset, count: count))
        }
        var failure = "a file is shorter than its record says"
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while initialized < count {
                let read = pread(
                    descriptor.raw, buffer.baseAddress.map { $0 + initialized }, count - initialized,
                    off_t(offset + initialized))
                if read > 0 {
                    initialized += read
                } else if read == 0 || errno != EINTR {
                    if read < 0 { failure = SystemError(call: "pread").description }
                    break
                }
            }
        }
        guard bytes.count == count else { throw .internalError.because(failure) }
        // As it is kept: clients compare it with its length, its tag and its checksum.
        return .bytes(bytes, isCompressible: false)
    }
}

/// A file that is still coming: written, hashed and then kept or thrown away. One piece of work at a time has it.
final class IncomingFile: @unchecked Sendable {
    // Safe to share: the upload that it belongs to waits for each piece of work before it begins the next.
    let number: FileNumber
    private let descriptor: FileDescriptor
    private let path: String
    private let folder: FileFolder
    private(set) var size: Int64 = 0
    private var isGone = false

    /// After so many bytes the space on the disk is looked at again.
    private static let bytesPerCheck: Int64 = 64 << 20
    /// After so many bytes the disk is told to begin with them, so that they are mostly there when the file has come whole.
    private static let bytesPerWritingOut: Int64 = 4 << 20

    fileprivate init(_ descriptor: consuming FileDescriptor, number: FileNumber, path: String, in folder: FileFolder) {
        self.descriptor = descriptor
        self.number = number
        self.path = path
        self.folder = folder
    }

    deinit {
        if !isGone { unlink(path) }
    }

    var raw: Int32 { descriptor.raw }

    /// Appends bytes.
    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        var rest = bytes[...]
        while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
            let written = Glibc.write(descriptor.raw, start, rest.count)
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if errno != EINTR {
                throw FileFolder.failure("write", path)
            }
        }
        try grew(by: Int64(bytes.count))
    }

    /// Notes bytes that the system has copied into it.
    func grew(by count: Int64) throws(FileError) {
        let before = size
        size += count
        let begun = before / Self.bytesPerWritingOut * Self.bytesPerWritingOut
        let whole = size / Self.bytesPerWritingOut * Self.bytesPerWritingOut
        if whole != begun { homeport_begin_writing_out(descriptor.raw, begun, whole - begun) }
        if before / Self.bytesPerCheck != size / Self.bytesPerCheck { try folder.checkSpace(for: 0) }
    }

    /// Brings it to the disk, with its name. Then a record may speak of it; without one it has to be discarded.
    func keep() throws(FileError) {
        guard fsync(descriptor.raw) == 0 else { throw FileFolder.failure("fsync", path) }
        try folder.place(number, from: path)
        isGone = true
    }

    /// Removes it, kept or not.
    func discard() {
        unlink(isGone ? folder.path(of: number) : path)
        isGone = true
    }
}

extension FileError {
    init(_ error: SystemError) {
        self = [ENOSPC, EDQUOT].contains(error.code) ? .diskFull : .internalError
        reason = error.description
    }
}
