import Network

extension ListenAddress {
    /// The addresses that the configured ones stand for. "localhost" is both loopback addresses; other names are
    /// looked up, once, at the start.
    static func resolved(_ listeners: [ListenAddress]) throws(StartError) -> [SocketAddress] {
        var addresses: [SocketAddress] = []
        for listener in listeners {
            for address in try listener.resolved() where !addresses.contains(address) { addresses.append(address) }
        }
        return addresses
    }

    private func resolved() throws(StartError) -> [SocketAddress] {
        guard let port = UInt16(exactly: port) else {
            throw StartError(.configuration, "\(port) is no port: ports go from 0 to 65535")
        }
        if let address = SocketAddress(numeric: host, port: port) { return [address] }
        if host == "localhost" { return [.loopback(port: port)] }
        switch NameResolver.askSystem(host, port: port) {
        case .success(let addresses):
            return addresses
        case .failure(let error):
            throw StartError(
                .systemRefused,
                "cannot find the address of \(host) (\(error)): use a name or address of this machine with --host")
        }
    }
}
