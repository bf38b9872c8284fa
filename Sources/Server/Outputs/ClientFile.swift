import Blueprint
import JSON
import Project
import UserPool

/// The file by which a client app finds the server: what stands in it follows from the configuration, the project and its schema.
struct ClientFile {
    private let resolution: ConfigurationResolver.Resolution
    let address: ClientAddress
    let resources: ProjectResources
    /// Nil: there is no API.
    let data: ClientData?
    /// Nil: clients sign in elsewhere.
    let pool: PoolIdentifiers?

    private var configuration: Configuration { resolution.configuration }

    /// - Parameter resolution: with what the project says.
    init(
        _ resolution: ConfigurationResolver.Resolution, address: ClientAddress, resources: ProjectResources,
        data: ClientData?, pool: PoolIdentifiers?
    ) {
        self.resolution = resolution
        self.address = address
        self.resources = resources
        self.data = data
        self.pool = pool
    }

    /// Why there is no file, and the way out.
    struct Refusal: Error {
        let code: ExitCode
        let message: String
    }

    /// Whether the project says that its app is a web page.
    var isWeb: Bool {
        if case .version1(let project) = resources.kind { project.frontend?.isWeb ?? false } else { false }
    }

    var isVersion1: Bool { if case .version1 = resources.kind { true } else { false } }

    func bytes(_ format: OutputsFormat, _ version: OutputsVersion) throws(Refusal) -> [UInt8] {
        let (value, wrapping) = try content(format, version)
        return wrapping.bytes(of: .object(value))
    }

    /// What stands in the file, and how it is wrapped.
    func content(
        _ format: OutputsFormat, _ version: OutputsVersion
    ) throws(Refusal) -> (value: JSONObject, wrapping: OutputsFormat.Wrapping) {
        let (content, wrapping) = format.form(isVersion1: isVersion1)
        return (try value(content, version, isForFlutter: wrapping == .dart), wrapping)
    }

    private func value(
        _ content: OutputsFormat.Content, _ version: OutputsVersion, isForFlutter: Bool
    ) throws(Refusal) -> JSONObject {
        if case .version1(let project) = resources.kind, content != .outputs {
            let file = try version1(project)
            switch content {
            case .web: return file.web()
            case .native: return file.native()
            default: return file.oldNative()
            }
        }
        var file = try outputs(version)
        file.namesEndpoints = isForFlutter
        file.isForEarlierForms = content != .outputs
        let value: JSONObject
        do throws(OutputParts.Conflict) { value = try file.value().object ?? JSONObject() } catch {
            throw Refusal(code: .failure, message: "\(error.message)\n  hint: \(error.hint)")
        }
        switch content {
        case .outputs: return value
        case .web: return EarlierOutputs(value).web()
        case .native: return EarlierOutputs(value).native()
        case .oldNative: return EarlierOutputs(value).oldNative()
        }
    }

    private var region: String { pool?.region ?? configuration.signIn.region ?? PoolIdentifiers.usualRegion }

    private func outputs(_ version: OutputsVersion) throws(Refusal) -> AmplifyOutputs {
        var auth = resources.signIn
        if case .none = resources.kind {
            let pool = DeclaredPool(configuration.signIn.pool)
            auth = AuthResource()
            auth?.pool = pool
            // The server has pages, whether there are providers or not.
            if !pool.logoutURLs.isEmpty { auth?.login.providers = AuthResource.ExternalProviders() }
        }
        auth?.pool.take(DeclaredPool(configuration.signIn.pool), where: resolution.isSet)
        auth?.add(configuration.signIn.providers)
        let places = try places()
        return AmplifyOutputs(
            version: version, address: address, region: region,
            signIn: pool.flatMap { pool in auth.map { (pool, $0) } },
            data: data,
            storage: places.flatMap { places in
                places.usual.map { StorageSection(region: places.region, buckets: places.buckets, usual: $0) }
            }, added: resources.added(values(places)).parts)
    }

    private func values(_ places: FilesSettings?) -> ProjectValues {
        ProjectValues(configuration, resources, pool, places, endpoint: address.base, environment: [:])
    }

    /// What is said of what the project adds that is known only when the app is deployed.
    func warnings() throws(Refusal) -> [Diagnostic] { resources.added(values(try places())).warnings }

    private func version1(_ project: Version1Project) throws(Refusal) -> Version1Outputs {
        let clients = pool.map { BuiltInPool.clients(of: configuration, $0) } ?? []
        return Version1Outputs(
            project: project, region: region, address: address, pool: pool,
            nativeClient: clients.first { $0.secret != nil } ?? clients.first, data: data,
            bucket: try places()?.usual?.bucketName)
    }

    /// The places for files that the project or the configuration has. The one that every server has besides is nothing that
    /// a project counts on.
    private func places() throws(Refusal) -> FilesSettings? {
        if configuration.files.buckets.isEmpty, case .none = resources.storage { return nil }
        do throws(StartError) {
            return try FilesSettings(configuration, resources.storage, pool)
        } catch {
            throw Refusal(code: error.code, message: error.message)
        }
    }
}

extension ClientData {
    /// What clients are told of a schema's API; nil where the schema has errors.
    init?(_ reading: ProjectReading, _ blueprint: Blueprint, _ configuration: Configuration) {
        guard let document = reading.document else { return nil }
        let modes = reading.ownModes
        let key = configuration.auth.apiKeys.first { $0.isCurrent(now: Timestamp.now.seconds) }
        self.init(
            apiKey: modes.contains(.apiKey) ? key?.key : nil, defaultMode: modes.first ?? .apiKey,
            additionalModes: Array(modes.dropFirst()),
            introspection: ModelIntrospection.value(
                of: document, transformerVersion: blueprint.settings.transformerVersion))
    }
}
