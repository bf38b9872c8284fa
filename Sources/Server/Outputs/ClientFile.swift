import Blueprint
import JSON
import Project
import UserPool

/// The file by which a client app finds the server: what stands in it follows from the configuration, the project and its schema.
struct ClientFile {
    private let resolution: ConfigurationResolver.Resolution
    let address: ClientAddress
    @Boxed private(set) var resources: Project
    /// Nil: there is no API.
    let data: ClientData?
    /// Nil: clients sign in elsewhere.
    let pool: PoolIdentifiers?

    private var configuration: Configuration { resolution.configuration }

    /// - Parameter resolution: with what the project says.
    init(
        _ resolution: ConfigurationResolver.Resolution, address: ClientAddress, resources: Project,
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

    /// True if the project says that its app is a web page; nil: it does not say what it is.
    private var isWeb: Bool? { resources.version1?.frontend?.isWeb }

    /// The form of a file by its name, or else by the app that loads it.
    func format(ofFile path: String) -> OutputsFormat {
        let library = AmplifyLibrary.find(forFile: path)
        return OutputsFormat(ofFile: path, isVersion1: isVersion1, isWeb: isWeb, library: library)
            ?? (library?.takesItsOwnForm == true ? .gen2JavaScript : .gen2)
    }

    var isVersion1: Bool { resources.version1 != nil }

    /// - Parameter path: where it is loaded from; nil: it is printed.
    func bytes(_ format: OutputsFormat, _ version: OutputsVersion, for path: String? = nil) throws(Refusal) -> [UInt8] {
        let (value, wrapping) = try content(format, version, for: path)
        return wrapping.bytes(of: .object(value))
    }

    /// What stands in the file, and how it is wrapped.
    func content(
        _ format: OutputsFormat, _ version: OutputsVersion, for path: String? = nil
    ) throws(Refusal) -> (value: JSONObject, wrapping: OutputsFormat.Wrapping) {
        let (content, wrapping) = format.form(isVersion1: isVersion1)
        switch content {
        case .library:
            var file = try value(.outputs, version, isForFlutter: false)
            let sections = library(for: path).sections(of: file)
            file["version"] = .string("\(LibraryConfiguration.versionMark)\(version.rawValue)")
            for member in sections { file[member.key] = member.value }
            return (file, wrapping)
        case .webLibrary:
            let exports = try value(.web, version, isForFlutter: false)
            var file = JSONObject([("version", .string("\(LibraryConfiguration.versionMark)1"))])
            for member in library(for: path).sections(ofExports: exports) { file[member.key] = member.value }
            // Apps read some of the older members themselves. In JSON the library would take the file for one of these alone.
            if wrapping == .exportsOfLibrary {
                for member in exports where member.key.hasPrefix("aws_") { file[member.key] = member.value }
            }
            return (file, wrapping)
        default: return (try value(content, version, isForFlutter: wrapping == .dart), wrapping)
        }
    }

    private func library(for path: String?) -> LibraryConfiguration {
        let library = AmplifyLibrary.find(forFile: path ?? "amplify_outputs.json")
        return LibraryConfiguration(address: address, knowsIdentityAddress: library?.knowsIdentityAddress ?? true)
    }

    private func value(
        _ content: OutputsFormat.Content, _ version: OutputsVersion, isForFlutter: Bool
    ) throws(Refusal) -> JSONObject {
        if let project = resources.version1, content != .outputs {
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
        case .outputs, .library, .webLibrary: return value
        case .web: return EarlierOutputs(value).web()
        case .native: return EarlierOutputs(value).native()
        case .oldNative: return EarlierOutputs(value).oldNative()
        }
    }

    private var region: String { pool?.region ?? configuration.signIn.region ?? PoolIdentifiers.usualRegion }

    private func outputs(_ version: OutputsVersion) throws(Refusal) -> AmplifyOutputs {
        var auth = resources.auth
        if case .none = resources.generation {
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
            },
            events: ClientEvents(configuration, default: data?.defaultMode ?? configuration.project.defaultMode),
            added: resources.added(values(places)).parts)
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
