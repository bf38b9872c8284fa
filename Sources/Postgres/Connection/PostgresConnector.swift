import Network

/// Makes connections: tries the hosts in turn, signs in, and looks whether the server will do.
package final class PostgresConnector: Sendable {
    package let settings: PostgresSettings
    package let limits: PostgresLimits
    private let notice: PostgresNotice.Hook?
    private let resolver: NameResolver

    /// The oldest server that will do.
    package static let versionMin = 14

    package init(
        _ settings: PostgresSettings, limits: PostgresLimits = PostgresLimits(),
        resolver: NameResolver = .shared, notice: PostgresNotice.Hook? = nil
    ) {
        self.settings = settings
        self.limits = limits
        self.resolver = resolver
        self.notice = notice
    }

    /// A new connection. Each address has `connect_timeout`, all together the deadline.
    package func connect(until deadline: MonotonicTime) throws(PostgresError) -> PostgresConnection {
        do throws(PostgresError) {
            return try connect(wanting: settings.target, until: deadline)
        } catch {
            guard settings.target == .preferStandby, deadline > .now else { throw error }
            return try connect(wanting: .any, until: deadline)
        }
    }

    private func connect(
        wanting target: PostgresSessionTarget, until deadline: MonotonicTime
    ) throws(PostgresError) -> PostgresConnection {
        var last: PostgresError?
        for host in settings.hosts {
            guard deadline > .now else { break }
            do throws(PostgresError) {
                return try connect(to: host, wanting: target, until: deadline)
            } catch {
                last = error
                // As with libpq: a host that refuses us ends the search, and one that is not there does not.
                if case .refused(_, .server) = error { throw error }
            }
        }
        guard let last else { throw .deadline(isClosed: true) }
        guard settings.hosts.count > 1 else { throw last }
        throw .noHost(count: settings.hosts.count, last: last)
    }

    private func connect(
        to host: PostgresHost, wanting target: PostgresSessionTarget, until deadline: MonotonicTime
    ) throws(PostgresError) -> PostgresConnection {
        let lookUpEnd = min(deadline, MonotonicTime.now.advanced(byMilliseconds: settings.connectSeconds * 1_000))
        let places = try PostgresPlace.places(of: host, resolver: resolver, until: lookUpEnd)
        var last = PostgresError.unavailable(host: host, reason: .timeout)
        for place in places {
            let end = min(deadline, MonotonicTime.now.advanced(byMilliseconds: settings.connectSeconds * 1_000))
            do throws(PostgresError) {
                let startup = PostgresStartup(place, settings, limits: limits, notice: notice)
                let connection = try startup.connection(until: end)
                guard try Self.isFit(connection, for: target, until: end) else {
                    throw .unavailable(host: host, reason: .otherTarget(target))
                }
                return connection
            } catch {
                last = error
                if case .refused = error { throw error }
            }
        }
        throw last
    }

    private static let modeQuestion = PostgresStatement(
        "SELECT pg_catalog.pg_is_in_recovery(), pg_catalog.current_setting('transaction_read_only') = 'on'",
        isKept: false)

    private static func isFit(
        _ connection: PostgresConnection, for target: PostgresSessionTarget, until deadline: MonotonicTime
    ) throws(PostgresError) -> Bool {
        if target == .any { return true }
        if let isStandby = connection.parameters.isOn("in_hot_standby"),
            let isReadOnly = connection.parameters.isOn("default_transaction_read_only")
        {
            return target.accepts(isStandby: isStandby, isReadOnly: isReadOnly)
        }
        // Something between us and the server does not pass these on.
        try connection.ask(modeQuestion)
        let answers = try connection.trip(until: deadline)
        guard let answer = answers.first, answer.rowCount == 1, let isStandby = try? answer[0].bool(0),
            let isReadOnly = try? answer[0].bool(1)
        else { return false }
        return target.accepts(isStandby: isStandby, isReadOnly: isReadOnly)
    }
}
