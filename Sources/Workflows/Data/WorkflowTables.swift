import Store

/// The tables of the room, beside the models' in the same file. Times are in milliseconds since 1970.
package enum WorkflowTables {
    package static let all = RoomTables(of: "workflows", turn: .workflows, versions: [version1, version2])

    /// How often a node has become the one that runs the executions: only nodes bring it.
    static let runners = RoomTables(
        of: "runner of workflows", turn: .workflows,
        versions: [
            [
                RoomStatement(
                    "CREATE TABLE _homeport_workflow_runner (name TEXT PRIMARY KEY NOT NULL, number INTEGER NOT NULL) STRICT"
                ),
                RoomStatement("INSERT INTO _homeport_workflow_runner (name, number) VALUES ('runner', 0)"),
            ]
        ])

    // Runs of distributed maps, and the executions that belong to them.
    private static let version2 = [
        RoomStatement(
            """
            CREATE TABLE _homeport_workflow_runs (
                number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, execution INTEGER NOT NULL,
                machine TEXT NOT NULL, status TEXT NOT NULL, started INTEGER NOT NULL, stopped INTEGER,
                executions INTEGER NOT NULL DEFAULT 0, items INTEGER NOT NULL DEFAULT 0, settings TEXT NOT NULL
            ) STRICT
            """),
        RoomStatement(
            "CREATE INDEX _homeport_workflow_runs_execution ON _homeport_workflow_runs (execution, number)"),
        RoomStatement("ALTER TABLE _homeport_workflow_executions ADD COLUMN run TEXT"),
        RoomStatement("ALTER TABLE _homeport_workflow_executions ADD COLUMN items INTEGER NOT NULL DEFAULT 0"),
        RoomStatement(
            """
            CREATE INDEX _homeport_workflow_executions_run ON _homeport_workflow_executions (run, number)
            WHERE run IS NOT NULL
            """),
    ]

    static let version1 = [
        // Definitions that executions were begun with: a project may have another one by now.
        RoomStatement(
            """
            CREATE TABLE _homeport_workflow_definitions (
                number INTEGER PRIMARY KEY AUTOINCREMENT, digest TEXT NOT NULL UNIQUE, definition TEXT NOT NULL
            ) STRICT
            """),
        // `due` is when something is to be done, NULL where that is not known; `calling` counts tasks that were asked and have not
        // answered; `branch`, `events` and `history` are what the next branch is numbered, and how much history there is.
        RoomStatement(
            """
            CREATE TABLE _homeport_workflow_executions (
                number INTEGER PRIMARY KEY AUTOINCREMENT, machine TEXT NOT NULL, name TEXT NOT NULL,
                express INTEGER NOT NULL, definition INTEGER NOT NULL, status TEXT NOT NULL, input TEXT NOT NULL,
                output TEXT, error TEXT, cause TEXT, started INTEGER NOT NULL, stopped INTEGER, due INTEGER,
                calling INTEGER NOT NULL DEFAULT 0, branch INTEGER NOT NULL DEFAULT 1,
                events INTEGER NOT NULL DEFAULT 0, history INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL
            ) STRICT
            """),
        RoomStatement(
            """
            CREATE UNIQUE INDEX _homeport_workflow_executions_name ON _homeport_workflow_executions (machine, name)
            """),
        RoomStatement(
            """
            CREATE INDEX _homeport_workflow_executions_due ON _homeport_workflow_executions (due)
            WHERE status = 'RUNNING'
            """),
        RoomStatement(
            "CREATE INDEX _homeport_workflow_executions_size ON _homeport_workflow_executions (status, bytes)"),
        RoomStatement(
            """
            CREATE INDEX _homeport_workflow_executions_stopped ON _homeport_workflow_executions (stopped)
            WHERE stopped IS NOT NULL
            """),
        RoomStatement(
            """
            CREATE TABLE _homeport_workflow_branches (
                execution INTEGER NOT NULL, number INTEGER NOT NULL, branch TEXT NOT NULL,
                PRIMARY KEY (execution, number)
            ) STRICT
            """),
        // What branches that have ended have come to, until the state that waits for them goes on.
        RoomStatement(
            """
            CREATE TABLE _homeport_workflow_results (
                execution INTEGER NOT NULL, parent INTEGER NOT NULL, place INTEGER NOT NULL, output TEXT NOT NULL,
                PRIMARY KEY (execution, parent, place)
            ) STRICT
            """),
        RoomStatement(
            """
            CREATE TABLE _homeport_workflow_events (
                execution INTEGER NOT NULL, number INTEGER NOT NULL, previous INTEGER NOT NULL, type TEXT NOT NULL,
                time INTEGER NOT NULL, details TEXT, PRIMARY KEY (execution, number)
            ) STRICT
            """),
    ]
}

extension RoomTables {
    /// The tables of state machines and executions.
    package static var ofWorkflows: [RoomTables] { [WorkflowTables.all, WorkflowTables.runners] }
}
