import Glibc
import JSON
import Network
import Store

/// Looks for what a run of the server has left that did not end in order: bodies that never came to their end, files that
/// no record speaks of, notes of files that are to go.
struct FileSweep {
    let service: FileService

    /// Notes that are worked off at once.
    private static let leftoversPerChange = 256

    func run() async throws(FileError) {
        let (folder, store) = (service.folder, service.store)
        guard store.knows(FileTables.all) else { return }
        let current = folder.run
        let found = try await folder.work { () throws(FileError) -> [Int64]? in
            let reader = try Self.reader(of: store)
            do throws(StoreError) {
                guard try reader.has(FileTables.all) else { return nil }
            } catch {
                throw FileError(error)
            }
            return try reader.openRuns()
        }
        guard let runs = found else { return }
        try await removeLeftovers()
        for run in runs where run != current {
            guard try await takeFromGoneNode(run) else { continue }
            // One that another process goes on with is its own business: its files may be without a record yet.
            let isSwept = try await folder.work { () throws(FileError) in
                try folder.whileNobodyHas(run: run) { () throws(FileError) in
                    try Self.sweep(run, in: folder, try Self.reader(of: store))
                }
            }
            guard isSwept else { continue }
            try await service.write { writing throws(FileError) in
                try writing.change(ObjectRow.runDeletion, [.integer(run)])
                return ((), [])
            }
        }
    }

    /// Takes a run away from a node that does not live any more. False where its node lives: the run is that one's own business.
    private func takeFromGoneNode(_ run: Int64) async throws(FileError) -> Bool {
        guard service.store.nodes != nil else { return true }
        return try await service.write { writing throws(FileError) in
            let session = writing.session
            guard try storing({ () throws(StoreError) in try session.has(FileTables.owners) }),
                let owner = try session.owner(ofRun: run)
            else { return (true, []) }
            let living = try storing { () throws(StoreError) in try session.livingNodes() }
            guard !living.contains(owner) else { return (false, []) }
            try writing.change(RunOwner.deletion, [.integer(run)])
            return (true, [])
        }
    }

    private static func reader(of store: Store) throws(FileError) -> Reader {
        do throws(StoreError) { return try store.readerBeside() } catch { throw FileError(error) }
    }

    private func removeLeftovers() async throws(FileError) {
        let (folder, store) = (service.folder, service.store)
        while true {
            let files = try await folder.work { () throws(FileError) in
                let files = try Self.reader(of: store).leftovers(max: Self.leftoversPerChange)
                folder.remove(files)
                return files
            }
            guard !files.isEmpty else { return }
            try await service.write { writing throws(FileError) in
                try writing.forget(files)
                return ((), [])
            }
        }
    }

    private static func sweep(_ run: Int64, in folder: FileFolder, _ reader: Reader) throws(FileError) {
        FolderContent.remove(folder.incomingPath(ofRun: run))
        let objects = folder.objectsPath(ofRun: run)
        for part in FolderContent.names(in: objects) {
            let path = "\(objects)/\(part)"
            for name in FolderContent.names(in: path) {
                guard let raw = Int64(name, radix: 16), try !reader.speaks(of: FileNumber(raw)) else { continue }
                unlink("\(path)/\(name)")
            }
            rmdir(path)
        }
        rmdir(objects)
    }
}
