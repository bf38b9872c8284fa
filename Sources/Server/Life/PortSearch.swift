import Glibc
import Network

/// The search for a free port, for a server beside that of another checkout: takes the first of `Configuration.searchedPorts`.
struct PortSearch {
    private let host: String
    private let loops: Int
    private let log: Log

    init(host: String, loops: Int, _ log: Log) { (self.host, self.loops, self.log) = (host, loops, log) }

    /// Listens, and says which port it is and who has the usual one.
    func sockets() throws(StartError) -> ListeningSockets {
        let ports = Configuration.searchedPorts
        for port in ports {
            let addresses = try ListenAddress.resolved([ListenAddress(host: host, port: port)])
            do throws(SystemError) {
                let sockets = try ListeningSockets(on: addresses, loops: loops)
                if port != ports.lowerBound {
                    let holder = PortHolder(of: ports.lowerBound)?.description ?? "another program"
                    log.info("\(holder) listens on port \(ports.lowerBound), so this server takes port \(port)")
                }
                return sockets
            } catch {
                guard error.code == EADDRINUSE else { throw StartError(listening: error) }
            }
        }
        throw StartError(
            .systemRefused,
            "cannot listen on \(host): other programs have all ports from \(ports.lowerBound) to \(ports.upperBound); stop one, or choose another port with --port, where 0 takes any free one"
        )
    }
}
