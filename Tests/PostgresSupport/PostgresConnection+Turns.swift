import Postgres
import TestSupport

extension PostgresConnection {
    /// Returns whether sessions whose client says nothing more hold a turn to write that another session waits for.
    ///
    /// - Parameter sessions: a condition on `pg_stat_activity`.
    package func holdUpOthers(_ sessions: String) throws -> Bool {
        func count(_ query: String) throws -> Int64 { try answer("SELECT count(*) FROM \(query)")[0].integer(0) ?? 0 }
        // What they were sent is done, or waits for the client.
        try eventually("the sessions rest") {
            try count(
                "pg_stat_activity WHERE \(sessions) AND state = 'active' AND wait_event_type IS DISTINCT FROM 'Client'")
                == 0
        }
        let holders =
            "pg_stat_activity JOIN pg_locks USING (pid) JOIN pg_class ON pg_class.oid = relation WHERE \(sessions) "
            + "AND relname = '_homeport_turns' AND mode = 'RowShareLock' AND granted"
        guard try count(holders) > 0 else { return false }
        // Somebody asks for the turn soon, unless it is that of a room which nobody else writes into.
        let isWaitedFor: Void? = try? eventually("another session waits for it", within: .seconds(1)) {
            try count(
                "pg_stat_activity AS waiting WHERE wait_event_type = 'Lock' AND EXISTS "
                    + "(SELECT FROM \(holders) AND pg_stat_activity.pid = ANY (pg_blocking_pids(waiting.pid)))") > 0
        }
        return isWaitedFor != nil
    }
}
