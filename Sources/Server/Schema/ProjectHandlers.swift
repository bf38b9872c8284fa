import Blueprint
import Glibc
import Network

/// The handlers of subscriptions that a Gen 1 project keeps beside its schema, as files in the folder `resolvers`:
/// `Subscription.onCreateTodo.req.vtl`, `Subscription.onCreateTodo.auth.1.req.vtl`, or with `.js` at the end. Those that do no
/// more than pass on are left out.
enum ProjectHandlers {
    /// The schema is a file in the API's folder, or a folder in it.
    private static let folders = ["resolvers", "../resolvers"]
    private static let typeName = "Subscription"
    private static let fileBytesMax = 64 << 10

    static func handlers(beside folder: String) -> [CustomHandler] {
        var handlers: [CustomHandler] = []
        for name in folders {
            let path = folder == "." ? name : "\(folder)/\(name)"
            for file in files(in: path) {
                let parts = file.split(separator: ".", omittingEmptySubsequences: false)
                guard parts.count >= 3, parts[0] == typeName, ["vtl", "js"].contains(parts[parts.count - 1]) else {
                    continue
                }
                let bytes = (try? SmallFile.read("\(path)/\(file)", bytesMax: fileBytesMax)) ?? []
                guard !PassingTemplate.isProven(bytes, isRequest: parts[parts.count - 2] == "req") else { continue }
                handlers.append(
                    CustomHandler(typeName: typeName, fieldName: String(parts[1]), entry: "resolvers/\(file)"))
            }
        }
        return handlers
    }

    private static func files(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var files: [String] = []
        while let entry = readdir(directory), files.count < SchemaPlace.filesMax {
            files.append(
                withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return files.sorted()
    }
}
