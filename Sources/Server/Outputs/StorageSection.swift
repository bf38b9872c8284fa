import Blueprint
import JSON
import Project

/// What `amplify_outputs.json` says of the places for files.
struct StorageSection {
    let region: String
    let buckets: [FilesSettings.Bucket]
    let usual: FilesSettings.Bucket

    func value(_ version: OutputsVersion) -> JSONValue {
        var section = JSONObject([
            ("aws_region", .string(region)), ("bucket_name", .string(usual.bucketName)),
        ])
        if version.hasBuckets { section["buckets"] = .array(buckets.map { bucket($0, version) }) }
        return .object(section)
    }

    private func bucket(_ bucket: FilesSettings.Bucket, _ version: OutputsVersion) -> JSONValue {
        var section = JSONObject([
            ("name", .string(bucket.name)), ("bucket_name", .string(bucket.bucketName)),
            ("aws_region", .string(region)),
        ])
        if version.hasPaths, let access = bucket.access { section["paths"] = .object(paths(access)) }
        return .object(section)
    }

    /// The placeholder in a path for the caller's id.
    private static let identity = "${cognito-identity.amazonaws.com:sub}"

    /// Rules of owners stand under a path with the identity's id; the others of that path under one without it.
    private func paths(_ access: [StorageResource.Path]) -> JSONObject {
        var paths = JSONObject()
        for path in access {
            for rule in path.rules {
                let names: [String] =
                    switch rule.who {
                    case .guest: ["guest"]
                    case .authenticated: ["authenticated"]
                    case .owner: ["entityidentity"]
                    case .groups(let groups): groups.map { "groups\($0)" }
                    case .function: []
                    }
                let mark = StorageResource.identityMark
                let name =
                    rule.who == .owner
                    ? path.path.replacing(bytesOf: mark, with: Self.identity)
                    : path.path.hasSuffix("/\(mark)/*")
                        ? path.path.replacing(bytesOf: "/\(mark)/*", with: "/*")
                        : path.path.replacing(bytesOf: mark, with: "*")
                var rules = paths[name]?.object ?? JSONObject()
                for who in names { rules[who] = .array(rule.plainActions.map { .string($0.rawValue) }) }
                paths[name] = .object(rules)
            }
        }
        return paths
    }
}
