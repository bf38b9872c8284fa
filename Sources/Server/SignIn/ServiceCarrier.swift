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
    private let outside: any OutsideService

    private static let timeoutMilliseconds = 5_000
    private static let answerBytesMax = 1 << 20
    private static let shownCharactersMax = 200

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
        self.outside = outside
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

    // MARK: Functions

    private func call(_ url: String, about message: StoredMessage) async throws(Undelivered) {
        guard let event = message.event else {
            throw Undelivered("the message is from a time without this function", isPermanent: true)
        }
        let call = FunctionInvocation(
            url, Array(event.utf8), timeoutMilliseconds: Self.timeoutMilliseconds, answerBytesMax: Self.answerBytesMax)
        let answer = try await answer(of: "function") { () throws(OutsideError) in try await outside.invoke(call) }
        let content = try? JSONReader.value(of: answer.body)
        let fault = content?["triggerSource"] == nil ? content?["errorMessage"]?.string : nil
        guard answer.status == 200, answer.field("x-amz-function-error") == nil, fault == nil else {
            let words = fault ?? "status \(answer.status)"
            throw Undelivered("the function that sends failed: \(Self.line(words))")
        }
    }

    // MARK: Webhooks

    private func call(_ webhook: Webhook, about message: StoredMessage) async throws(Undelivered) {
        let now = Timestamp.now.millisecondsSince1970
        let data = JSONObject([
            ("to", .string(message.address)), ("text", .string(message.body)), ("code", .string(message.code)),
            ("kind", .string(message.kind)), ("user", .string(message.user)),
        ])
        let body = JSONWriter.bytes(
            of: .object(
                JSONObject([
                    ("type", .string("message.\(message.medium.lowercased())")),
                    (
                        "timestamp",
                        .string(
                            Timestamp(seconds: message.created / 1_000, milliseconds: Int(message.created % 1_000)).text
                        )
                    ),
                    ("data", .object(data)),
                ])))
        let fields = webhook.fields(
            of: body, identifier: "\(message.created)-\(message.number)", seconds: now / 1_000)
        let request = OutsideRequest(
            url: webhook.url, fields: fields, body: body, timeoutMilliseconds: Self.timeoutMilliseconds,
            responseBytesMax: Self.answerBytesMax)
        let answer = try await answer(of: "service") { () throws(OutsideError) in try await outside.send(request) }
        guard !(200..<300).contains(answer.status) else { return }
        // What the operator can put right says nothing of the message.
        let isPermanent = [400, 410, 413, 422].contains(answer.status)
        throw Undelivered("the service for messages answered with status \(answer.status)", isPermanent: isPermanent)
    }

    // MARK: Calls

    private func answer(
        of name: String, to call: () async throws(OutsideError) -> OutsideResponse
    ) async throws(Undelivered) -> OutsideResponse {
        do throws(OutsideError) {
            return try await call()
        } catch {
            switch error {
            case .timedOut(let milliseconds): throw Undelivered("the \(name) did not answer within \(milliseconds) ms")
            case .tooLarge: throw Undelivered("the \(name) answered with too much")
            case .invalidURL, .unreachable: throw Undelivered("the \(name) cannot be reached", isOfAll: true)
            }
        }
    }

    /// What somebody else has written, as a line.
    private static func line(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.prefix(shownCharactersMax).map { $0.value < 0x20 ? " " : $0 }))
    }
}
