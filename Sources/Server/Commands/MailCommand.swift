import Glibc
import JSON
import Outbox
import Store
import UserPool

/// `homeport mail`: what was sent to users, codes among it, and what functions have sent, read beside a running server.
package enum MailCommand {
    /// Which messages, and how they are shown.
    package struct Choice: Sendable {
        /// A user or an address; nil: everybody.
        package var recipient: String?
        /// True if to go on with those that come.
        package var follows: Bool
        package var asJSON: Bool

        package init(to recipient: String? = nil, follows: Bool = false, asJSON: Bool = false) {
            self.recipient = recipient
            self.follows = follows
            self.asJSON = asJSON
        }
    }

    /// How often it is looked whether more have come. Nothing tells one process of what another has written.
    private static let pauseMicroseconds: UInt32 = 200_000

    package static func run(_ configuration: Configuration, _ choice: Choice, _ output: CommandOutput) -> ExitCode {
        guard configuration.database != .memory else {
            output.report("homeport: messages in memory are seen by their server alone; serve with --database FILE")
            return .configuration
        }
        do throws(StoreError) {
            let reader = try configuration.database.servedReader()
            var (last, lastOfFunctions) = (Int64(0), Int64(0))
            repeat {
                var messages: [SentMessage] = []
                for message in try StoredMessage.all(in: reader, behind: last, to: choice.recipient) {
                    messages.append(SentMessage(message))
                    last = message.number
                }
                for message in try OutboxMessage.all(in: reader, behind: lastOfFunctions, to: choice.recipient) {
                    // What functions are called with is no message to people.
                    if message.medium != OutboxMessage.Medium.function.rawValue {
                        messages.append(SentMessage(message))
                    }
                    lastOfFunctions = message.number
                }
                // Sorting keeps the order of those of one moment.
                for message in messages.sorted(by: { $0.created < $1.created }) {
                    output.print(choice.asJSON ? JSONWriter.text(of: .object(message.json)) : message.text)
                }
                if choice.follows { usleep(pauseMicroseconds) }
            } while choice.follows
            return .success
        } catch {
            output.report("homeport: \(error.message)")
            return ExitCode(error)
        }
    }
}
