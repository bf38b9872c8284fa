import Files
import JSON

/// The settings of files.
package struct FileConfiguration: Sendable {
    /// The folder that all nodes have in common; nil: one of this server's own.
    package var sharedFolder: String?
    /// Empty: those of the project, or else one for whoever has signed in.
    package var buckets: [BucketSetting] = []
    /// Names below which a host is a bucket's: `photos.s3.localhost`.
    package var hosts = ["s3.localhost"]
    package var objectBytes = Int64(FileLimits.objectBytesMax)
    package var uploadMilliseconds = FileLimits.uploadMilliseconds
    package var freeBytes = Int64(FileLimits.freeBytesMin)
}

/// A bucket as it is set: its rules are of the one form or of the other.
package struct BucketSetting: Sendable, Equatable {
    /// The app's name for it.
    package let name: String
    /// Its name in requests; nil: a name that follows from the data folder.
    package var bucketName: String?
    package var isDefault = false
    package var onUpload: String?
    package var onDelete: String?
    /// The rules of `amplify add storage`.
    package var levels: Levels?
    /// The rules of `defineStorage`.
    package var paths: [Path]?

    package init(name: String) { self.name = name }

    package struct Levels: Sendable, Equatable {
        package var users: FileActions = []
        package var guests: FileActions = []
        package var groups: [String: FileActions] = [:]
        package var functions: [String: FileActions] = [:]
    }

    package struct Path: Sendable, Equatable {
        package let path: String
        package var guest: FileActions = []
        package var authenticated: FileActions = []
        package var owner: FileActions = []
        package var groups: [String: FileActions] = [:]
        package var functions: [String: FileActions] = [:]

        package init(path: String) { self.path = path }

        var rules: [PathRule] {
            [PathRule(.guest, guest), PathRule(.authenticated, authenticated), PathRule(.owner, owner)]
                + groups.map { PathRule(.group($0), $1) } + functions.map { PathRule(.function($0), $1) }
        }
    }
}

extension FileActions {
    /// The configuration's names for the permissions of `amplify add storage`.
    static let permissions: [(name: String, actions: FileActions)] = [
        ("create", .put), ("read", .read), ("delete", .delete),
    ]
    /// Its names for the actions of `defineStorage`.
    static let actions: [(name: String, actions: FileActions)] = [
        ("read", .read), ("get", .get), ("list", .list), ("write", .put), ("delete", .delete),
    ]

    init(_ names: JSONValue?, of table: [(name: String, actions: FileActions)]) {
        let names = names?.array?.compactMap(\.string) ?? []
        self = table.filter { names.contains($0.name) }.reduce(into: []) { $0.formUnion($1.actions) }
    }
}

extension BucketSetting: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard let name = value["name"]?.string else { return nil }
        self.init(name: name)
        bucketName = value["bucketName"]?.string
        isDefault = value["default"]?.bool ?? false
        onUpload = value["onUpload"]?.string
        onDelete = value["onDelete"]?.string
        if ["authenticated", "guests", "groups", "functions"].contains(where: { value[$0] != nil }) {
            levels = Levels(
                users: FileActions(value["authenticated"], of: FileActions.permissions),
                guests: FileActions(value["guests"], of: FileActions.permissions),
                groups: Self.named(value["groups"], FileActions.permissions),
                functions: Self.named(value["functions"], FileActions.permissions))
        }
        paths = value["paths"]?.object.map { object in
            object.members.map { member in
                var path = Path(path: member.key)
                path.guest = FileActions(member.value["guest"], of: FileActions.actions)
                path.authenticated = FileActions(member.value["authenticated"], of: FileActions.actions)
                path.owner = FileActions(member.value["owner"], of: FileActions.actions)
                path.groups = Self.named(member.value["groups"], FileActions.actions)
                path.functions = Self.named(member.value["functions"], FileActions.actions)
                return path
            }
        }
    }

    private static func named(
        _ value: JSONValue?, _ table: [(name: String, actions: FileActions)]
    ) -> [String: FileActions] {
        Dictionary(
            (value?.object?.members ?? []).map { ($0.key, FileActions($0.value, of: table)) }, uniquingKeysWith: { $1 })
    }
}
