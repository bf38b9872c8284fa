import JSON

/// Beginning executions, and waiting for their ends.
extension Workflows {
    /// What has been begun.
    package struct Beginning: Sendable {
        package let arn: String
        package let startedMilliseconds: Int64
        let number: Int64
        /// Whether it was there before.
        let isKnown: Bool
    }

    /// Begins an execution. Once this has returned, it is on the disk, and comes to its end.
    ///
    /// - Parameters:
    ///   - machine: the ARN of the state machine, or its name.
    ///   - name: nil: one that nobody has.
    ///   - isHeld: whether it begins only when somebody says so.
    package func begin(
        _ machine: String, name: String? = nil, input: String = "{}", isHeld: Bool = false
    ) async throws(WorkflowError) -> Beginning {
        try await begin(try demandedMachine(machine), name: name, input: input, isHeld: isHeld)
    }

    /// - Parameter child: the run of a distributed map that it belongs to; nil: it belongs to nobody.
    func begin(
        _ machine: WorkflowMachine, name: String?, input: String, isHeld: Bool, of child: ChildOf? = nil
    ) async throws(WorkflowError) -> Beginning {
        let given = name ?? chance.makeID()
        guard WorkflowName.isName(given) else { throw .name(given) }
        try Self.check(input: input)
        // Executions of this type are never the same.
        let kept = machine.isExpress ? "\(given):\(chance.makeID())" : given
        let arn = executionARN(machine.name, kept, isExpress: machine.isExpress)
        let (stored, isKnown) = try await write { [capacity] transaction in
            if let known = try transaction.execution(machine.name, kept) {
                // The same again is the same.
                guard known.status == .running, Self.isSame(known.input, input) else {
                    throw WorkflowError.executionExists(arn)
                }
                return (known, true)
            }
            return (
                try transaction.begin(machine, kept, input: input, isHeld: isHeld, capacity, of: child), false
            )
        }
        if !isKnown, !isHeld { running?.wake() }
        return Beginning(arn: arn, startedMilliseconds: stored.started, number: stored.number, isKnown: isKnown)
    }

    /// Whether two inputs mean the same: the members of an object have no order.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        if left == right { return true }
        guard let one = try? JSONReader.value(of: Array(left.utf8), limits: inputLimits) else { return false }
        return (try? JSONReader.value(of: Array(right.utf8), limits: inputLimits)) == one
    }

    private static let inputLimits = JSONLimits(
        bytesMax: WorkflowLimits.dataBytesMax, nestingMax: WorkflowLimits.dataNestingMax)

    func demandedMachine(_ text: String) throws(WorkflowError) -> WorkflowMachine {
        guard text.hasPrefix("arn:") else {
            guard let known = machine(text) else { throw .noMachine(text) }
            return known
        }
        guard let (kind, names) = parts(of: text) else {
            // That of another account is none of this server's.
            guard text.parts(separatedBy: ":").count >= 7 else { throw .arn(text) }
            throw .noMachine(text)
        }
        // A version or an alias may stand behind the name.
        guard kind == "stateMachine", (1...2).contains(names.count) else { throw .arn(text) }
        guard let known = machine(names[0]) else { throw .noMachine(text) }
        return known
    }

    static func check(input: String) throws(WorkflowError) {
        guard input.utf8.count <= WorkflowLimits.dataBytesMax else {
            throw .invalid(
                "1 validation error detected: Value at 'input' failed to satisfy constraint: Member must have length less than or equal to \(WorkflowLimits.dataBytesMax)"
            )
        }
        do throws(JSONError) { _ = try JSONReader.value(of: Array(input.utf8), limits: inputLimits) } catch {
            throw .input("\(error)")
        }
    }

    /// Begins an execution and waits for its end.
    ///
    /// - Parameter milliseconds: how long; nil: as long as it takes.
    func run(
        _ machine: String, name: String?, input: String, within milliseconds: Int64?
    ) async throws(WorkflowError) -> ExecutionEnd {
        guard let runner = running else { throw .notRunning }
        return try await ended(by: runner, within: milliseconds) { () async throws(WorkflowError) in
            try await begin(machine, name: name, input: input, isHeld: true)
        }
    }

    /// Waits for the end of what is begun. Where no more may wait, nothing is begun.
    private func ended(
        by runner: WorkflowRunner, within milliseconds: Int64?, isCounted: Bool = true,
        of begin: () async throws(WorkflowError) -> Beginning
    ) async throws(WorkflowError) -> ExecutionEnd {
        if isCounted {
            guard await runner.takePlace() else { throw .tooManyWait(capacity) }
        }
        let begun: Beginning
        do throws(WorkflowError) { begun = try await begin() } catch {
            if isCounted { runner.leavePlace() }
            throw error
        }
        let ended = await runner.end(of: begun.number, within: milliseconds, isCounted: isCounted) { [self] in
            Task(executorPreference: runner.loop) {
                // What was there before may have ended meanwhile.
                if begun.isKnown, let known = try? await self.stored(begun.arn), known.status != .running {
                    runner.tell(ExecutionEnd(execution: known, arn: begun.arn), of: begun.number)
                } else {
                    _ = await runner.happen(.begin, to: begun.number)
                }
            }
        }
        guard let ended else { throw .notRunning }
        return ended
    }

    /// The run of a distributed map that an execution belongs to.
    struct ChildOf: Sendable {
        let run: String
        /// How many elements it has.
        let items: Int
    }

    /// Runs one of a distributed map's executions to its end. Begun again, it is the same one; where nobody waits for it any more it is
    /// stopped.
    func runChild(
        _ machine: WorkflowMachine, name: String, input: String, of child: ChildOf
    ) async throws(WorkflowError) -> ExecutionEnd {
        guard let runner = running else { throw .notRunning }
        if !machine.isExpress, let known = try await execution(machine.name, name), known.status != .running {
            return ExecutionEnd(execution: known, arn: executionARN(machine.name, name, isExpress: false))
        }
        var number: Int64?
        do throws(WorkflowError) {
            return try await ended(by: runner, within: nil, isCounted: false) { () async throws(WorkflowError) in
                let begun = try await begin(machine, name: name, input: input, isHeld: true, of: child)
                number = begun.number
                return begun
            }
        } catch {
            if let number, Task.isCancelled { _ = await runner.happen(.stop(nil), to: number) }
            throw error
        }
    }

    /// Begins an execution for a task that waits for its end. Asked again, it is the same one.
    ///
    /// - Parameter begun: is told what is begun, before its end.
    package func runForTask(
        _ machine: String, name: String, input: String, begun tell: (Beginning) -> Void
    ) async throws(WorkflowError) -> ExecutionEnd {
        let machine = try demandedMachine(machine)
        guard let runner = running else { throw .notRunning }
        if !machine.isExpress, let known = try await execution(machine.name, name), known.status != .running,
            Self.isSame(known.input, input)
        {
            let arn = executionARN(machine.name, name, isExpress: false)
            tell(Beginning(arn: arn, startedMilliseconds: known.started, number: known.number, isKnown: true))
            return ExecutionEnd(execution: known, arn: arn)
        }
        return try await ended(by: runner, within: nil) { () async throws(WorkflowError) in
            let begun = try await begin(machine.name, name: name, input: input, isHeld: true)
            tell(begun)
            return begun
        }
    }

    /// The execution of an ARN; nil: there is none.
    func stored(_ arn: String) async throws(WorkflowError) -> StoredExecution? {
        guard let (kind, names) = parts(of: arn), names.count == (kind == "express" ? 3 : 2) else { return nil }
        return try await execution(names[0], names.dropFirst().joined(separator: ":"))
    }
}

extension ExecutionEnd {
    /// As a task that waits for an execution gets it, and as `DescribeExecution` tells it.
    package func told(by workflows: Workflows, parsesOutput: Bool) -> JSONObject {
        var object = JSONObject([
            ("ExecutionArn", .string(arn)), ("Input", .string(execution.input)),
            ("InputDetails", ["Included": true]), ("Name", .string(execution.givenName)),
            ("StartDate", .integer(execution.started)),
            ("StateMachineArn", .string(workflows.machineARN(execution.machine))),
            ("Status", .string(execution.status.rawValue)),
        ])
        if parsesOutput { object.set("Input", to: Workflows.value(of: execution.input)) }
        if let output = execution.output {
            object.set("Output", to: parsesOutput ? Workflows.value(of: output) : .string(output))
            object.set("OutputDetails", to: ["Included": true])
        }
        if let error = execution.error { object.set("Error", to: .string(error)) }
        if let cause = execution.cause { object.set("Cause", to: .string(cause)) }
        if let stopped = execution.stopped { object.set("StopDate", to: .integer(stopped)) }
        return object
    }
}
