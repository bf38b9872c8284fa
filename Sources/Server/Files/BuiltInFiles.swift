import Access
import Files
import Glibc
import Store
import UserPool

/// The store of files that is built in, as the configuration wants it.
enum BuiltInFiles {
    /// The store. Nothing of it is made before somebody puts the first file.
    static func open(
        _ configuration: Configuration, _ pool: UserPool?, over store: Store, _ log: Log
    ) throws(StartError) -> FileService {
        var settings = FileSettings()
        settings.buckets = ["homeport-files": Version1Rights(users: .all)]
        let region = pool?.identifiers.region ?? settings.region
        let signatures = FileSignatures(
            configuration.administrators, pool?.temporaryCredentials, region: region)
        return FileService(
            settings, over: store, in: folder(of: configuration, store), signatures,
            isTemporary: configuration.database == .memory,
            caller: { principal in
                principal.role == .administrator
                    ? .administrator
                    : principal.identityID.map {
                        principal.role == .unauthenticated ? .guest(identity: $0) : .user(identity: $0)
                    }
            },
            report: { log.warning("files: \($0)") })
    }

    /// Beside the database: both are one backup. Files of a database that nobody keeps go with it.
    private static func folder(of configuration: Configuration, _ store: Store) -> String {
        guard configuration.database == .memory else { return "\(configuration.data)/files" }
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        return "\(parent)/homeport-files-\(getpid())"
    }
}
