/// `homeport health`: asks a running server whether it is well, for containers and scripts.
package enum HealthCommand {
    /// All that it needs of a configuration. Whatever else may be wrong there, a running server can be asked.
    package static let keys: Set<String> = ["host", "port", "listen"]

    /// Asks the first listener of a configuration. Plain HTTP will do, since a port with TLS speaks both.
    package static func run(
        _ configuration: Configuration, milliseconds: Int, _ output: CommandOutput
    ) -> ExitCode {
        guard let listener = configuration.listeners.first, listener.port > 0 else {
            output.report(
                configuration.searchesPort
                    ? "expected a port to ask, found auto, which stands for the first free one: `homeport status` says which"
                    : "expected a port to ask, found 0, which stands for any")
            return .configuration
        }
        let address = reachable(listener)
        do throws(HealthProbe.Failure) {
            let status = try HealthProbe.status(of: address, milliseconds: milliseconds)
            guard status == 200 else {
                output.report("\(address): expected status 200 from /health, found \(status)")
                return .failure
            }
            output.print("healthy")
            return .success
        } catch {
            output.report("\(address): \(error.reason): is the server running? Another port: --port")
            return .failure
        }
    }

    /// An address that means all of the machine's is asked on loopback.
    private static func reachable(_ listener: ListenAddress) -> ListenAddress {
        switch listener.host {
        case "0.0.0.0", "*": ListenAddress(host: "127.0.0.1", port: listener.port)
        case "::": ListenAddress(host: "::1", port: listener.port)
        default: listener
        }
    }
}
