import Store

/// The statements over the tables of workflows.
enum WorkflowRows {
    // MARK: Definitions

    static let definitionNumber = RoomStatement(
        "SELECT number FROM _homeport_workflow_definitions WHERE digest = ?")
    static let keepingDefinition = RoomStatement(
        "INSERT INTO _homeport_workflow_definitions (digest, definition) VALUES (?, ?)")
    static let definition = RoomStatement(
        "SELECT definition FROM _homeport_workflow_definitions WHERE number = ?")
    static let forgettingDefinitions = RoomStatement(
        """
        DELETE FROM _homeport_workflow_definitions WHERE number NOT IN (
            SELECT definition FROM _homeport_workflow_executions)
        """)

    // MARK: Executions

    static let making = RoomStatement(
        """
        INSERT INTO _homeport_workflow_executions (
            machine, name, express, definition, status, input, started, due, bytes, run, items)
        VALUES (?, ?, ?, ?, 'RUNNING', ?, ?, ?, ?, ?, ?)
        """)
    static let byNumber = RoomStatement(
        """
        SELECT number, machine, name, express, definition, status, input, output, error, cause, started, stopped,
            branch, events, history, run
        FROM _homeport_workflow_executions WHERE number = ?
        """)
    static let byName = RoomStatement(
        """
        SELECT number, machine, name, express, definition, status, input, output, error, cause, started, stopped,
            branch, events, history, run
        FROM _homeport_workflow_executions WHERE machine = ? AND name = ?
        """)
    static let ofMachine = RoomStatement(
        """
        SELECT number, machine, name, express, definition, status, input, output, error, cause, started, stopped,
            branch, events, history, run
        FROM _homeport_workflow_executions
        WHERE machine = ?1 AND number < ?2 AND (CAST(?3 AS TEXT) IS NULL OR status = ?3) ORDER BY number DESC LIMIT ?4
        """)
    static let ofRun = RoomStatement(
        """
        SELECT number, machine, name, express, definition, status, input, output, error, cause, started, stopped,
            branch, events, history, run
        FROM _homeport_workflow_executions
        WHERE run = ?1 AND number < ?2 AND (CAST(?3 AS TEXT) IS NULL OR status = ?3) ORDER BY number DESC LIMIT ?4
        """)
    static let totals = RoomStatement(
        """
        SELECT count(*) FILTER (WHERE status = 'RUNNING'), coalesce(sum(bytes), 0) FROM _homeport_workflow_executions
        """)
    static let due = RoomStatement(
        """
        SELECT number FROM _homeport_workflow_executions WHERE status = 'RUNNING' AND due <= ? ORDER BY due LIMIT ?
        """)
    static let nextDue = RoomStatement(
        "SELECT min(due) FROM _homeport_workflow_executions WHERE status = 'RUNNING' AND due > ?")
    static let change = RoomStatement(
        """
        UPDATE _homeport_workflow_executions SET status = ?2, output = ?3, error = ?4, cause = ?5, stopped = ?6,
            due = ?7, calling = ?8, branch = ?9, events = ?10, history = ?11,
            bytes = length(input) + length(coalesce(?3, '')) + CAST(?11 AS INTEGER)
        WHERE number = ?1
        """)
    /// What a process was at when it ended is to be gone on with.
    static let waking = RoomStatement(
        """
        UPDATE _homeport_workflow_executions SET due = 0
        WHERE status = 'RUNNING' AND (calling > 0 OR due IS NULL)
        """)
    static let nextRunner = RoomStatement("UPDATE _homeport_workflow_runner SET number = number + 1")
    static let runner = RoomStatement("SELECT number FROM _homeport_workflow_runner")
    static let removal = RoomStatement("DELETE FROM _homeport_workflow_executions WHERE number = ?")
    static let old = RoomStatement(
        """
        SELECT number FROM _homeport_workflow_executions WHERE stopped IS NOT NULL AND (stopped <= ?1 OR stopped < (
            SELECT stopped FROM _homeport_workflow_executions WHERE stopped IS NOT NULL
            ORDER BY stopped DESC LIMIT 1 OFFSET ?2))
        ORDER BY stopped LIMIT ?3
        """)

    // MARK: Runs of distributed maps

    static let openingRun = RoomStatement(
        """
        INSERT INTO _homeport_workflow_runs (id, execution, machine, status, started, settings)
        VALUES (?, ?, ?, 'RUNNING', ?, ?) ON CONFLICT (id) DO NOTHING
        """)
    static let measuringRun = RoomStatement(
        "UPDATE _homeport_workflow_runs SET executions = ?2, items = ?3 WHERE id = ?1")
    static let closingRun = RoomStatement(
        "UPDATE _homeport_workflow_runs SET status = ?2, stopped = ?3, settings = ?4 WHERE id = ?1 AND stopped IS NULL")
    static let endingRuns = RoomStatement("DELETE FROM _homeport_workflow_runs WHERE execution = ?")
    static let run = RoomStatement(
        """
        SELECT number, id, execution, machine, status, started, stopped, executions, items, settings
        FROM _homeport_workflow_runs WHERE id = ?
        """)
    static let runs = RoomStatement(
        """
        SELECT number, id, execution, machine, status, started, stopped, executions, items, settings
        FROM _homeport_workflow_runs WHERE execution = ? AND number < ? ORDER BY number DESC LIMIT ?
        """)
    static let countsOfRun = RoomStatement(
        """
        SELECT status, count(*), coalesce(sum(items), 0) FROM _homeport_workflow_executions WHERE run = ?
        GROUP BY status
        """)

    // MARK: What an execution has

    static let branches = RoomStatement(
        "SELECT number, branch FROM _homeport_workflow_branches WHERE execution = ?")
    static let keepingBranch = RoomStatement(
        """
        INSERT INTO _homeport_workflow_branches (execution, number, branch) VALUES (?, ?, ?)
        ON CONFLICT (execution, number) DO UPDATE SET branch = excluded.branch
        """)
    static let endingBranch = RoomStatement(
        "DELETE FROM _homeport_workflow_branches WHERE execution = ? AND number = ?")
    static let endingBranches = RoomStatement("DELETE FROM _homeport_workflow_branches WHERE execution = ?")
    static let results = RoomStatement(
        "SELECT parent, place, output FROM _homeport_workflow_results WHERE execution = ?")
    static let keepingResult = RoomStatement(
        """
        INSERT INTO _homeport_workflow_results (execution, parent, place, output) VALUES (?, ?, ?, ?)
        ON CONFLICT (execution, parent, place) DO UPDATE SET output = excluded.output
        """)
    static let joining = RoomStatement(
        "DELETE FROM _homeport_workflow_results WHERE execution = ? AND parent = ?")
    static let endingResults = RoomStatement("DELETE FROM _homeport_workflow_results WHERE execution = ?")
    static let keepingEvent = RoomStatement(
        """
        INSERT INTO _homeport_workflow_events (execution, number, previous, type, time, details)
        VALUES (?, ?, ?, ?, ?, ?)
        """)
    static let events = RoomStatement(
        """
        SELECT number, previous, type, time, details FROM _homeport_workflow_events
        WHERE execution = ? AND number > ? ORDER BY number LIMIT ?
        """)
    static let eventsBackwards = RoomStatement(
        """
        SELECT number, previous, type, time, details FROM _homeport_workflow_events
        WHERE execution = ? AND number < ? ORDER BY number DESC LIMIT ?
        """)
    static let endingEvents = RoomStatement("DELETE FROM _homeport_workflow_events WHERE execution = ?")
}
