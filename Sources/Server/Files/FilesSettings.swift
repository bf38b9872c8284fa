import Access
import Blueprint
import Files
import JSON
import Project
import UserPool

/// The places for files that a server has, with who may do what in each: those of the configuration, else those of the project,
/// else one for whoever has signed in.
struct FilesSettings: Sendable {
    struct Bucket: Sendable {
        /// The app's name for it.
        let name: String
        /// Its name in requests.
        let bucketName: String
        let rights: any FileRights
        /// The functions that are called when a file has come or gone.
        var listeners: [FileListener] = []
        /// Its rules, for clients.
        var access: [StorageResource.Path]?
    }

    let buckets: [Bucket]
    /// The one that is meant where none is named; nil: there is none.
    let usual: Bucket?
    let region: String
    /// Names below which a host is a bucket's.
    let hosts: [String]
    let objectBytesMax: Int64
    let uploadMilliseconds: Int64
    let freeBytesMin: UInt64
    /// The groups that rules name: their members act in roles of their own.
    let groups: Set<ByteText>

    /// The bucket of a server whose project says nothing of files.
    private static let usualName = "files"

    /// The fault of a configuration's buckets, for a start that is refused.
    static func fault(of configuration: Configuration) -> String? {
        let set = configuration.files.buckets
        var names: Set<ByteText> = []
        for bucket in set {
            let place = "files.buckets: \(bucket.name)"
            if bucket.name.isEmpty { return "files.buckets: a bucket needs a name" }
            guard names.add(bucket.name), bucket.bucketName.map({ names.add("bucket \($0)") }) != false else {
                return "\(place) is there twice"
            }
            if bucket.levels != nil, bucket.paths != nil {
                return
                    "\(place) has rules of both forms; give it paths, or authenticated, guests, groups and functions"
            }
            if let fault = StoragePaths.faults(bucket.paths?.map(\.path) ?? []).first {
                return "\(place): \(fault.message) \(fault.hint)"
            }
            for (key, function) in [("onUpload", bucket.onUpload), ("onDelete", bucket.onDelete)] {
                if let function, url(of: function, configuration) == nil {
                    return
                        "\(place): \(key): there is no function \(function); name one of functions, or a URL"
                }
            }
        }
        let defaults = set.count(where: \.isDefault)
        if set.count > 1, defaults != 1 {
            return "files.buckets: of several buckets one is the default; \(defaults) are"
        }
        return nil
    }

    /// - Parameter identifiers: those of the pool, whose region is that of the buckets.
    init(
        _ configuration: Configuration, _ project: ProjectStorage, _ identifiers: PoolIdentifiers?
    ) throws(StartError) {
        if let fault = Self.fault(of: configuration) { throw StartError(.configuration, fault) }
        let seed: [UInt8]
        do throws(PoolFile.Failure) { seed = try PoolFile.seedOfBuckets(of: configuration) } catch {
            throw StartError(error.code, error.message)
        }
        let set = configuration.files
        (buckets, usual) =
            set.buckets.isEmpty
            ? Self.buckets(of: project, seed, configuration) : Self.buckets(of: set.buckets, seed, configuration)
        region = identifiers?.region ?? configuration.signIn.region ?? PoolIdentifiers.usualRegion
        hosts = set.hosts
        objectBytesMax = set.objectBytes
        uploadMilliseconds = set.uploadMilliseconds
        freeBytesMin = UInt64(clamping: set.freeBytes)
        groups = Self.groups(set.buckets, project)
    }

    /// The same as the store of files takes it.
    ///
    /// - Parameter identities: what the roles of identities may do besides.
    func room(_ identities: IdentityRights = IdentityRights()) -> FileSettings {
        var settings = FileSettings()
        if !identities.isEmpty { settings.identities = identities }
        settings.buckets = Dictionary(
            buckets.map { (ByteText($0.bucketName), $0.rights) }, uniquingKeysWith: { first, _ in first })
        settings.usualBucket = usual?.bucketName
        settings.hosts = hosts
        settings.region = region
        settings.objectBytesMax = objectBytesMax
        settings.uploadMilliseconds = uploadMilliseconds
        settings.freeBytesMin = freeBytesMin
        for bucket in buckets {
            for listener in bucket.listeners { settings.functions.add(listener, to: bucket.bucketName) }
        }
        return settings
    }

    private static func url(of function: String, _ configuration: Configuration) -> String? {
        if function.hasPrefix("http://") || function.hasPrefix("https://") { return function }
        return configuration.engine.functions[function]
    }

    /// The functions that are told when a file has come and when one has gone, by their names or URLs.
    private static func listeners(
        onUpload: String?, onDelete: String?, _ configuration: Configuration
    ) -> [FileListener] {
        [(onUpload, "ObjectCreated:*"), (onDelete, "ObjectRemoved:*")].compactMap { function, events in
            function.flatMap { listener(StorageListener($0, of: [events]), configuration) }
        }
    }

    /// Nil: there is no such function.
    private static func listener(_ listener: StorageListener, _ configuration: Configuration) -> FileListener? {
        url(of: listener.function, configuration).map {
            FileListener(
                listener.function, url: $0, events: listener.events, prefix: listener.prefix, suffix: listener.suffix)
        }
    }

    // MARK: Of the configuration

    private static func buckets(
        of set: [BucketSetting], _ seed: [UInt8], _ configuration: Configuration
    ) -> ([Bucket], Bucket?) {
        let buckets = set.map { setting in
            let rights: any FileRights =
                if let paths = setting.paths {
                    Version2Rights(paths.map { ($0.path, $0.rules) })
                } else {
                    Version1Rights(setting.levels ?? BucketSetting.Levels())
                }
            return Bucket(
                name: setting.name, bucketName: setting.bucketName ?? BucketNaming.usual(for: setting.name, seed: seed),
                rights: rights,
                listeners: listeners(onUpload: setting.onUpload, onDelete: setting.onDelete, configuration),
                access: setting.paths?.map(\.told))
        }
        return (buckets, set.firstIndex(where: \.isDefault).map { buckets[$0] } ?? buckets.first)
    }

    private static func groups(_ set: [BucketSetting], _ project: ProjectStorage) -> Set<ByteText> {
        var names: [String] = []
        for bucket in set {
            if let levels = bucket.levels { names += levels.groups.keys }
            for path in bucket.paths ?? [] { names += path.groups.keys }
        }
        guard set.isEmpty else { return Set(texts: names) }
        switch project {
        case .none, .refused: break
        case .version1(let storage): names = storage.groups.map(\.name)
        case .version2(let storages):
            for rule in storages.flatMap({ $0.access ?? [] }).flatMap(\.rules) {
                if case .groups(let groups) = rule.who { names += groups }
            }
        }
        return Set(texts: names)
    }

    // MARK: Of the project

    private static func buckets(
        of project: ProjectStorage, _ seed: [UInt8], _ configuration: Configuration
    ) -> ([Bucket], Bucket?) {
        switch project {
        case .refused: return ([], nil)
        case .none:
            // As `amplify add storage` with "Auth users only": what nobody has opened is open to nobody.
            let bucket = Bucket(
                name: usualName, bucketName: BucketNaming.usual(for: usualName, seed: seed),
                rights: Version1Rights(users: .all))
            return ([bucket], bucket)
        case .version1(let storage):
            let bucket = Bucket(
                name: storage.name, bucketName: BucketNaming.usual(for: storage.name, seed: seed),
                rights: Version1Rights(
                    users: FileActions(storage.users), guests: FileActions(storage.guests),
                    groups: Dictionary(
                        storage.groups.map { ($0.name, FileActions($0.permissions)) }, uniquingKeysWith: { $1 })),
                listeners: listeners(onUpload: storage.trigger, onDelete: storage.trigger, configuration))
            return ([bucket], bucket)
        case .version2(let storages):
            let buckets = storages.map { storage in
                Bucket(
                    name: storage.name, bucketName: BucketNaming.usual(for: storage.name, seed: seed),
                    rights: Version2Rights((storage.access ?? []).map { ($0.path, $0.rules.flatMap(PathRule.rules)) }),
                    listeners: listeners(
                        onUpload: storage.onUpload?.givenName, onDelete: storage.onDelete?.givenName, configuration)
                        + storage.listeners.compactMap { listener($0, configuration) },
                    access: storage.access)
            }
            let usual = storages.usual.flatMap { usual in buckets.first { $0.name == usual.name } }
            return (buckets, usual)
        }
    }
}

extension Version1Rights {
    init(_ levels: BucketSetting.Levels) {
        self.init(users: levels.users, guests: levels.guests, groups: levels.groups, functions: levels.functions)
    }
}

extension FileActions {
    init(_ permissions: [Version1Storage.Permission]) {
        self = permissions.reduce(into: []) { actions, permission in
            switch permission {
            case .create: actions.formUnion(.put)
            case .read: actions.formUnion(.read)
            case .delete: actions.formUnion(.delete)
            }
        }
    }

    init(_ actions: [StorageResource.Action]) {
        self = actions.reduce(into: []) { result, action in
            switch action {
            case .read: result.formUnion(.read)
            case .get: result.formUnion(.get)
            case .list: result.formUnion(.list)
            case .write: result.formUnion(.put)
            case .delete: result.formUnion(.delete)
            }
        }
    }
}

extension PathRule {
    /// A rule of a project: one for each group that it names. Functions go by the names that the project gives them.
    static func rules(_ rule: StorageResource.Rule) -> [PathRule] {
        let actions = FileActions(rule.actions)
        return switch rule.who {
        case .guest: [PathRule(.guest, actions)]
        case .authenticated: [PathRule(.authenticated, actions)]
        case .owner: [PathRule(.owner, actions)]
        case .groups(let names): names.map { PathRule(.group($0), actions) }
        case .function(let function): function.givenName.map { [PathRule(.function($0), actions)] } ?? []
        }
    }
}

extension BucketSetting.Path {
    /// The same as a project would have it, for clients.
    var told: StorageResource.Path {
        func rule(_ who: StorageResource.Who, _ actions: FileActions) -> [StorageResource.Rule] {
            let all: [(FileActions, StorageResource.Action)] = [
                (.get, .get), (.list, .list), (.put, .write), (.delete, .delete),
            ]
            let named = all.filter { actions.contains($0.0) }.map(\.1)
            return named.isEmpty ? [] : [StorageResource.Rule(who: who, actions: named)]
        }
        return StorageResource.Path(
            path: path,
            rules: rule(.guest, guest) + rule(.authenticated, authenticated) + rule(.owner, owner)
                + groups.sorted { $0.key < $1.key }.flatMap { rule(.groups([$0]), $1) })
    }
}
