import Access
import Blueprint
import Engine
import Glibc
import JSON
import Network
import Store
import Threads

/// Follows a project while it is served: a schema that is edited is served at once, unless something is wrong with it.
///
///     a file changes ─▶ quiet ─▶ read aside ─┬─ wrong: told as a compiler does, and what is served stays
///                                            └─ right ─▶ tables changed ─▶ served ─▶ files for apps written
///
/// It belongs to its loop's thread; the reading is done beside.
final class ProjectWatch: LoopBound, @unchecked Sendable {
    /// The parts of the server that it needs.
    struct Server: Sendable {
        /// The configuration without what the project says.
        let own: ConfigurationResolver.Resolution
        let definitions: ServedDefinitions
        let application: Application
        /// The designer of the API that is served.
        let designer: ProjectDesigner
        let log: Log
        /// When the start began to read the project: what was written since may be newer than what is served.
        let beganMilliseconds: Int64
    }

    let loop: EventLoop
    private let server: Server
    private let question = TerminalQuestion()
    private let worker = WorkersAside(threadsMax: 1, niceness: 0)
    private var watch: FolderWatch?
    private var reading: ProjectReading
    private var mark: ProjectMark
    /// True if nothing was looked at since the start has read the project.
    private var isFirst = true
    private var work: Task<Void, Never>?
    /// The warnings of the last reading: each is logged once.
    private var odd: Set<ByteText> = []
    private var hasChangedAgain = false
    /// True if the project was last told to be wrong.
    private var isWrong = false

    private var log: Log { server.log }

    /// - Parameter reading: that which is served.
    init(_ server: Server, _ reading: ProjectReading, on loop: EventLoop) throws(SystemError) {
        self.server = server
        self.reading = reading
        self.loop = loop
        mark = Self.mark(of: reading, server.own.configuration)
        watch = try FolderWatch(on: loop) { [unowned self] in changed() }
        follow(mark.folders)
        // From here on an edit is told. One that has come since the project was read shows in its text.
        changed()
    }

    /// Ends it, and what it is about.
    func stop() async {
        checkLoop()
        watch?.stop()
        watch = nil
        hasChangedAgain = false
        question.giveUp()
        await work?.value
    }

    private func follow(_ folders: [String]) {
        if watch?.follow(folders) == false {
            log.warning(
                "the project has more than \(FolderWatch.foldersMax) folders: changes in some of them are not noticed")
        }
    }

    // MARK: What belongs to it

    private static func mark(of reading: ProjectReading, _ configuration: Configuration) -> ProjectMark {
        let files =
            reading.sources.compactMap(\.name) + reading.files + [reading.place]
            + configuration.eventAPI.namespaces.values.compactMap(\.code)
        let folders = Set(files.map(folder))
        let projects = Set(folders.compactMap(project))
        let outputs = (configuration.outputs ?? []).map { $0.hasPrefix("./") ? String($0.dropFirst(2)) : $0 }
        return ProjectMark(below: projects, in: folders, ignoring: Set(outputs + [configuration.data]))
    }

    private static func folder(_ path: String) -> String {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return path }
        return path.folderOfPath
    }

    /// The folder of Amplify's that a folder is in; nil when it is in none.
    private static func project(_ folder: String) -> String? {
        let parts = folder.split(separator: "/", omittingEmptySubsequences: false)
        guard let last = parts.lastIndex(of: "amplify") else { return nil }
        return parts[...last].joined(separator: "/")
    }

    // MARK: Changes

    private func changed() {
        checkLoop()
        guard watch != nil else { return }
        guard work == nil else {
            hasChangedAgain = true
            question.lookAgain()
            return
        }
        work = Task(executorPreference: loop) { [self] in
            repeat {
                hasChangedAgain = false
                await readAgain()
            } while hasChangedAgain
            work = nil
        }
    }

    /// The result of a reading beside the loop.
    private struct Found: Sendable {
        let mark: ProjectMark
        let changes: [String]
        var odd: [String] = []
        /// Nil: the project says what it has said.
        let project: Result<Project, StartError>?
    }

    /// A project as it is now.
    private struct Project: Sendable {
        let reading: ProjectReading
        let design: EngineDesign
        let definitions: ProjectDefinitions
        let isSchemaNew: Bool
    }

    private func readAgain() async {
        let started = MonotonicTime.now
        let found = await worker.value { [server, reading, mark, isFirst] in
            Self.find(server, since: reading, mark, looksAtTexts: isFirst)
        }
        isFirst = false
        guard let found else { return }
        // What the start has said of a project that is wrong is not said again.
        if found.changes.isEmpty, found.project.map({ if case .failure = $0 { true } else { false } }) ?? true {
            return
        }
        mark = found.mark
        follow(mark.folders)
        // The files of functions and handlers may have changed with all else, and alone.
        await server.definitions.renew()
        for line in found.odd where !odd.contains(ByteText(line)) { log.warning(line) }
        if case .failure? = found.project {} else { odd = Set(texts: found.odd) }
        switch found.project {
        case nil:
            if isWrong { log.info("the project is as it was before, and is served") }
            isWrong = false
        case .failure(let error)?: tell(error)
        case .success(let project)?:
            do throws(StartError) {
                try await serve(project)
                reading = project.reading
                isWrong = false
                // The mark stays that of the moment before it was read: what was edited since is read again.
                follow(Self.mark(of: reading, server.own.configuration).folders)
                let milliseconds = MonotonicTime.now.nanoseconds(since: started) / 1_000_000
                log.info(
                    project.isSchemaNew
                        ? "the schema has changed, and is served" : "the project has changed, and what it says holds",
                    [
                        "models": .integer(Int64(project.design.blueprint.models.count)),
                        "milliseconds": .integer(Int64(clamping: milliseconds)),
                    ])
            } catch {
                tell(error)
            }
        }
    }

    private func tell(_ error: StartError) {
        isWrong = true
        StartReport(.process, log).refused(error)
        log.warning("still serving the last good project")
    }

    /// Reads the project again, where that could give something else.
    ///
    /// - Parameter looksAtTexts: whether a file may have been edited before the mark was made.
    private static func find(
        _ server: Server, since former: ProjectReading, _ mark: ProjectMark, looksAtTexts: Bool
    ) -> Found {
        let now = Self.mark(of: former, server.own.configuration)
        let changes =
            now.changes(since: mark)
            + (looksAtTexts ? former.outdatedFiles + now.touched(since: server.beganMilliseconds) : [])
        guard !changes.isEmpty else { return Found(mark: now, changes: [], project: nil) }
        do throws(StartError) {
            var odd: [String] = []
            let served = server.definitions.definitions
            let definitions = try ProjectDefinitions.read(over: server.own, after: served) { odd.append($0) }
            let designer = ProjectDesigner(
                resolution: definitions.resolution, log: server.log, assistants: server.designer.assistants,
                resolvers: server.designer.resolvers, told: server.designer.told)
            let reading = try designer.reading()
            let isSchemaNew =
                !reading.isWritten(as: former) || changes.contains { $0.hasSuffix(".json") || $0.hasSuffix(".asl") }
            guard isSchemaNew || definitions != served else {
                return Found(mark: now, changes: changes, odd: odd, project: nil)
            }
            let design = try designer.design(of: reading, .process)
            let project = Project(
                reading: reading, design: design, definitions: definitions, isSchemaNew: isSchemaNew)
            return Found(mark: now, changes: changes, odd: odd, project: .success(project))
        } catch {
            return Found(mark: now, changes: changes, project: .failure(error))
        }
    }

    /// The database with the tables of a schema. Where that would lose data, a person at the terminal is asked.
    private func changed(
        _ store: Store, to blueprint: Blueprint, forcing forced: [String]
    ) async throws(StartError) -> Store {
        do throws(StoreError) {
            return try await store.changed(
                to: blueprint, forcing: Set(texts: forced), nowMilliseconds: Timestamp.now.millisecondsSince1970)
        } catch {
            guard !error.refusedChanges.isEmpty, forced.isEmpty, TerminalQuestion.isPossible else {
                throw StartError(.failure, error.message)
            }
            let isConfirmed = await worker.value { [question, reading, mark, own = server.own.configuration] in
                question.isConfirmed("\(error.message)\nForce them now?", .process) {
                    !Self.mark(of: reading, own).changes(since: mark).isEmpty
                }
            }
            guard isConfirmed == true else { throw StartError(.failure, "the data is as it was") }
            return try await changed(store, to: blueprint, forcing: error.refusedChanges)
        }
    }

    /// Changes the tables, and has the new API served, with all that belongs to it.
    private func serve(_ project: Project) async throws(StartError) {
        let (design, definitions) = (project.design, project.definitions)
        let authenticators = try server.definitions.authenticators(
            definitions.resolution.configuration, for: design.blueprint.settings.modes)
        let former = server.application.engine
        let store = try await changed(
            former.store, to: design.blueprint, forcing: server.own.configuration.forcedMigrations)
        if let copy = store.backupPath {
            log.warning("a copy of the data was written before it was changed", ["path": .string(copy)])
        }
        try await server.definitions.adopt(
            definitions, of: project.reading, design.blueprint, by: server.application)
        await server.application.serve(Engine(design, over: store, inPlaceOf: former), authenticators)
        await server.definitions.finish(project.reading, by: server.application)
        if project.isSchemaNew { DataNotices.begin(store, design.blueprint, log) }
    }
}

extension ProjectReading {
    /// The files of it that have another text by now.
    fileprivate var outdatedFiles: [String] {
        sources.compactMap { source in
            guard let name = source.name, let bytes = try? SmallFile.read(name, bytesMax: source.bytes.count + 1) else {
                return source.name
            }
            return bytes == source.bytes ? nil : name
        }
    }

    /// Whether it is the same schema: what its program makes, which may read files of sign-in and storage as well, or every file of it.
    fileprivate func isWritten(as other: ProjectReading) -> Bool {
        guard let written, let former = other.written else {
            return sources.elementsEqual(other.sources) { $0.name == $1.name && $0.bytes == $1.bytes }
        }
        return written.printed == former.printed && ownModes == other.ownModes
            && functionGrants.count == other.functionGrants.count
            && functionGrants.allSatisfy { other.functionGrants[$0.key] == $0.value }
    }
}
