import Access
import Cloud
import Delivery
import Files
import Functions
import Items
import JSON
import Network
import Queues
import Store
import Synchronization
import Workflows

/// The state machines of a server, which follow the project while it is watched, who runs their executions, and the events that start them.
final class RunningWorkflows: Sendable {
    let workflows: Workflows
    private let makeRunner: @Sendable () -> WorkflowRunner
    private let starters = Mutex<[ByteText: QueueConsumer]>([:])
    private let work = Mutex(Work())
    private let queues: Queues
    private let loop: EventLoop
    private let log: Log

    /// The running of executions, from a beginning to an end.
    private struct Work {
        /// Nil where another node runs them.
        var runner: WorkflowRunner?
        /// How often it was begun or ended: what belongs to an earlier time ends by itself.
        var changes = 0
    }

    /// - Parameter files: nil: tasks cannot use them.
    init(
        _ configuration: Configuration, over store: Store, region: String, items: ItemService, _ queues: Queues,
        tables: [ServiceTable], _ files: FileService?, _ addresses: FunctionAddresses, functions: RunningFunctions?,
        on loop: EventLoop, _ log: Log
    ) {
        self.loop = loop
        self.log = log
        self.queues = queues
        let workflows = Workflows(
            over: store, machines: Self.served(of: configuration, log), region: region,
            accountID: IAMPrincipal.exampleAccountID)
        let outside = OutsideClient(on: loop, functions: functions?.functions, trace: log.trace)
        let report: @Sendable (String) -> Void = { log.warning("\($0)") }
        makeRunner = {
            WorkflowRunner(
                workflows,
                asking: WorkflowTasks(workflows, items, tables, files, addresses, by: outside, on: loop),
                on: loop,
                report: report)
        }
        self.workflows = workflows
        // The only server answers calls that need the runner from its first moment on.
        if !configuration.hasNodes { work.withLock { $0.runner = makeRunner() } }
        _ = addStarters(for: configuration)
    }

    /// Has events start the machines that are there by now, and gives those who begin with that. Calls can make a rule for any of them.
    private func addStarters(for configuration: Configuration) -> [QueueConsumer] {
        var new: [QueueConsumer] = []
        for name in configuration.stateMachines.keys.sorted() where workflows.has(name) {
            starters.withLock { known in
                guard known[name] == nil else { return }
                let starter = starter(of: name)
                known[name] = starter
                new.append(starter)
            }
        }
        return new
    }

    private func starter(of name: String) -> QueueConsumer {
        QueueConsumer(
            ConsumerSettings(
                eventsOf: WorkflowStarter.key(of: name), address: name,
                callsAtOnce: WorkflowStarter.callsAtOnce, timeoutSeconds: WorkflowStarter.timeoutSeconds),
            of: queues, by: WorkflowStarter(workflows), on: loop,
            report: { [log] _, text in log.warning("the state machine \(name) is not started: \(text)") })
    }

    /// Goes on with the state machines of another configuration. Executions that are under way end
    /// by the definitions with which they have begun.
    func adopt(_ configuration: Configuration) {
        workflows.adopt(Self.served(of: configuration, log))
        for starter in addStarters(for: configuration) { starter.start() }
    }

    private static func served(of configuration: Configuration, _ log: Log) -> [WorkflowMachine] {
        let (machines, warnings) = machines(of: configuration)
        for warning in warnings { log.warning(warning) }
        return machines
    }

    /// Those that are served, and a warning for each that is left out since something is wrong with it.
    static func machines(of configuration: Configuration) -> (machines: [WorkflowMachine], warnings: [String]) {
        let now = Timestamp.now.millisecondsSince1970
        var machines: [WorkflowMachine] = []
        var warnings: [String] = []
        for (name, setting) in configuration.stateMachines.sorted(by: { $0.key < $1.key }) {
            guard machines.count < WorkflowLimits.machinesMax else {
                warnings.append(
                    "the state machine \(name) is left out: there are \(WorkflowLimits.machinesMax) already")
                continue
            }
            do throws(WorkflowSetting.Fault) {
                machines.append(try setting.machine(named: name, createdMilliseconds: now))
            } catch {
                warnings.append("the state machine \(name) is left out: \(error.message)")
            }
        }
        return (machines, warnings)
    }

    /// Hears of executions that other nodes have begun; does nothing where this server is the only one.
    func followNodes(_ nodes: Nodes?) {
        nodes?.onWake { [workflows] in workflows.hear($0) }
    }

    /// Begins with what waits, also again behind `stop`.
    func start() {
        let (runner, number) = work.withLock { work in
            let runner = work.runner ?? makeRunner()
            work.runner = runner
            work.changes += 1
            return (runner, work.changes)
        }
        runner.start()
        let begun = starters.withLock { known in
            if number > 1 { for name in known.keys { known[name] = starter(of: name.string) } }
            return Array(known.values)
        }
        for starter in begun { starter.start() }
        let hasPast = workflows.hasPast
        loop.execute { self.keepSwept(now: hasPast, number) }
    }

    private func keepSwept(now: Bool, _ number: Int) {
        guard work.withLock({ $0.changes == number }) else { return }
        if now {
            Task(executorPreference: loop) { [self] in
                do throws(WorkflowError) { try await workflows.sweep() } catch {
                    log.warning("workflows: \(error.message)")
                }
            }
        }
        _ = loop.schedule(at: loop.now.advanced(byMilliseconds: WorkflowLimits.sweepMilliseconds)) { [weak self] in
            self?.keepSwept(now: true, number)
        }
    }

    /// Begins anew where another time or other data hold from now on. From any thread.
    func beginAnew() {
        work.withLock { $0.runner }?.beginAnew()
        for starter in starters.withLock({ Array($0.values) }) { starter.engine.beginAnew() }
    }

    /// Ends what is on its way, and waits for that.
    func stop() async {
        let runner = work.withLock { work in
            work.changes += 1
            return work.runner.take()
        }
        for starter in starters.withLock({ Array($0.values) }) {
            await starter.retire()
            await starter.stop()
        }
        await runner?.stop()
    }
}
