import Crypto
import Glibc
import JSON
import Network
import Store

/// The folder with the files of all nodes. A node makes sure at its start that it is the folder of the others.
///
///     mark           the folder's own, made by the first node; the database knows it
///     nodes/NUMBER   one for each node that runs, made before the others hear of it
///
/// The first tells the folder from one that is named by mistake, also where no other node runs. The second tells it from a copy.
struct SharedFolder {
    let path: String
    let place: ServerPlace

    /// The database's note of the folder's mark.
    private static let note: ByteText = "files.mark"
    private static let bytesMax = 64
    private static let mode: mode_t = 0o600
    /// The marks of nodes that were killed are removed after this time.
    private static let keptSeconds = 24 * 3_600
    /// The marks of nodes that a start looks through.
    private static let marksMax = 10_000

    /// Nil where the nodes have no files.
    init?(_ configuration: Configuration) {
        guard configuration.hasNodes, let path = configuration.files.sharedFolder,
            case .server(let place) = configuration.database
        else { return nil }
        (self.path, self.place) = (path, place)
    }

    private func refusal(_ reason: String) -> PoolFile.Failure {
        PoolFile.Failure(message: "files.sharedFolder: \(path) \(reason)", isOfDatabase: true)
    }

    private func refusal(_ error: SystemError) -> PoolFile.Failure { refusal("cannot be used: \(error)") }

    private var nodes: String { "\(path)/nodes" }

    /// Makes the marks of the folder and of a node that is about to join the others.
    func enter(_ node: Int64) throws(PoolFile.Failure) {
        do throws(SystemError) {
            try DataFolder.make(path)
        } catch {
            throw refusal(error)
        }
        try place.changeNotes { known throws(PoolFile.Failure) in
            var notes = known
            notes[Self.note] = try agreed(known[Self.note])
            return (notes, ())
        }
        do throws(SystemError) {
            try DataFolder.make(nodes)
            try SmallFile.replace("\(nodes)/\(node)", with: [], mode: Self.mode)
        } catch {
            throw refusal(error)
        }
    }

    /// The folder's mark, which is that of the database.
    private func agreed(_ known: [UInt8]?) throws(PoolFile.Failure) -> [UInt8] {
        let file = "\(path)/mark"
        let own: [UInt8]?
        do throws(SystemError) { own = try SmallFile.read(file, bytesMax: Self.bytesMax) } catch {
            guard error.code == ENOENT else { throw refusal(error) }
            own = nil
        }
        switch (known, own) {
        case (let known?, let own?) where known == own: return known
        case (_?, let own):
            throw refusal(
                "is not the folder of the other nodes: \(own == nil ? "it has no mark" : "its mark is another one"). Name the folder "
                    + "with the files of this database, on a file system that all nodes have")
        case (nil, _?):
            throw refusal(
                "holds the files of another database. Name an empty folder; if these files are of this database, remove \(file) "
                    + "and start again")
        case (nil, nil):
            let made = Array(Hexadecimal.text(of: RandomBytes.make(count: 16)).utf8)
            do throws(SystemError) { try SmallFile.create(file, with: made, mode: Self.mode) } catch {
                throw refusal(error)
            }
            return made
        }
    }

    /// Refuses a folder in which the others have left no marks, and removes the marks of nodes that were killed long ago.
    ///
    /// - Parameter living: the numbers of all nodes that live.
    func check(_ living: Set<Int64>) throws(PoolFile.Failure) {
        for node in living.sorted() where access("\(nodes)/\(node)", F_OK) != 0 {
            throw refusal(
                "is not the folder of the other nodes: a node that runs has no mark in it. Name the same folder for all nodes, on a "
                    + "file system that each of them has, and stop nodes without files.sharedFolder")
        }
        removeOldMarks(besides: living)
    }

    /// Takes a node's mark away.
    func leave(_ node: Int64) { unlink("\(nodes)/\(node)") }

    private func removeOldMarks(besides living: Set<Int64>) {
        for name in FolderContent.names(in: nodes, max: Self.marksMax) {
            if let node = Int64(name), living.contains(node) { continue }
            var status = stat()
            let file = "\(nodes)/\(name)"
            guard stat(file, &status) == 0, status.st_mtim.tv_sec < time(nil) - Self.keptSeconds else { continue }
            unlink(file)
        }
    }
}
