import Store

/// The tables of the room, beside the models' in the same file. Times are in milliseconds since 1970.
enum QueueTables {
    static let all = RoomTables(of: "queues", turn: .queues, versions: [version1])

    /// Columns that came later. `earlier` counts how often a message was received in the queues before this one; `label` is the
    /// group that a message of a queue without order was given, which means nothing there.
    static let columns = RoomTables(
        of: "columns of queues", turn: .queues,
        versions: [
            [
                RoomStatement("ALTER TABLE _homeport_queue_messages ADD COLUMN earlier INTEGER NOT NULL DEFAULT 0"),
                RoomStatement("ALTER TABLE _homeport_queue_messages ADD COLUMN label TEXT"),
                // A group is received up to its first hidden message, whichever that is.
                RoomStatement("DROP INDEX _homeport_queue_messages_flight"),
            ],
            // Messages and groups that may be received at the same time have an order, the same over all databases.
            [
                RoomStatement("DROP INDEX _homeport_queue_messages_visible"),
                RoomStatement(
                    """
                    CREATE INDEX _homeport_queue_messages_ready
                    ON _homeport_queue_messages (queue, visible, received, number, expires)
                    """),
                RoomStatement("DROP INDEX _homeport_queue_groups_due"),
                RoomStatement(
                    "CREATE INDEX _homeport_queue_groups_ready ON _homeport_queue_groups (queue, due, grouping)"),
            ],
        ])

    /// Moves of dead letters, so that a restart forgets none: the last ones, by when they began.
    static let moves = RoomTables(
        of: "moves of queues", turn: .queues,
        versions: [
            [
                RoomStatement(
                    """
                    CREATE TABLE _homeport_queue_moves (
                        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, source TEXT NOT NULL,
                        content TEXT NOT NULL
                    ) STRICT
                    """),
                RoomStatement("CREATE INDEX _homeport_queue_moves_source ON _homeport_queue_moves (source, number)"),
            ]
        ])

    /// The last time at which each schedule has put an event into a queue: of several nodes that would do so, one does. The names are those of the
    /// project's schedules.
    static let ticks = RoomTables(
        of: "ticks of schedules", turn: .queues,
        versions: [
            [
                RoomStatement(
                    "CREATE TABLE _homeport_ticks (name TEXT PRIMARY KEY NOT NULL, moment INTEGER NOT NULL) STRICT, WITHOUT ROWID"
                )
            ]
        ])

    /// Finds the messages that nodes hold: only nodes bring it.
    static let holders = RoomTables(
        of: "holders of messages", turn: .queues,
        versions: [
            [
                RoomStatement(
                    "CREATE INDEX _homeport_queue_messages_holder ON _homeport_queue_messages (held) WHERE held > 1")
            ]
        ])

    private static let version1 = [
        // `messages` and `bytes` are kept by the triggers below.
        RoomStatement(
            """
            CREATE TABLE _homeport_queues (
                number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, settings TEXT NOT NULL,
                tags TEXT NOT NULL, created INTEGER NOT NULL, changed INTEGER NOT NULL,
                messages INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0
            ) STRICT
            """),
        // `visible` is when it may be received; `receipt` counts who has, also those who gave it back; `source` is the queue that
        // it was taken out of as a dead letter; `held` says that a function is being told: the number of the node that does so, 1 where the
        // process is none.
        RoomStatement(
            """
            CREATE TABLE _homeport_queue_messages (
                number INTEGER PRIMARY KEY AUTOINCREMENT, queue INTEGER NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL,
                attributes TEXT, trace TEXT, sender TEXT NOT NULL, sent INTEGER NOT NULL, visible INTEGER NOT NULL,
                expires INTEGER NOT NULL, received INTEGER NOT NULL DEFAULT 0, receipt INTEGER NOT NULL DEFAULT 0,
                held INTEGER NOT NULL DEFAULT 0, first INTEGER, grouping TEXT, deduplication TEXT, source TEXT, bytes INTEGER NOT NULL
            ) STRICT
            """),
        RoomStatement(
            """
            CREATE INDEX _homeport_queue_messages_visible
            ON _homeport_queue_messages (queue, visible, received, expires)
            """),
        RoomStatement("CREATE INDEX _homeport_queue_messages_expires ON _homeport_queue_messages (expires)"),
        RoomStatement(
            """
            CREATE INDEX _homeport_queue_messages_group ON _homeport_queue_messages (queue, grouping, number)
            WHERE grouping IS NOT NULL
            """),
        RoomStatement(
            """
            CREATE INDEX _homeport_queue_messages_flight ON _homeport_queue_messages (queue, grouping, visible)
            WHERE grouping IS NOT NULL AND received > 0
            """),
        RoomStatement("CREATE INDEX _homeport_queue_messages_held ON _homeport_queue_messages (queue) WHERE held = 1"),
        // The groups of ordered queues that have messages, and when the first of them may be received.
        RoomStatement(
            """
            CREATE TABLE _homeport_queue_groups (
                queue INTEGER NOT NULL, grouping TEXT NOT NULL, due INTEGER NOT NULL, PRIMARY KEY (queue, grouping)
            ) STRICT, WITHOUT ROWID
            """),
        RoomStatement("CREATE INDEX _homeport_queue_groups_due ON _homeport_queue_groups (queue, due)"),
        RoomStatement(
            """
            CREATE TABLE _homeport_queue_deduplications (
                queue INTEGER NOT NULL, scope TEXT NOT NULL, name TEXT NOT NULL, id TEXT NOT NULL,
                number INTEGER NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (queue, scope, name)
            ) STRICT, WITHOUT ROWID
            """),
        RoomStatement("CREATE INDEX _homeport_queue_deduplications_until ON _homeport_queue_deduplications (until)"),
        RoomStatement(
            """
            CREATE TRIGGER _homeport_queue_messages_in AFTER INSERT ON _homeport_queue_messages BEGIN
                UPDATE _homeport_queues SET messages = messages + 1, bytes = bytes + NEW.bytes WHERE number = NEW.queue;
            END
            """,
            server: """
                DO $make$ BEGIN
                    CREATE FUNCTION _homeport_queue_messages_in() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
                        UPDATE _homeport_queues SET messages = messages + 1, bytes = bytes + NEW.bytes WHERE number = NEW.queue;
                        RETURN NULL;
                    END $body$;
                    CREATE TRIGGER _homeport_queue_messages_in AFTER INSERT ON _homeport_queue_messages
                    FOR EACH ROW EXECUTE FUNCTION _homeport_queue_messages_in();
                END $make$
                """),
        RoomStatement(
            """
            CREATE TRIGGER _homeport_queue_messages_out AFTER DELETE ON _homeport_queue_messages BEGIN
                UPDATE _homeport_queues SET messages = messages - 1, bytes = bytes - OLD.bytes WHERE number = OLD.queue;
            END
            """,
            server: """
                DO $make$ BEGIN
                    CREATE FUNCTION _homeport_queue_messages_out() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
                        UPDATE _homeport_queues SET messages = messages - 1, bytes = bytes - OLD.bytes WHERE number = OLD.queue;
                        RETURN NULL;
                    END $body$;
                    CREATE TRIGGER _homeport_queue_messages_out AFTER DELETE ON _homeport_queue_messages
                    FOR EACH ROW EXECUTE FUNCTION _homeport_queue_messages_out();
                END $make$
                """),
        RoomStatement(
            """
            CREATE TRIGGER _homeport_queue_messages_moved AFTER UPDATE OF queue ON _homeport_queue_messages BEGIN
                UPDATE _homeport_queues SET messages = messages - 1, bytes = bytes - OLD.bytes WHERE number = OLD.queue;
                UPDATE _homeport_queues SET messages = messages + 1, bytes = bytes + NEW.bytes WHERE number = NEW.queue;
            END
            """,
            server: """
                DO $make$ BEGIN
                    CREATE FUNCTION _homeport_queue_messages_moved() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
                        UPDATE _homeport_queues SET messages = messages - 1, bytes = bytes - OLD.bytes WHERE number = OLD.queue;
                        UPDATE _homeport_queues SET messages = messages + 1, bytes = bytes + NEW.bytes WHERE number = NEW.queue;
                        RETURN NULL;
                    END $body$;
                    CREATE TRIGGER _homeport_queue_messages_moved AFTER UPDATE OF queue ON _homeport_queue_messages
                    FOR EACH ROW EXECUTE FUNCTION _homeport_queue_messages_moved();
                END $make$
                """),
    ]
}

extension RoomTables {
    /// The tables of queues, in the order in which they lead on to each other.
    package static var ofQueues: [RoomTables] {
        [QueueTables.all, QueueTables.columns, QueueTables.moves, QueueTables.ticks, QueueTables.holders]
    }
}
