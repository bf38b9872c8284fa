/// Hands mails to a mail server, over one connection while there is more.
package final class SMTPCarrier: MailCarrier, @unchecked Sendable {
    // Safe to share: used by one sender, on the loop of its client.

    private let from: MailParty
    private let client: SMTPClient
    private let mailsPerConnection: Int
    private var connection: SMTPConnection?
    private var connectionMails = 0

    package init(from: MailParty, by client: SMTPClient, mailsPerConnection: Int) {
        self.from = from
        self.client = client
        self.mailsPerConnection = mailsPerConnection
    }

    package func carry(_ mail: QueuedMail) async throws(Undelivered) {
        let envelope: SMTPEnvelope
        do {
            envelope = try mail.envelope(from: from)
        } catch {
            throw Undelivered("no such mail can be sent: \(error)", isPermanent: true)
        }
        do throws(MailFailure) {
            try await deliver(envelope)
        } catch {
            throw Undelivered(
                error.description, isPermanent: error.isPermanent, isOfAll: error.endsConnection,
                isCancelled: error.reason == .cancelled)
        }
    }

    package func rest() async {
        let connection = self.connection
        self.connection = nil
        connectionMails = 0
        await connection?.quit()
    }

    private func deliver(_ envelope: SMTPEnvelope) async throws(MailFailure) {
        if connectionMails >= mailsPerConnection { await rest() }
        let isFresh = connection == nil
        do {
            try await deliverOnce(envelope)
        } catch {
            guard error.isBeforeMail, !isFresh, !Task.isCancelled else { throw error }
            // The server has closed a connection that rested: nobody has looked at the mail.
            try await deliverOnce(envelope)
        }
    }

    private func deliverOnce(_ envelope: SMTPEnvelope) async throws(MailFailure) {
        do {
            let connection = try await openConnection()
            connectionMails += 1
            try await connection.send(envelope)
        } catch {
            if error.endsConnection { await rest() }
            throw error
        }
    }

    private func openConnection() async throws(MailFailure) -> SMTPConnection {
        if let connection, connection.isOpen { return connection }
        await rest()
        let connection = try await client.open()
        self.connection = connection
        return connection
    }
}
