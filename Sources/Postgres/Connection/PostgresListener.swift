import Network

/// A connection of its own for what others announce with NOTIFY. It blocks the thread that asks.
///
/// Nothing may depend on a notification alone: each connection misses those of the time before it, and `missed` says so.
package final class PostgresListener {
    package enum Event: Sendable {
        case notification(PostgresNotification)
        /// Some may have been lost: look at everything that they are about. The first event is this one.
        case missed
        /// The deadline came first.
        case nothing
    }

    private let connection: PostgresConnection
    private var hasMissed = true

    /// The bytes of a channel's name. The server cuts longer ones.
    package static let channelBytes = 63

    /// The statement that announces a payload on a channel, on any connection.
    package static let announcement = PostgresStatement("SELECT pg_catalog.pg_notify($1, $2)", [.text, .text])

    /// Connects, and listens to these channels.
    package init(
        _ connector: PostgresConnector, channels: [String], until deadline: MonotonicTime
    ) throws(PostgresError) {
        connection = try connector.connect(until: deadline)
        for channel in channels {
            guard channel.utf8.count <= Self.channelBytes else {
                throw .misuse(.statementTooLong(limit: Self.channelBytes))
            }
            try connection.ask(PostgresStatement("LISTEN \(Self.quoted(channel))", isKept: false))
        }
        _ = try connection.trip(until: deadline)
    }

    /// The next event. After an error the listener is of no use: make another one.
    package func next(until deadline: MonotonicTime) throws(PostgresError) -> Event {
        while true {
            if connection.takeOverrun() { hasMissed = true }
            if hasMissed {
                hasMissed = false
                return .missed
            }
            if let notification = connection.takeNotification() { return .notification(notification) }
            guard try connection.awaitAside(until: deadline) else { return .nothing }
        }
    }

    /// Throws where the server does not answer any more. A connection to a machine that is gone says nothing by itself.
    package func checkServerAnswers(until deadline: MonotonicTime) throws(PostgresError) {
        try connection.ask(Self.probe)
        _ = try connection.trip(until: deadline)
    }

    package func close() { connection.close() }

    private static let probe = PostgresStatement("SELECT 1")

    /// A name as the server reads it whatever is in it.
    private static func quoted(_ name: String) -> String {
        let quote = UInt8(ascii: "\"")
        var bytes = [quote]
        for byte in name.utf8 {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        return String(decoding: bytes + [quote], as: UTF8.self)
    }
}
