/// Opens connections to one mail server.
package final class SMTPClient: LoopBound {
    package let loop: EventLoop
    package let server: MailURL
    let limits: SMTPLimits
    let tls: TLSClientContext
    let resolver: NameResolver

    package init(
        on loop: EventLoop, server: MailURL, limits: SMTPLimits = .init(),
        tls: TLSClientContext = TLSClientContext(trusting: .system, asksForHTTP: false),
        resolver: NameResolver = .shared
    ) {
        self.loop = loop
        self.server = server
        self.limits = limits
        self.tls = tls
        self.resolver = resolver
    }

    /// A connection that takes mails: it is open, secured and signed in as the URL says.
    package func open() async throws(MailFailure) -> SMTPConnection {
        let connection = SMTPConnection(by: self)
        try await connection.open()
        return connection
    }
}
