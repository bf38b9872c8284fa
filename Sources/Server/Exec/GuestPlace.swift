import Blueprint
import Glibc
import JSON
import Network
import Store
import Synchronization

/// The surroundings of a guest command: variables that lead it to the server, and the file that clients load, which goes with it.
final class GuestPlace: Sendable {
    private static let fileName = "amplify_outputs.json"

    private let folder = try? ScratchFolder(
        ScratchFolder.Kind(name: "homeport-exec-", files: [fileName]), in: [ScratchFolder.usual])
    /// The app's own files.
    private let loan = Mutex<ClientFileLoan?>(nil)

    private var file: String? { folder.map { "\($0.path)/\(Self.fileName)" } }

    func remove() {
        loan.withLock { $0 }?.end()
        folder?.remove()
    }

    /// Writes the files that the app itself loads, until the commands have ended.
    func lend(_ client: ClientFile, at paths: [String], in data: String, _ log: Log) {
        let loan = ClientFileLoan(in: data, log)
        self.loan.withLock { $0 = loan }
        loan.begin(client, at: paths)
    }

    /// Writes the file that clients load, in the form of the app in this folder, and answers its content; nil: it could not.
    func write(_ client: ClientFile) -> [UInt8]? {
        let form = AmplifyLibrary.find(forFile: Self.fileName)?.takesItsOwnForm ?? false
        guard let file, let bytes = try? client.bytes(form ? .gen2JavaScript : .gen2, .current) else { return nil }
        do throws(SystemError) { try SmallFile.replace(file, with: bytes, mode: 0o600) } catch { return nil }
        return bytes
    }

    /// The environment of the commands.
    ///
    /// - Parameters:
    ///   - own: that of this process.
    ///   - address: where the server is; nil: nowhere.
    ///   - database: the file of its database.
    ///   - files: the folder of its files.
    ///   - testKey: what steers the server; nil: nothing does.
    ///   - hasFile: whether there is a file that clients load.
    func variables(
        _ own: [String: String], _ configuration: Configuration, at address: SocketAddress?, database: String,
        files: String, region: String, testKey: TestKey?, hasFile: Bool
    ) -> [String: String] {
        var variables = own
        // Without TLS, also where it is there: no command has to trust a certificate.
        let base = address.map { "http://\($0.usable)" } ?? ""
        variables[ExecCommand.addressVariable] = base
        // Commands of this program find the server, its keys and its data, from whichever folder they are run.
        variables["HOMEPORT_HOST"] = configuration.listeners.first?.host
        variables["HOMEPORT_PORT"] = address.map { "\($0.port)" }
        variables["HOMEPORT_DATA"] = DataFolder.absolute(configuration.data)
        variables[ExecCommand.databaseVariable] = database
        variables[ExecCommand.filesVariable] = files
        if let schema = configuration.schema { variables["HOMEPORT_SCHEMA"] = DataFolder.absolute(schema) }
        let settings = ConfigurationKey.fileEnvironmentName
        if let name = own[settings], !name.isEmpty { variables[settings] = DataFolder.absolute(name) }
        variables["AWS_ENDPOINT_URL"] = base
        variables[TestKey.variable] = testKey?.text
        variables["AMPLIFY_OUTPUTS"] = hasFile ? file : nil
        let now = Timestamp.now.seconds
        variables[ExecCommand.keyVariable] = configuration.auth.apiKeys.first { $0.isCurrent(now: now) }?.key
        if own["AWS_REGION"] == nil, own["AWS_DEFAULT_REGION"] == nil {
            // Python's SDK and the command line read the other one.
            for name in ["AWS_REGION", "AWS_DEFAULT_REGION"] { variables[name] = region }
        }
        if configuration.acceptsDevelopmentAdministrator {
            // Keys of a cloud are of no use here, and no test needs them.
            for name in ["AWS_PROFILE", "AWS_DEFAULT_PROFILE", "AWS_SESSION_TOKEN"] { variables[name] = nil }
            variables["AWS_ACCESS_KEY_ID"] = DevelopmentAdministrator.accessKeyID
            variables["AWS_SECRET_ACCESS_KEY"] = DevelopmentAdministrator.secret
        }
        return variables
    }
}
