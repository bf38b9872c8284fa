import Blueprint
import GraphQL
import Project
import Script

/// What a run of a project's programs finds out about files: the places that `defineStorage` makes, and which of them
/// `defineBackend` puts together.
final class StorageRun {
    private let errors: ResourceErrors
    private let files: ProgramFiles
    private var made: [(object: OpaqueObject, storage: StorageResource?, position: Position)] = []
    /// What stands for the buckets in `backend.ts`.
    private var buckets: [(object: OpaqueObject, place: Int)] = []
    /// Those that `defineBackend` names, in its order; nil before it is called.
    private var named: [Int]?
    /// What it calls them, and their names.
    private(set) var keys: [String: String] = [:]

    private static let place = "/amplify/storage/resource."
    /// As many as S3 lets a bucket have.
    private static let listenersMax = 100

    init(_ files: ProgramFiles, _ errors: ResourceErrors) {
        self.files = files
        self.errors = errors
    }

    /// Those of the backend, or all that are defined where nothing says what the backend is.
    private(set) var storages: [StorageResource] = []

    /// `defineStorage({...})`
    func define(_ arguments: BuilderArguments, _ definitions: Definitions, _ realm: Realm) -> ProgramValue {
        let object = OpaqueObject(realm, origin: "defineStorage()")
        let position = arguments.position
        let file = files.sources.indices.contains(position.source) ? files.sources[position.source].name : nil
        if position.isKnown, let file, !files.project.path(of: file).contains(bytesOf: Self.place) {
            errors.add(
                TypeScriptError("Amplify Storage must be defined in amplify/storage/resource.ts", at: position))
        }
        let place = made.count
        made.append((object, nil, position))
        if let given = arguments.optionalObject(0) {
            definitions.add(object) { [weak self] in
                guard let self, made.indices.contains(place) else { return }
                made[place].storage = StorageReader(given, errors).read()
            }
        } else if case .refused(let error) = arguments.given(0).value {
            errors.add(error)
        } else {
            errors.add(
                TypeScriptError(
                    "`defineStorage` takes an object, found \(arguments.given(0).value.description)",
                    at: arguments.position(of: 0), hint: "Write defineStorage({ name: 'files' })."))
        }
        return .object(object)
    }

    /// A resource of `defineBackend`, and what a program sees of it; nil: it is no place for files.
    func add(_ resource: ProgramObject, _ key: String, _ realm: Realm) -> ProgramValue? {
        guard let place = made.firstIndex(where: { $0.object === resource }) else { return nil }
        keys[key] = made[place].storage?.name
        if named?.contains(place) != true { named = (named ?? []) + [place] }
        let object = OpaqueObject(realm, origin: "backend.\(key)")
        let resources = OpaqueObject(realm, origin: "backend.\(key).resources")
        let bucket = OpaqueObject(realm, origin: "backend.\(key).resources.bucket")
        object.put("resources", .object(resources))
        resources.put("bucket", .object(bucket))
        buckets.append((bucket, place))
        for (name, events) in Self.notifications {
            bucket.put(
                name,
                .object(
                    realm.function(name, length: 2) { call throws(Thrown) in
                        let run = try ProgramRun.of(call.realm)
                        let given = call.arguments
                        let wish =
                            events.map { NotificationArguments(events: [$0], filters: given.dropFirst()) }
                            ?? NotificationArguments(event: call[0], filters: given.dropFirst(2))
                        let target = call[events == nil ? 1 : 0]
                        if let signIn = run.signIn,
                            !signIn.storage.notify(place, signIn.functions.target(target), wish)
                        {
                            signIn.note("\(name) of \(key)", at: run.files.position(call.realm.callPlace))
                        }
                        return .undefined
                    }))
        }
        return .object(object)
    }

    /// The methods of a bucket that have a function hear of files, and of what; nil: the first argument says so.
    private static let notifications: [(String, String?)] = [
        ("addEventNotification", nil), ("addObjectCreatedNotification", "ObjectCreated:*"),
        ("addObjectRemovedNotification", "ObjectRemoved:*"),
    ]

    /// The place whose bucket something is; nil: it is none.
    func place(ofBucket value: ProgramValue?) -> Int? {
        guard case .object(let object)? = value else { return nil }
        return buckets.first { $0.object === object }?.place
    }

    /// Has a function hear of files of a bucket. False: nothing here can do that, or not everything that it depends on is known.
    func notify(_ place: Int, _ function: FunctionResource?, _ wish: NotificationArguments?) -> Bool {
        guard let wish, let name = function.flatMap({ $0.reference.givenName ?? $0.key }),
            let count = made[place].storage?.listeners.count, count < Self.listenersMax
        else { return false }
        made[place].storage?.listeners.append(
            StorageListener(name, of: wish.events, prefix: wish.prefix ?? "", suffix: wish.suffix ?? ""))
        return true
    }

    /// The backend is put together.
    func assemble() { named = named ?? [] }

    /// When the program has come to its end.
    ///
    /// - Parameter auth: sign-in, where it is known that there is any or none; nil: it is not known.
    func settle(auth: AuthResource??) {
        let found = named.map { $0.map { made[$0] } } ?? made
        storages = found.compactMap(\.storage)
        let (first, others) = (found.first?.position ?? Position.none, found.dropFirst())
        let defaults = found.filter { $0.storage?.isDefault == true }
        if defaults.count > 1 {
            errors.add(
                TypeScriptError(
                    "More than one default storage set in the Amplify project.", at: defaults[1].position,
                    hint:
                        "Remove `isDefault: true` from all `defineStorage` calls except for one in your Amplify project."
                ))
        } else if defaults.isEmpty, !others.isEmpty {
            errors.add(
                TypeScriptError(
                    "No default storage set in the Amplify project.", at: first,
                    hint: "Add `isDefault: true` to one of the `defineStorage` calls in your Amplify project."))
        }
        for (number, storage) in found.enumerated() {
            guard let name = storage.storage?.name,
                found[..<number].contains(where: { $0.storage?.name == name })
            else { continue }
            errors.add(
                TypeScriptError(
                    "There is already a Construct with name '\(name)' in NestedStack [storage]", at: storage.position,
                    hint: "Give each defineStorage a name of its own."))
        }
        if let auth { check(found.map { ($0.storage, $0.position) }, auth) }
    }

    /// People of rules are those of sign-in.
    private func check(_ found: [(storage: StorageResource?, position: Position)], _ auth: AuthResource?) {
        for (storage, position) in found {
            for rule in (storage?.access ?? []).flatMap(\.rules) {
                let roles: [String] =
                    switch rule.who {
                    case .guest: ["unauthenticatedUserIamRole"]
                    case .authenticated, .owner: ["authenticatedUserIamRole"]
                    case .groups(let names): names
                    case .function: []
                    }
                for role in roles where auth == nil {
                    errors.add(
                        TypeScriptError(
                            "Cannot specify auth access for \(role) users without defining auth. See https://docs.amplify.aws/gen2/build-a-backend/auth/set-up-auth/ for more information.",
                            at: position))
                }
                guard let auth, case .groups(let names) = rule.who else { continue }
                for name in names where !auth.pool.groups.contains(where: { $0.name == name }) {
                    errors.add(
                        TypeScriptError(
                            "No auth IAM role found for \"\(name)\".", at: position,
                            hint:
                                "If you are trying to configure UserPool group access, ensure that the group name is specified correctly."
                        ))
                }
            }
        }
    }

    func forgetObjects() { (made, buckets) = ([], []) }
}
