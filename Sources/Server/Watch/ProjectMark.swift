import Glibc
import Network

/// The files of a project at a moment: what tells an edit from anything else that happens in its folders.
struct ProjectMark: Sendable {
    /// The folders of its files.
    let folders: [String]
    private let files: [String: FileMark]

    /// What of a file changes with what stands in it.
    private struct FileMark: Equatable {
        let node: UInt64
        let bytes: Int64
        let seconds: Int
        let nanoseconds: Int
    }

    /// Files with other endings are no part of what a project says.
    private static let endings = [
        ".graphql", ".ts", ".mts", ".js", ".mjs", ".cjs", ".json", ".asl", ".vtl", ".py", ".env",
    ]
    /// Folders that tools fill, with more files than anybody writes.
    private static let foreign: Set<String> = [
        "node_modules", "#current-cloud-backend", "dist", "build", "__pycache__",
    ]
    private static let filesMax = 20_000
    private static let depthMax = 16

    /// - Parameters:
    ///   - roots: folders that count with all that is in them.
    ///   - single: folders that count by themselves.
    ///   - ignored: files that are written here.
    init(below roots: Set<String>, in single: Set<String>, ignoring ignored: Set<String>) {
        var walk = Walk(ignored: ignored)
        for root in roots.sorted() { walk.enter(root, depth: Self.depthMax) }
        for folder in single.sorted() { walk.enter(folder, depth: 0) }
        (folders, files) = (walk.folders, walk.files)
    }

    /// The files that are not what they were.
    func changes(since former: ProjectMark) -> [String] {
        let written = files.filter { former.files[$0.key] != $0.value }.map(\.key)
        return (written + former.files.keys.filter { files[$0] == nil }).sorted()
    }

    /// The files that were written since then, in milliseconds since 1970, or shortly before: file systems count coarsely.
    func touched(since milliseconds: Int64) -> [String] {
        let first = milliseconds - Self.coarseMilliseconds
        return files.filter { Int64($0.value.seconds) * 1_000 + Int64($0.value.nanoseconds) / 1_000_000 >= first }
            .map(\.key).sorted()
    }

    private static let coarseMilliseconds: Int64 = 10

    private struct Walk {
        let ignored: Set<String>
        var folders: [String] = []
        var files: [String: FileMark] = [:]

        mutating func enter(_ folder: String, depth: Int) {
            guard folders.count < FolderWatch.foldersMax, !folders.contains(folder),
                let names = FolderContent.readableNames(in: folder)
            else { return }
            folders.append(folder)
            var below: [String] = []
            for name in names {
                guard files.count < ProjectMark.filesMax else { break }
                guard !name.hasPrefix(".") || name == ".env", !ProjectMark.foreign.contains(name) else { continue }
                let path = folder == "." ? name : "\(folder)/\(name)"
                guard !ignored.contains(path), let status = FileStatus.status(of: path) else { continue }
                if status.st_mode & S_IFMT == S_IFDIR {
                    below.append(path)
                } else if ProjectMark.endings.contains(where: { name.hasSuffix($0) }) {
                    files[path] = FileMark(
                        node: UInt64(status.st_ino), bytes: Int64(status.st_size), seconds: status.st_mtim.tv_sec,
                        nanoseconds: status.st_mtim.tv_nsec)
                }
            }
            guard depth > 0 else { return }
            for path in below.sorted() { enter(path, depth: depth - 1) }
        }
    }
}
