import Store

/// The tables of the room, beside the models' in the same file. Times are in milliseconds since 1970.
enum PoolTables {
    static let all = RoomTables(of: "sign-in", turn: .users, versions: [version1, version2])

    private static let version2 = [
        // New addresses that do not hold yet.
        RoomStatement(
            """
            CREATE TABLE _homeport_waiting_addresses (
                user INTEGER NOT NULL, attribute TEXT NOT NULL, address TEXT NOT NULL, PRIMARY KEY (user, attribute)
            ) STRICT, WITHOUT ROWID
            """)
    ]

    private static let version1 = [
        // `name` is what tokens and lists show; `email` and `phone` are copies for searches.
        RoomStatement(
            """
            CREATE TABLE _homeport_users (
                number INTEGER PRIMARY KEY AUTOINCREMENT, sub TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE,
                status TEXT NOT NULL, isEnabled INTEGER NOT NULL, created INTEGER NOT NULL, modified INTEGER NOT NULL,
                attributes TEXT NOT NULL, email TEXT, phone TEXT, salt BLOB, verifier BLOB, foreignHash TEXT,
                temporaryUntil INTEGER, secondFactors TEXT NOT NULL, totpSecret BLOB, totpCounter INTEGER NOT NULL
            ) STRICT
            """),
        RoomStatement("CREATE INDEX _homeport_users_email ON _homeport_users (email)"),
        RoomStatement("CREATE INDEX _homeport_users_phone ON _homeport_users (phone)"),
        // Whom a name means: their own, their `sub`, an address that they sign in by.
        RoomStatement(
            """
            CREATE TABLE _homeport_user_names (
                name TEXT PRIMARY KEY NOT NULL, user INTEGER NOT NULL, kind TEXT NOT NULL
            ) STRICT, WITHOUT ROWID
            """),
        RoomStatement("CREATE INDEX _homeport_user_names_user ON _homeport_user_names (user)"),
        RoomStatement(
            """
            CREATE TABLE _homeport_user_codes (
                user INTEGER NOT NULL, purpose TEXT NOT NULL, attribute TEXT NOT NULL, address TEXT NOT NULL,
                code TEXT NOT NULL, made INTEGER NOT NULL, expires INTEGER NOT NULL, tries INTEGER NOT NULL,
                PRIMARY KEY (user, purpose)
            ) STRICT, WITHOUT ROWID
            """),
        RoomStatement("CREATE INDEX _homeport_user_codes_stand_ins ON _homeport_user_codes (expires) WHERE user < 0"),
        // Wrong tries, by user or by a name that is nobody's.
        RoomStatement(
            """
            CREATE TABLE _homeport_user_tries (
                subject TEXT PRIMARY KEY NOT NULL, count INTEGER NOT NULL, last INTEGER NOT NULL, until INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """),
        RoomStatement("CREATE INDEX _homeport_user_tries_last ON _homeport_user_tries (last)"),
        // Authenticator apps: the secret of one that is being set up, and what its user calls the one that is.
        RoomStatement(
            """
            CREATE TABLE _homeport_authenticators (
                user INTEGER PRIMARY KEY, waiting BLOB, name TEXT NOT NULL
            ) STRICT
            """),
        RoomStatement(
            """
            CREATE TABLE _homeport_devices (
                key TEXT PRIMARY KEY NOT NULL, user INTEGER NOT NULL, name TEXT NOT NULL, salt BLOB NOT NULL,
                verifier BLOB NOT NULL, isRemembered INTEGER NOT NULL, created INTEGER NOT NULL,
                modified INTEGER NOT NULL, authenticated INTEGER NOT NULL, address TEXT NOT NULL
            ) STRICT, WITHOUT ROWID
            """),
        RoomStatement("CREATE INDEX _homeport_devices_user ON _homeport_devices (user, authenticated)"),
        // What proves the passkeys of users, by the names that authenticators gave them.
        RoomStatement(
            """
            CREATE TABLE _homeport_passkeys (
                id BLOB PRIMARY KEY NOT NULL, user INTEGER NOT NULL, relyingParty TEXT NOT NULL, key BLOB NOT NULL,
                counter INTEGER NOT NULL, name TEXT NOT NULL, attachment TEXT NOT NULL, transports TEXT NOT NULL,
                created INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """),
        RoomStatement("CREATE INDEX _homeport_passkeys_user ON _homeport_passkeys (user, id)"),
        // A sign-in and what came of it: its tokens name it as `origin_jti`.
        RoomStatement(
            """
            CREATE TABLE _homeport_sign_ins (
                id TEXT PRIMARY KEY NOT NULL, user INTEGER NOT NULL, client TEXT NOT NULL, began INTEGER NOT NULL,
                expires INTEGER NOT NULL, scopes TEXT NOT NULL, token BLOB NOT NULL, formerToken BLOB,
                rotated INTEGER NOT NULL, revoked INTEGER NOT NULL, device TEXT
            ) STRICT, WITHOUT ROWID
            """),
        RoomStatement("CREATE INDEX _homeport_sign_ins_user ON _homeport_sign_ins (user, began)"),
        RoomStatement("CREATE INDEX _homeport_sign_ins_expires ON _homeport_sign_ins (expires)"),
        // What may be used once: sessions, blocks of proofs.
        RoomStatement(
            """
            CREATE TABLE _homeport_used (
                id TEXT PRIMARY KEY NOT NULL, expires INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """),
        RoomStatement("CREATE INDEX _homeport_used_expires ON _homeport_used (expires)"),
        // The pages' codes, by their digests.
        RoomStatement(
            """
            CREATE TABLE _homeport_authorization_codes (
                digest BLOB PRIMARY KEY NOT NULL, user INTEGER NOT NULL, client TEXT NOT NULL, redirect TEXT NOT NULL,
                scopes TEXT NOT NULL, challenge TEXT, nonce TEXT, session TEXT NOT NULL, made INTEGER NOT NULL,
                expires INTEGER NOT NULL, isSpent INTEGER NOT NULL, signIn TEXT
            ) STRICT, WITHOUT ROWID
            """),
        RoomStatement(
            "CREATE INDEX _homeport_authorization_codes_user ON _homeport_authorization_codes (user, made)"),
        RoomStatement("CREATE INDEX _homeport_authorization_codes_made ON _homeport_authorization_codes (made)"),
        RoomStatement(
            """
            CREATE TABLE _homeport_groups (
                name TEXT PRIMARY KEY NOT NULL, description TEXT, role TEXT, precedence INTEGER,
                created INTEGER NOT NULL, modified INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """),
        RoomStatement(
            """
            CREATE TABLE _homeport_group_members (
                user INTEGER NOT NULL, groupName TEXT NOT NULL, PRIMARY KEY (user, groupName)
            ) STRICT, WITHOUT ROWID
            """),
        // Who a user of another provider is here: a user made for them alone, or one that they were linked to.
        RoomStatement(
            """
            CREATE TABLE _homeport_user_links (
                provider TEXT NOT NULL, subject TEXT NOT NULL, user INTEGER NOT NULL, isOwn INTEGER NOT NULL,
                created INTEGER NOT NULL, PRIMARY KEY (provider, subject)
            ) STRICT, WITHOUT ROWID
            """),
        RoomStatement("CREATE INDEX _homeport_user_links_user ON _homeport_user_links (user)"),
        RoomStatement("CREATE INDEX _homeport_group_members_group ON _homeport_group_members (groupName, user)"),
        RoomStatement(
            """
            CREATE TABLE _homeport_messages (
                number INTEGER PRIMARY KEY AUTOINCREMENT, user TEXT NOT NULL, kind TEXT NOT NULL, medium TEXT NOT NULL,
                address TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL, html TEXT, event TEXT,
                code TEXT NOT NULL, created INTEGER NOT NULL, expires INTEGER NOT NULL, state TEXT NOT NULL,
                tries INTEGER NOT NULL, due INTEGER NOT NULL, problem TEXT
            ) STRICT
            """),
        RoomStatement("CREATE INDEX _homeport_messages_due ON _homeport_messages (state, medium, due)"),
        RoomStatement("CREATE INDEX _homeport_messages_address ON _homeport_messages (address, created)"),
        // The identities of users in the identity pool, by their `sub`; without one, the login was taken from it.
        RoomStatement(
            """
            CREATE TABLE _homeport_identities (
                id TEXT PRIMARY KEY NOT NULL, subject TEXT UNIQUE, created INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """),
    ]
}

extension RoomTables {
    /// The tables of users and identities.
    package static var ofUsers: [RoomTables] { [PoolTables.all, WaitingIdentities.tables, DeveloperLogin.tables] }
}
