import Glibc
import JSON
import Store
import UserPool

/// `homeport mail`: what was sent to users, codes among it, read beside a running server.
package enum MailCommand {
    /// Which messages, and how they are shown.
    package struct Choice: Sendable {
        /// A user or an address; nil: everybody.
        package var recipient: String?
        /// Whether to go on with those that come.
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
        guard case .file(let database) = configuration.database else {
            output.report("homeport: messages in memory are seen by their server alone; serve with --database FILE")
            return .configuration
        }
        guard access(database, F_OK) == 0 else {
            output.report(
                "homeport: there is no \(database): nothing was served here yet. Name another one with --data or --database"
            )
            return .unreadableInput
        }
        do throws(StoreError) {
            let reader = try Reader.beside(database)
            var last: Int64 = 0
            repeat {
                for message in try StoredMessage.all(in: reader, behind: last, to: choice.recipient) {
                    output.print(choice.asJSON ? JSONWriter.text(of: .object(json(message))) : text(message))
                    last = message.number
                }
                if choice.follows { usleep(pauseMicroseconds) }
            } while choice.follows
            return .success
        } catch {
            output.report("homeport: \(error.message)")
            return ExitCode(error)
        }
    }

    private static func time(_ message: StoredMessage) -> String {
        Timestamp(seconds: message.created / 1_000, milliseconds: Int(message.created % 1_000)).text
    }

    private static func text(_ message: StoredMessage) -> String {
        let name = message.user == message.address ? "" : " (\(message.user))"
        return "\(time(message))  \(message.address)\(name)\n    \(message.subject): \(message.body)"
    }

    private static func json(_ message: StoredMessage) -> JSONObject {
        JSONObject([
            ("time", .string(time(message))), ("user", .string(message.user)), ("kind", .string(message.kind)),
            ("medium", .string(message.medium)), ("address", .string(message.address)),
            ("subject", .string(message.subject)), ("body", .string(message.body)), ("code", .string(message.code)),
        ])
    }
}
