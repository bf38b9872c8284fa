import Glibc
import JSON
import Network

/// The files below a folder, in the order of their names.
package enum FolderWalk {
    /// The names in a folder, in the order of their bytes.
    package static func names(in folder: String) throws(MovingFault) -> [String] {
        guard let entries = opendir(folder) else { throw .system(.unreadable, folder) }
        defer { closedir(entries) }
        var names: [ByteText] = []
        while let entry = readdir(entries) {
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard let name = String(validating: bytes, as: UTF8.self) else {
                throw MovingFault(
                    folder, "the name of a file in it is no UTF-8: \(String(decoding: bytes, as: UTF8.self))")
            }
            if name != ".", name != ".." { names.append(ByteText(name)) }
            guard names.count <= MovingLimits.folderEntriesMax else {
                throw MovingFault(folder, "it has more than \(MovingLimits.folderEntriesMax) files")
            }
        }
        return names.sorted().map(\.string)
    }

    /// Hands each file to the closure, by its path below the folder. A folder for which `enters` says false is left out.
    package static func files<Failure: Error>(
        below folder: String, enters: (String) throws(MovingFault) -> Bool = { _ in true },
        wrong: (MovingFault) -> Failure,
        _ body: (String) throws(Failure) -> Void
    ) throws(Failure) {
        var waiting: [(path: String, depth: Int)] = [("", 0)]
        var count = 0
        func read<Answer>(_ work: () throws(MovingFault) -> Answer) throws(Failure) -> Answer {
            do throws(MovingFault) { return try work() } catch { throw wrong(error) }
        }
        while let (path, depth) = waiting.popLast() {
            let whole = path.isEmpty ? folder : "\(folder)/\(path)"
            guard try read({ () throws(MovingFault) in try enters(whole) }) else { continue }
            var folders: [(String, Int)] = []
            for name in try read({ () throws(MovingFault) in try names(in: whole) }) {
                count += 1
                let below = path.isEmpty ? name : "\(path)/\(name)"
                guard count <= MovingLimits.folderEntriesMax else {
                    throw wrong(MovingFault(folder, "it has more than \(MovingLimits.folderEntriesMax) files"))
                }
                if FileStatus.isFolder("\(folder)/\(below)") {
                    guard depth < MovingLimits.folderDepthMax else {
                        throw wrong(
                            MovingFault("\(folder)/\(below)", "folders are at most \(MovingLimits.folderDepthMax) deep")
                        )
                    }
                    folders.append((below, depth + 1))
                } else {
                    try body(below)
                }
            }
            waiting += folders.reversed()
        }
    }
}
