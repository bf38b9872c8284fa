import Blueprint
import JSON
import Network
import Project
import UserPool

/// Writes the files by which apps find the server that runs, at its start and when its schema has changed.
struct ClientFileWriter: Sendable {
    private let resolution: ConfigurationResolver.Resolution
    @Boxed private var resources: Project
    private let address: ClientAddress
    private let pool: PoolIdentifiers?
    let paths: [String]
    /// What is to be said of the places at a start.
    let warnings: [String]
    private let log: Log

    /// Nil where there is nothing to be written: the project is refused, or nobody knows where the server is.
    ///
    /// - Parameter writesUsual: whether the file is written that Amplify writes, where the configuration names none.
    init?(
        _ resolution: ConfigurationResolver.Resolution, _ resources: Project?, _ pool: PoolIdentifiers?,
        at addresses: [SocketAddress], writesUsual: Bool, _ log: Log
    ) {
        let configuration = resolution.configuration
        guard let resources, !resources.isRefused,
            let address = try? ClientAddress(configuration, port: addresses.first?.port)
        else { return nil }
        let isUsual = configuration.outputs == nil && configuration.isForThisMachineOnly && writesUsual
        paths = configuration.outputs ?? (isUsual ? resources.usualOutputs : [])
        warnings =
            (isUsual ? [resources.outputsWarning].compactMap { $0 } : [])
            + Self.warnings(paths, hasIdentities: pool != nil && resources.auth != nil)
        (self.resolution, self.resources, self.address, self.pool) = (resolution, resources, address, pool)
        self.log = log
    }

    /// What is to be said of apps whose library asks AWS for identities, whatever their file says.
    private static func warnings(_ paths: [String], hasIdentities: Bool) -> [String] {
        guard hasIdentities else { return [] }
        return paths.compactMap { path in
            guard let library = AmplifyLibrary.find(forFile: path), library.takesItsOwnForm,
                !library.knowsIdentityAddress
            else { return nil }
            return
                "\(path): \(AmplifyLibrary.name) \(library.text) asks AWS for identities, so the file names no identity pool: "
                + "sign-in works, files and guests do not. Run \(AmplifyLibrary.update)"
        }
    }

    /// True if browsers load one of the files and need a certificate for what is stored here.
    var isForFilesInBrowsers: Bool {
        resources.storage != .none && paths.contains { AmplifyLibrary.find(forFile: $0)?.takesItsOwnForm == true }
    }

    /// True if there is a place for it.
    var writes: Bool { !paths.isEmpty }

    func file(for reading: ProjectReading, _ blueprint: Blueprint) -> ClientFile {
        ClientFile(
            resolution, address: address, resources: resources,
            data: resources.hasAPI ? ClientData(reading, blueprint, resolution.configuration) : nil, pool: pool)
    }

    /// Writes it where the configuration says, or where Amplify does. That it cannot be written stops nothing.
    func write(_ file: ClientFile) {
        if paths.contains(where: { AmplifyLibrary.find(forFile: $0)?.takesItsOwnForm == true }) { writeModule() }
        let keeper = ClientFileKeeper(in: resolution.configuration.data) { log.warning($0) }
        for path in paths {
            do throws(ClientFile.Refusal) {
                try keeper.write(file, to: path)
                log.info("wrote \(path)")
            } catch {
                log.warning("no file for apps: \(error.message)")
            }
        }
    }

    /// Writes the module for servers of the app's own, in the data folder.
    private func writeModule() {
        let path = "\(resolution.configuration.data)/\(NodeModule.name)"
        do throws(SystemError) {
            let text = Array(NodeModule(address: address).text.utf8)
            if let found = try? SmallFile.read(path, bytesMax: text.count), found == text { return }
            try DataFolder.make(resolution.configuration.data)
            try SmallFile.replace(path, with: text, mode: 0o600)
        } catch { log.warning("no module for Node: \(error)") }
    }
}
