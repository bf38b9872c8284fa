import Access
import JSON
import Network
import UserPool

/// Hands messages to whoever sends them: a function of the app's, or a service of the operator's.
///
///     function   the event of Cognito's custom senders      taken: 200, without an error
///     webhook    the message, signed                        taken: 2xx
final class ServiceCarrier: MailCarrier {
    private enum Service: Sendable {
        case function(url: String)
        case webhook(Webhook)
    }

    private let service: Service
    private let pool: UserPool
    private let calls: MessageCalls

    /// Nil where no service sends messages of that medium.
    init?(of pool: UserPool, _ medium: String, _ configuration: Configuration, over outside: any OutsideService) {
        if let url = pool.senderURL(of: medium) {
            service = .function(url: url)
        } else if medium != UserPool.mailMedium, let webhook = configuration.sms.webhook {
            service = .webhook(webhook)
        } else {
            return nil
        }
        self.pool = pool
        calls = MessageCalls(outside)
    }

    func rest() async {}

    func carry(_ mail: QueuedMail) async throws(Undelivered) {
        let message: StoredMessage?
        do { message = try await pool.message(mail.id) } catch { throw Undelivered("the message cannot be read") }
        // Swept away meanwhile.
        guard let message else { return }
        switch service {
        case .function(let url): try await call(url, about: message)
        case .webhook(let webhook): try await call(webhook, about: message)
        }
    }

    private func call(_ url: String, about message: StoredMessage) async throws(Undelivered) {
        guard let event = message.event else {
            throw Undelivered("the message is from a time without this function", isPermanent: true)
        }
        try await calls.invoke(url, Array(event.utf8))
    }

    private func call(_ webhook: Webhook, about message: StoredMessage) async throws(Undelivered) {
        let data = JSONObject([
            ("to", .string(message.address)), ("text", .string(message.body)), ("code", .string(message.code)),
            ("kind", .string(message.kind)), ("user", .string(message.user)),
        ])
        try await calls.post(
            data, type: "message.\(message.medium.lowercased())", to: webhook, created: message.created,
            identifier: "\(message.created)-\(message.number)")
    }
}
