import Access
import Crypto
import Functions
import JSON
import Synchronization

/// The access keys of data sources: a request of a resolver to a service of this server is signed with those of its data source, and
/// may do what the project gives the role of that one.
final class SourceRoles: TemporaryCredentials {
    private struct Known: Sendable {
        let credentials: FunctionCredentials
        let principal: IAMPrincipal
    }

    private struct State {
        /// By the names of data sources.
        var sources: [ByteText: Known] = [:]
        /// By access key.
        var keys: [ByteText: Known] = [:]
    }

    private let keys = RoleKeys()
    private let state = Mutex(State())

    /// Goes on with these data sources: requests of one that is gone are nobody's.
    func adopt(_ rights: [String: FunctionRights]) {
        var next = State()
        for (name, given) in rights {
            let credentials = keys.credentials(of: name)
            let principal = IAMPrincipal(
                role: .administrator, accessKeyID: credentials.accessKeyID, userARN: given.userARN,
                username: given.userARN, function: Self.functionMark + name, rights: given)
            let known = Known(credentials: credentials, principal: principal)
            next.sources[ByteText(name)] = known
            next.keys[ByteText(credentials.accessKeyID)] = known
        }
        state.withLock { $0 = next }
    }

    /// No function has a name with a blank: nothing takes the role of a data source for that of a function.
    private static let functionMark = "data source "

    /// Nil: there is no such data source, or its requests are not signed.
    func credentials(of source: String) -> FunctionCredentials? {
        state.withLock { $0.sources[ByteText(source)]?.credentials }
    }

    func credential(ofKey accessKeyID: String, sessionToken: String) -> TemporaryCredential? {
        guard let known = state.withLock({ $0.keys[ByteText(accessKeyID)] }),
            ConstantTime.areEqual(known.credentials.sessionToken, sessionToken)
        else { return nil }
        return TemporaryCredential(secret: known.credentials.secret, principal: known.principal, expires: .max)
    }
}

extension SourceRoles: ServedPart {
    func prepare(_ project: ServedProject) async { adopt(project.rights.sources) }

    func adopt(_ project: ServedProject) async { adopt(project.rights.sources) }
}
