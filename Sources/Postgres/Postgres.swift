// The Postgres room: a client for PostgreSQL, without libpq. This is its front page.
//
// Store reads and writes through it where a connection is one to a server. It knows nothing of the store.
//
//     let settings = try PostgresSettings("postgres://app@db1,db2/blog?sslmode=verify-full&sslrootcert=system")
//     let pool = PostgresPool(PostgresConnector(settings), connectionsMax: 8)
//     let lease = try pool.take(until: deadline)
//     try lease.connection.ask(byKey, [.text("7")])
//     let answers = try lease.connection.trip(until: deadline)
//
// Every call that waits blocks its thread and has a deadline. Questions go out together, with one Sync at the end, and are
// answered together. Where a deadline comes first, the server is asked to cancel over a second connection.
//
// - `Settings/`: URLs and keywords with libpq's names. `PostgresSettings` is where to connect and as whom.
// - `Wire/`: the protocol (version 3.0) as pure machines: bytes in, messages out. `MessageFrames` finds the messages, `ServerMessage`
//   reads one, `TripProgress` knows what may come next, `PostgresAnswer` has the rows, `SpareRowMemory` their memory between trips. `PostgresLimits` has every
//   bound.
// - `SignIn/`: SCRAM-SHA-256, bound to TLS where both sides can; MD5 and clear text where the settings allow them.
// - `Socket/`: sockets that do not block, TLS by OpenSSL, and waits with a deadline.
// - `Connection/`: `PostgresConnector` tries hosts, `PostgresConnection` asks, `PostgresPool` lends connections,
//   `PostgresListener` waits for NOTIFY.
//
// What a server sends is taken for untrusted: lengths, counts and the order of messages are checked, and a violation closes the
// connection. No error and no notice holds a password. `PostgresServerError.detail` may hold values of rows and goes into no log.
//
// Passwords are sent as their bytes are: those with letters beyond ASCII must be in Unicode's form NFKC, as most are.
