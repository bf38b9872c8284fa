import JSON
import UserPool

/// `homeport users keys`: the keys that tokens are signed with, and a new one in their place.
enum KeysCommand {
    static func run(_ configuration: Configuration, _ action: String?, _ output: CommandOutput) -> ExitCode {
        guard action == nil || action == "rotate" else {
            output.report("homeport: users keys takes `rotate`, or nothing, not \"\(action ?? "")\"")
            return .usage
        }
        let folder = configuration.data
        do throws(PoolFile.Failure) {
            try KeptFiles.bringBack(to: folder, from: configuration.database)
            let all = try KeptFiles.sharingKeys(configuration) { () throws(LocalKeys.Failure) in
                try keys(configuration, isNew: action != nil)
            }
            show(all, output)
        } catch {
            output.report("homeport: \(error.message)")
            return error.code
        }
        if action != nil {
            output.report(
                configuration.hasNodes
                    ? "Running servers take the new key within seconds."
                    : "A running server takes the new key with its next token.")
        }
        return .success
    }

    private static func keys(_ configuration: Configuration, isNew: Bool) throws(LocalKeys.Failure) -> PoolKeys {
        let folder = configuration.data
        guard isNew else { return try LocalKeys.keys(in: folder) }
        let clients = configuration.signIn.pool.clients.isEmpty ? [AppClient("")] : configuration.signIn.pool.clients
        let life = clients.map { max($0.accessSeconds, $0.idSeconds) }.max() ?? 0
        return try LocalKeys.rotate(in: folder, tokenSeconds: life)
    }

    private static func show(_ keys: PoolKeys, _ output: CommandOutput) {
        output.print("\(keys.signer.keyID)  signs")
        for former in keys.former.sorted(by: { $0.until > $1.until }) {
            output.print("\(former.id)  published until \(Timestamp(seconds: former.until).text)")
        }
    }
}
