import Store

/// The tables of the room, beside the models' in the same file. Times are in milliseconds since 1970.
enum OutboxTables {
    static let all = RoomTables(of: "outbox", turn: .outbox, versions: [version1])

    /// Tables that came later: what topics and their followers have beside their names.
    static let settings = RoomTables(
        of: "settings of topics", turn: .outbox,
        versions: [
            [
                RoomStatement(
                    """
                    CREATE TABLE _homeport_topic_filters (id TEXT PRIMARY KEY NOT NULL, policy TEXT, scope TEXT NOT NULL)
                    STRICT, WITHOUT ROWID
                    """),
                RoomStatement(
                    """
                    CREATE TABLE _homeport_topic_titles (topic TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL)
                    STRICT, WITHOUT ROWID
                    """),
            ]
        ])

    /// The followers that get the bare message.
    static let rawFollowers = RoomTables(
        of: "raw followers of topics", turn: .outbox,
        versions: [
            [
                RoomStatement(
                    "CREATE TABLE _homeport_topic_raw (id TEXT PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID")
            ]
        ])

    /// The queues that get what followers do not.
    static let redrives = RoomTables(
        of: "dead letters of topics", turn: .outbox,
        versions: [
            [
                RoomStatement(
                    """
                    CREATE TABLE _homeport_topic_redrives (id TEXT PRIMARY KEY NOT NULL, policy TEXT NOT NULL)
                    STRICT, WITHOUT ROWID
                    """)
            ]
        ])

    /// The properties that only topics have: attributes, tags, and the order of those that are first in, first out. The index finds what
    /// waits for a queue of that kind.
    static let topicDetails = RoomTables(
        of: "details of topics", turn: .outbox,
        versions: [
            [
                RoomStatement(
                    """
                    CREATE TABLE _homeport_topic_attributes (
                        topic TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (topic, name)
                    ) STRICT, WITHOUT ROWID
                    """),
                RoomStatement(
                    """
                    CREATE TABLE _homeport_topic_tags (
                        topic TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (topic, name)
                    ) STRICT, WITHOUT ROWID
                    """),
                RoomStatement(
                    """
                    CREATE TABLE _homeport_topic_sequences (topic TEXT PRIMARY KEY NOT NULL, number INTEGER NOT NULL)
                    STRICT, WITHOUT ROWID
                    """),
                RoomStatement(
                    """
                    CREATE TABLE _homeport_topic_duplicates (
                        topic TEXT NOT NULL, key TEXT NOT NULL, id TEXT NOT NULL, number INTEGER NOT NULL,
                        time INTEGER NOT NULL, PRIMARY KEY (topic, key)
                    ) STRICT, WITHOUT ROWID
                    """),
                RoomStatement(
                    "CREATE INDEX _homeport_topic_duplicates_time ON _homeport_topic_duplicates (time)"),
                RoomStatement(
                    """
                    CREATE INDEX _homeport_outbox_waiting ON _homeport_outbox (address, number) WHERE state = 'waiting'
                    """),
            ]
        ])

    private static let version1 = [
        // A row for each reader. `mail` is the whole mail, where there is one, which readers share.
        RoomStatement(
            """
            CREATE TABLE _homeport_outbox (
                number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, service TEXT NOT NULL, medium TEXT NOT NULL,
                sender TEXT NOT NULL, address TEXT NOT NULL, subject TEXT NOT NULL, text TEXT NOT NULL, html TEXT,
                mail INTEGER, created INTEGER NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL, due INTEGER NOT NULL,
                problem TEXT
            ) STRICT
            """),
        RoomStatement("CREATE INDEX _homeport_outbox_due ON _homeport_outbox (state, medium, due)"),
        RoomStatement("CREATE INDEX _homeport_outbox_mail ON _homeport_outbox (mail) WHERE mail IS NOT NULL"),
        RoomStatement(
            "CREATE TABLE _homeport_outbox_mails (number INTEGER PRIMARY KEY AUTOINCREMENT, bytes BLOB NOT NULL) STRICT"
        ),
        RoomStatement(
            """
            CREATE TABLE _homeport_mail_templates (
                name TEXT PRIMARY KEY NOT NULL, subject TEXT NOT NULL, text TEXT, html TEXT, created INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """),
        RoomStatement(
            "CREATE TABLE _homeport_topics (name TEXT PRIMARY KEY NOT NULL, created INTEGER NOT NULL) STRICT, WITHOUT ROWID"
        ),
        RoomStatement(
            """
            CREATE TABLE _homeport_topic_followers (
                topic TEXT NOT NULL, protocol TEXT NOT NULL, endpoint TEXT NOT NULL, id TEXT NOT NULL UNIQUE,
                PRIMARY KEY (topic, protocol, endpoint)
            ) STRICT, WITHOUT ROWID
            """),
    ]
}

extension RoomTables {
    /// The tables of messages and topics, in the order in which they lead on to each other.
    package static var ofOutbox: [RoomTables] {
        [
            OutboxTables.all, OutboxTables.settings, OutboxTables.rawFollowers, OutboxTables.redrives,
            OutboxTables.topicDetails,
        ]
    }
}
