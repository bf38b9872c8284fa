import Blueprint
import Network
import UserPool

/// Writes the files by which apps find the server that runs, at its start and when its schema has changed.
struct ClientFileWriter: Sendable {
    private let resolution: ConfigurationResolver.Resolution
    private let resources: ProjectResources
    private let address: ClientAddress
    private let pool: PoolIdentifiers?
    private let paths: [String]
    /// What is to be said of the places at a start; nil: nothing.
    let warning: String?
    private let log: Log

    /// Nil where there is nothing to be written: the project is refused, or nobody knows where the server is.
    ///
    /// - Parameter writesUsual: whether the file is written that Amplify writes, where the configuration names none.
    init?(
        _ resolution: ConfigurationResolver.Resolution, _ resources: ProjectResources?, _ pool: PoolIdentifiers?,
        at addresses: [SocketAddress], writesUsual: Bool, _ log: Log
    ) {
        let configuration = resolution.configuration
        guard let resources, !resources.isRefused,
            let address = try? ClientAddress(configuration, port: addresses.first?.port)
        else { return nil }
        let usual = configuration.isForThisMachineOnly && writesUsual ? resources.usualOutputs : []
        paths = configuration.outputs ?? usual
        let isUsual = configuration.outputs == nil && configuration.isForThisMachineOnly && writesUsual
        warning = isUsual ? resources.outputsWarning : nil
        (self.resolution, self.resources, self.address, self.pool) = (resolution, resources, address, pool)
        self.log = log
    }

    /// Whether there is a place for it.
    var writes: Bool { !paths.isEmpty }

    func file(for reading: ProjectReading, _ blueprint: Blueprint) -> ClientFile {
        ClientFile(
            resolution, address: address, resources: resources,
            data: resources.hasData ? ClientData(reading, blueprint, resolution.configuration) : nil, pool: pool)
    }

    /// Writes it where the configuration says, or where Amplify does. That it cannot be written stops nothing.
    func write(_ file: ClientFile) {
        let keeper = ClientFileKeeper(in: resolution.configuration.data) { log.warning($0) }
        for path in paths {
            do throws(ClientFile.Refusal) {
                try keeper.write(file, to: path)
                log.info("\(path) tells apps where the server is")
            } catch {
                log.warning("no file for apps: \(error.message)")
            }
        }
    }
}
