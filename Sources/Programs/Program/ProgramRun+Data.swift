import Blueprint
import GraphQL
import Project
import Script

/// What a program says of the data: the schema and the options of `defineData`, read when the program has come to its end.
extension ProgramRun {
    /// Runs the program, and finds what it says.
    func options() throws(TypeScriptError) -> DataOptions {
        let realm = makeRealm()
        defer { forgetObjects() }
        let result: Result<DataOptions, TypeScriptError>
        do throws(ScriptError) {
            let namespace = try realm.module(main.file)
            do throws(Thrown) {
                result = try found(in: namespace, realm)
            } catch {
                throw realm.scriptError(error, file: main.file)
            }
        } catch {
            throw self.error(error)
        }
        return try result.get()
    }

    /// What is odd about the program, and does not end it.
    func warnings(in modules: ProgramFiles) -> [Diagnostic] {
        warnings.map { Diagnostic(asWarning: Diagnostic($0, in: modules.sources)) }
    }

    /// What a program says that calls `defineBackend`.
    enum BackendData {
        case options(DataOptions)
        /// `defineBackend` is given none, so that no API is deployed.
        case none
        /// The program does not come to `defineBackend`; with what its data was by then, where it came so far.
        case unknown(TypeScriptError?, DataOptions?)
    }

    /// Runs a program up to where it calls `defineBackend`, and reads the data that this is given: all that the program did
    /// before counts, and nothing that comes after.
    func backendData() throws(TypeScriptError) -> BackendData {
        isBackend = true
        let realm = makeRealm()
        defer { forgetObjects() }
        var failure: TypeScriptError?
        do throws(ScriptError) {
            _ = try realm.module(main.file)
        } catch {
            failure = self.error(error)
        }
        switch assembled {
        case nil:
            var options: DataOptions?
            if data.count == 1, let made = data.first, (try? read(made)) != nil { options = made.options }
            pending = nil
            return .unknown(failure, options?.schema == nil ? nil : options)
        case .failure(let error)?: throw error
        case .success(let options)?: return options.map { .options($0) } ?? .none
        }
    }

    /// Takes what `defineBackend` is given. What it gives is the end of the program.
    func assemble(_ resources: ProgramValue, _ realm: Realm) -> Thrown {
        do throws(Thrown) {
            assembled = try data(among: resources, realm)
            return .ended(.host(message: "the data is known", hint: nil))
        } catch {
            // A getter of the program fails, as it would in Amplify.
            if assembled == nil {
                assembled = .failure(self.error(realm.scriptError(error, file: main.file)))
            }
            return error
        }
    }

    func data(
        among resources: ProgramValue, _ realm: Realm
    ) throws(Thrown) -> Result<DataOptions?, TypeScriptError> {
        let place = files.position(realm.callPlace)
        if let error = secondCall { return .failure(error) }
        guard case .object(let resources) = resources else { return .success(nil) }
        if let opaque = resources as? OpaqueObject { return .failure(refusal(opaque, at: place)) }
        for key in try resources.enumerableKeys() {
            guard case .object(let resource) = try resources.get(key) else { continue }
            if let made = (resource as? HostObject)?.payload as? DataBuilder {
                guard isInPlace(made) else {
                    return .failure(
                        TypeScriptError("Amplify Data must be defined in amplify/data/resource.ts", at: made.position))
                }
                return try options(of: made).map { $0 }
            }
            // The name is that of Amplify's own documents: what a package gives here may be all that is served.
            if realm.describe(key) == "data", let opaque = resource as? OpaqueObject {
                return .failure(refusal(opaque, at: place))
            }
        }
        return .success(nil)
    }

    private static let place = "/amplify/data/resource."

    private func isInPlace(_ made: DataBuilder) -> Bool {
        guard made.position.isKnown, files.sources.indices.contains(made.position.source),
            let file = files.sources[made.position.source].name
        else { return true }
        return files.project.path(of: file).contains(bytesOf: Self.place)
    }

    func found(
        in namespace: ProgramObject, _ realm: Realm
    ) throws(Thrown) -> Result<DataOptions, TypeScriptError> {
        let start = Position(offset: 0, source: 0)
        var exported = try namespace.get("data")
        if exported.isUndefined { exported = try namespace.get("default") }
        if case .object(let function) = exported, function.isCallable, !function.isOpaque {
            // A function that gives the data is called with functions that nothing is known of.
            let count = Int(try realm.toInteger(try function.get("length")))
            let unknown = (0..<min(max(count, 0), 100)).map { _ in
                ProgramValue.object(OpaqueObject(realm, origin: "the argument of data"))
            }
            exported = try realm.call(function, this: .undefined, unknown)
            try realm.runJobs()
        }
        if let error = secondCall { return .failure(error) }
        let given = PlacedGiven(exported, at: start, self)
        if case .refused(let error) = given.value { return .failure(error) }
        if let made = given.value.builder as? DataBuilder ?? data.first { return try options(of: made) }
        var candidates: [PlacedGiven] = []
        let keys = try namespace.ownKeys().filter { $0.isName || $0.isIndex }
        for key in keys {
            let value = PlacedGiven(try namespace.get(key), at: start, self)
            if value.value.builder is SchemaBuilder || value.value.builder is CombinedBuilder {
                candidates.append(value)
            }
        }
        // A module that only says what the schema is, and does not even export it.
        if keys.isEmpty { candidates = schemas }
        guard candidates.count == 1, let schema = candidates[0].value.builder else {
            return .failure(
                TypeScriptError(
                    candidates.isEmpty
                        ? "there is no call of defineData that is exported as data"
                        : "there are \(candidates.count) schemas, and no call of defineData that says which is served",
                    at: start, hint: "Write export const data = defineData({ schema })."))
        }
        if let error = try reading(schema) { return .failure(error) }
        return .success(DataOptions(schema: candidates[0]))
    }

    private var secondCall: TypeScriptError? {
        guard data.count > 1 else { return nil }
        return TypeScriptError(
            "Multiple `defineData` calls are not allowed within an Amplify backend", at: data[1].position)
    }

    private func options(of made: DataBuilder) throws(Thrown) -> Result<DataOptions, TypeScriptError> {
        if let error = try reading(made) { return .failure(error) }
        guard made.options.schema != nil else {
            return .failure(TypeScriptError("`defineData` is given no schema", at: made.position))
        }
        return .success(made.options)
    }

    /// Reads what a builder was given, and all that it leads to; gives what is wrong with it.
    private func reading(_ builder: Builder) throws(Thrown) -> TypeScriptError? {
        do throws(TypeScriptError) {
            try read(builder)
            return nil
        } catch {
            guard let pending else { return error }
            self.pending = nil
            throw pending
        }
    }

    /// Reads what a run for sign-in needs of the data: its options, and the names of models. What is wrong with the schema is said
    /// elsewhere.
    func readOutline(of made: DataBuilder) {
        try? made.$options.read()
        for builder in made.options.builders {
            var schemas = [builder]
            if let combined = builder as? CombinedBuilder {
                try? combined.$schemas.read()
                schemas = combined.schemas.compactMap(\.value.builder)
            }
            for schema in schemas { try? (schema as? SchemaBuilder)?.$entries.read() }
        }
        pending = nil
    }
}
