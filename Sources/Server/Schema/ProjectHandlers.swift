import Blueprint
import Glibc
import Network

/// The resolvers that a Gen 1 project keeps beside its schema, as files in the folder `resolvers`: `Query.friends.req.vtl` for a
/// field of its own, `Query.listPosts.postAuth.1.req.vtl` for a step before or after what Amplify makes, or with `.js` at the end.
/// Those of subscriptions that do no more than pass on are left out.
enum ProjectHandlers {
    /// The schema is a file in the API's folder, or a folder in it.
    private static let folders = ["resolvers", "../resolvers"]
    private static let subscription = "Subscription"
    private static let endings: Set = ["vtl", "js"]
    /// The last words of a name: a file of two parts and one of these is a function, which belongs to no field by its name.
    private static let halves: Set = ["req", "res"]
    private static let fileBytesMax = 64 << 10

    static func handlers(beside folder: String) -> [CustomHandler] {
        var handlers: [CustomHandler] = []
        for name in folders {
            let path = folder == "." ? name : "\(folder)/\(name)"
            for file in files(in: path) {
                let parts = file.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
                guard parts.count >= 3, let ending = parts.last, endings.contains(ending), !halves.contains(parts[1])
                else { continue }
                let isRequest = parts[parts.count - 2] == "req"
                guard parts[0] != subscription || !passes("\(path)/\(file)", isRequest: isRequest) else { continue }
                handlers.append(CustomHandler(typeName: parts[0], fieldName: parts[1], entry: "resolvers/\(file)"))
            }
        }
        return handlers
    }

    /// Whether a template does no more than pass on. One that cannot be read, or is too long to look at, may do anything.
    private static func passes(_ path: String, isRequest: Bool) -> Bool {
        guard let bytes = try? SmallFile.read(path, bytesMax: fileBytesMax) else { return false }
        return PassingTemplate.isProven(bytes, isRequest: isRequest)
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
