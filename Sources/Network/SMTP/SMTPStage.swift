/// Where a conversation with a mail server is: what the server is expected to answer to.
package enum SMTPStage: Sendable, Equatable, CustomStringConvertible {
    case connecting
    case greeting
    case hello
    case startTLS
    case signIn
    /// Nothing is asked.
    case rest
    case sender
    case recipient
    case data
    case content
    case reset
    case quit

    /// The name of the stage, for messages.
    package var description: String {
        switch self {
        case .connecting: "the connection"
        case .greeting: "its greeting"
        case .hello: "EHLO"
        case .startTLS: "STARTTLS"
        case .signIn: "the sign-in"
        case .rest: "no command"
        case .sender: "the sender"
        case .recipient: "the recipient"
        case .data: "DATA"
        case .content: "the mail"
        case .reset: "RSET"
        case .quit: "QUIT"
        }
    }
}
