import Network

/// Where clients find the server: the address that its configuration says, as they write it.
struct ClientAddress: Sendable, Equatable {
    let isSecure: Bool
    /// A name or an address with a port, as in `localhost:20002`.
    let authority: String
    /// The same by a name below which there can be others, and without the port that clients leave out.
    private let filesAuthority: String

    /// The address of a configuration, or why there is none.
    ///
    /// - Parameter port: the one that the system chose, where it was asked to.
    init(_ configuration: Configuration, port: UInt16? = nil) throws(Unknown) {
        var listener =
            configuration.listeners.first ?? ListenAddress(host: configuration.host, port: configuration.port)
        if listener.port == 0, let port { listener = ListenAddress(host: listener.host, port: Int(port)) }
        guard listener.port != 0 else {
            throw Unknown(
                message: configuration.searchesPort
                    ? "port is auto, so the server searches for one at each start, and no file can say which. Name one with port"
                    : "port is 0, so the system chooses one at each start, and no file can say which. Name one with port"
            )
        }
        isSecure = ServerCertificate.isOwn(of: configuration)
        let isHere = listener.isLoopback || listener.isUnspecified
        // Certificates are for names; without one the address that is listened on cannot be missed.
        let host =
            !isHere ? listener.host : isSecure ? "localhost" : listener.isUnspecified ? "127.0.0.1" : listener.host
        authority = ListenAddress(host: host, port: listener.port).description
        let name = isHere ? "localhost" : host
        filesAuthority =
            listener.port == Self.httpsPort ? name : ListenAddress(host: name, port: listener.port).description
    }

    private static let httpsPort = 443

    /// The address without a path.
    var base: String { "\(isSecure ? "https" : "http")://\(authority)" }

    var graphql: String { base + Route.graphql.path }

    /// Where channels are: clients put the rest of the path of the WebSocket behind it.
    var events: String { base + Route.channels.path }

    /// The region by which amplify-js finds files here: it makes `https://s3.REGION.amazonaws.com` of it, with the bucket's name in
    /// front, and has nothing else that says where files are.
    var filesRegion: String { filesAuthority + "#" }

    /// Why a file cannot say where the server is.
    struct Unknown: Error {
        let message: String
    }
}
