import Access
import Crypto
import Files
import Glibc
import JSON
import Store

/// The store of files that is built in, as the configuration wants it.
enum BuiltInFiles {
    /// The services of AWS whose calls are answered by the store.
    static let signedServices = ["s3", "s3express"]

    /// The store. Nothing of it is made before somebody puts the first file.
    static func open(
        _ configuration: Configuration, _ places: FilesSettings, _ given: GivenCredentials, _ rights: GivenRights,
        over store: Store, _ log: Log
    ) -> FileService {
        let settings = places.room(rights.identities)
        let signatures = FileSignatures(
            configuration.administrators + [FileLinks(store).credential], given, region: settings.region,
            ports: configuration.listeners.map(\.port).filter { $0 > 0 })
        return FileService(
            settings, over: store, in: folder(of: configuration), signatures,
            isTemporary: configuration.database == .memory, caller: { FileCaller($0) },
            report: { log.warning("files: \($0)") })
    }

    /// The folder that commands find the files in: within `homeport exec` that of its server.
    static func folder(of configuration: Configuration, besides environment: [String: String]) -> String {
        guard let folder = environment[ExecCommand.filesVariable],
            case .file(let database) = configuration.database,
            let known = environment[ExecCommand.databaseVariable], ByteText(database) == ByteText(known)
        else { return self.folder(of: configuration) }
        return folder
    }

    /// Beside the database: both are one backup. Files of a database that nobody keeps go with it. Several servers have one in common.
    static func folder(of configuration: Configuration) -> String {
        if let shared = configuration.files.sharedFolder { return shared }
        guard configuration.database == .memory else { return "\(configuration.data)/files" }
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        // Others may write there as well: nobody can have made this one before.
        return "\(parent)/homeport-files-\(Hexadecimal.text(of: RandomBytes.make(count: 16)))"
    }
}
