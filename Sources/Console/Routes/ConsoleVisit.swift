/// From where somebody asks the console, as the server sees it.
package struct ConsoleVisit: Sendable {
    /// Whether the request comes from a program on this machine, and through no proxy.
    package let isFromThisMachine: Bool
    /// The client's address.
    package let address: String
    /// The authority by which the client has called the server; nil where the request names none.
    package let authority: String?
    /// Whether the client's side of the connection is TLS.
    package let isSecure: Bool

    package init(isFromThisMachine: Bool, address: String, authority: String?, isSecure: Bool) {
        (self.isFromThisMachine, self.address) = (isFromThisMachine, address)
        (self.authority, self.isSecure) = (authority, isSecure)
    }

    /// Where the page is.
    var base: String { "\(isSecure ? "https" : "http")://\(authority ?? "localhost")" }
}
