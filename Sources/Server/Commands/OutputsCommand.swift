import Blueprint
import Glibc
import JSON
import UserPool

/// `homeport outputs`: the file that a client app loads.
package enum OutputsCommand {
    /// The forms that there are. Those of Gen 1 are none of them.
    package static let formats = ["gen2"]
    package static let versions = OutputsVersion.allCases.map(\.rawValue)

    /// Prints the file, or writes it.
    package static func run(
        _ resolution: ConfigurationResolver.Resolution, version: String?, to file: String?, _ output: CommandOutput
    ) -> ExitCode {
        do throws(Refusal) {
            let outputs = try outputs(resolution, version.flatMap(OutputsVersion.init) ?? .current, output)
            var bytes: [UInt8] = []
            JSONWriter.writePretty(try value(of: outputs), to: &bytes)
            if let file {
                try write(bytes, to: file)
            } else {
                output.print(String(decoding: bytes, as: UTF8.self))
            }
            return .success
        } catch {
            if !error.message.isEmpty { output.report("homeport: \(error.message)") }
            return error.code
        }
    }

    private static func value(of outputs: AmplifyOutputs) throws(Refusal) -> JSONValue {
        do throws(OutputParts.Conflict) {
            return try outputs.value()
        } catch {
            throw Refusal(.failure, "\(error.message)\n  hint: \(error.hint)")
        }
    }

    private struct Refusal: Error {
        let code: ExitCode
        /// Empty when all has been said.
        let message: String

        init(_ code: ExitCode, _ message: String = "") {
            self.code = code
            self.message = message
        }

        init(_ error: UnreadableSchema) { self.init(error.code, error.description) }
    }

    private static func outputs(
        _ resolution: ConfigurationResolver.Resolution, _ version: OutputsVersion, _ output: CommandOutput
    ) throws(Refusal) -> AmplifyOutputs {
        let address: ClientAddress
        do throws(ClientAddress.Unknown) {
            address = try ClientAddress(resolution.configuration)
        } catch {
            throw Refusal(.configuration, error.message)
        }
        let project = try project(resolution)
        let signIn = project.signIn
        ShownDiagnostics.report(signIn?.diagnostics ?? [], output)
        if let signIn, signIn.isRefused {
            output.report(Counted.text(signIn.diagnostics.count(where: \.isError), "error"))
            throw Refusal(.failure)
        }
        var data: ClientData?
        if project.hasSchema, signIn?.hasData ?? true { data = try self.data(resolution, output) }
        let pool = try identifiers(resolution.configuration, output)
        var auth = signIn?.auth
        if signIn == nil {
            auth = AuthResource()
            let pool = DeclaredPool(resolution.configuration.signIn.pool)
            auth?.pool = pool
            // The server has pages, whether there are providers or not.
            if !pool.logoutURLs.isEmpty { auth?.login.providers = AuthResource.ExternalProviders() }
        }
        auth?.add(resolution.configuration.signIn.providers)
        return AmplifyOutputs(
            version: version, address: address,
            region: pool?.region ?? resolution.configuration.signIn.region ?? PoolIdentifiers.usualRegion,
            signIn: pool.flatMap { pool in auth.map { (pool, $0) } }, data: data,
            storage: try storage(project, resolution.configuration, pool), added: signIn?.added ?? OutputParts())
    }

    /// The places for files that the project or the configuration has. The one that every server has besides is nothing that
    /// a project counts on.
    private static func storage(
        _ project: Project, _ configuration: Configuration, _ pool: PoolIdentifiers?
    ) throws(Refusal) -> StorageSection? {
        let isSilent = if case .none = project.storage { true } else { false }
        if configuration.files.buckets.isEmpty, isSilent { return nil }
        do throws(StartError) {
            let settings = try FilesSettings(configuration, project.storage, pool)
            return settings.usual.map { StorageSection(region: settings.region, buckets: settings.buckets, usual: $0) }
        } catch {
            throw Refusal(error.code, error.message)
        }
    }

    /// What the pools are called; nil where the API's user pool is somebody else's.
    private static func identifiers(
        _ configuration: Configuration, _ output: CommandOutput
    ) throws(Refusal) -> PoolIdentifiers? {
        do throws(StartError) {
            let pool = try BuiltInPool.identifiers(of: configuration)
            if pool == nil {
                output.report(
                    "homeport: the API takes tokens of another user pool, auth.userPools.issuer: the file says nothing of "
                        + "sign-in")
            }
            return pool
        } catch {
            throw Refusal(error.code, error.message)
        }
    }

    // MARK: What the project says

    private struct Project {
        let hasSchema: Bool
        /// Nil: no project of Gen 2.
        let signIn: AuthReading?
        let storage: ProjectStorage

        init(hasSchema: Bool, signIn: AuthReading?, _ storage: ProjectStorage = .none) {
            self.hasSchema = hasSchema
            self.signIn = signIn
            let storages = signIn?.storages ?? []
            self.storage = storages.isEmpty ? storage : .version2(storages)
        }
    }

    private static func project(_ resolution: ConfigurationResolver.Resolution) throws(Refusal) -> Project {
        let surroundings = ProjectReading.surroundings
        do throws(UnreadableSchema) {
            let place = try SchemaPlace.find(resolution.configuration.schema)
            guard let folder = place.gen2Folder else {
                return Project(
                    hasSchema: true, signIn: nil, ProjectStorage.read(besideSchema: place.name).storage)
            }
            return Project(hasSchema: true, signIn: AuthReading.read(folder, in: surroundings))
        } catch {
            // A project may have sign-in and nothing else.
            let folder = SchemaPlace.gen2Folder
            guard resolution.configuration.schema == nil, AuthReading.isProject(folder, in: surroundings) else {
                throw Refusal(error)
            }
            return Project(hasSchema: false, signIn: AuthReading.read(folder, in: surroundings))
        }
    }

    private static func data(
        _ resolution: ConfigurationResolver.Resolution, _ output: CommandOutput
    ) throws(Refusal) -> ClientData {
        do throws(UnreadableSchema) {
            let schema = try ProjectSchema.read(resolution)
            ShownDiagnostics.report(schema.diagnostics.filter(\.isError), output)
            guard let blueprint = schema.blueprint, let document = schema.reading.document else {
                output.report(Counted.text(schema.diagnostics.count(where: \.isError), "error"))
                throw UnreadableSchema(.failure, "")
            }
            let modes = schema.reading.ownModes
            let key = resolution.configuration.auth.apiKeys.first { $0.isCurrent(now: Timestamp.now.seconds) }
            return ClientData(
                apiKey: modes.contains(.apiKey) ? key?.key : nil, defaultMode: modes.first ?? .apiKey,
                additionalModes: Array(modes.dropFirst()),
                introspection: ModelIntrospection.value(
                    of: document, transformerVersion: blueprint.settings.transformerVersion))
        } catch {
            throw Refusal(error)
        }
    }

    // MARK: The file

    /// Under another name first: what has the file's name is complete, however the process ends.
    private static func write(_ bytes: [UInt8], to file: String) throws(Refusal) {
        func unwritable(_ name: String) -> Refusal {
            Refusal(.unwritableOutput, "cannot write \(name): \(String(cString: strerror(errno)))")
        }
        let temporary = "\(file).part"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw unwritable(temporary) }
        var isWritten = true
        var place = 0
        while place < bytes.count {
            let count = bytes[place...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                isWritten = false
                break
            }
            place += count
        }
        let refusal = isWritten && rename(temporary, file) == 0 ? nil : unwritable(file)
        close(descriptor)
        guard let refusal else { return }
        unlink(temporary)
        throw refusal
    }
}
