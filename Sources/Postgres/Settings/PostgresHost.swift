import Network

/// A place where a server may be: a host and a port, or the folder of a Unix socket.
package struct PostgresHost: Sendable, CustomStringConvertible {
    /// A name, an address in numbers without brackets, or a folder, which begins with "/".
    package let name: String
    package let port: UInt16

    package static let usualPort: UInt16 = 5_432

    package init(name: String, port: UInt16) {
        self.name = name
        self.port = port
    }

    package var isUnixSocket: Bool { name.utf8.first == UInt8(ascii: "/") }

    /// The file of a Unix socket.
    var socketPath: String { "\(name)/.s.PGSQL.\(port)" }

    /// Returns whether it is on this machine, by whatever resolver.
    var isLocal: Bool {
        isUnixSocket || name.utf8.elementsEqual("localhost".utf8)
            || SocketAddress(numeric: name, port: 0)?.isLoopback == true
    }

    package var description: String {
        if isUnixSocket { return socketPath }
        return name.utf8.contains(UInt8(ascii: ":")) ? "[\(name)]:\(port)" : "\(name):\(port)"
    }
}
