import JSON
import Script

/// One run of a template. It has everything that the run changes, and ends with it.
final class TemplateRun {
    let template: TemplateProgram
    let limits: ResolverLimits
    let heap = TemplateHeap()
    let stash: TemplateMap
    /// `$ctx.args`: what a template changes of it holds for the steps behind it.
    let arguments: TemplateValue
    /// What functions of AppSync's are told, and where their effects go.
    var call: LibraryCall
    /// The values of the template's names.
    var frame: [TemplateValue]
    var output: [UInt8] = []
    /// Where the template is being run, for faults.
    var offset = 0
    /// What `#return` was given.
    var returned = TemplateValue.null
    /// Calls, blocks and values in each other.
    private var depth = 0
    private var bytesHeld = 0
    private var logBytes = 0
    private var stepsToLook: Int
    private var deadline: RunDeadline

    init(
        _ template: TemplateProgram, _ context: ResolverContext, _ limits: ResolverLimits,
        _ surroundings: ResolverSurroundings
    ) {
        self.template = template
        self.limits = limits
        stepsToLook = limits.stepsPerLook
        var outcome = ResolverOutcome(.value(.null))
        outcome.outErrors = context.outErrors
        call = LibraryCall(context, limits: limits, in: surroundings, outcome: outcome)
        deadline = RunDeadline(milliseconds: limits.milliseconds)
        stash = heap.map(context.stash)
        arguments = heap.value(context.arguments)
        frame = Array(repeating: .null, count: template.slots)
        let context = TemplateValue.map(contextMap(context))
        for name in TemplateNames.Known.allCases {
            switch name {
            case .ctx, .context: frame[name.rawValue] = context
            case .util, .utils, .extensions: frame[name.rawValue] = .library
            case .foreach, .velocityCount, .velocityHasNext: break
            }
        }
    }

    deinit { heap.release() }

    /// `$ctx`. Its members can be changed; nothing of that is left when the template ends, but of the stash and the arguments.
    private func contextMap(_ context: ResolverContext) -> TemplateMap {
        let map = heap.map()
        func put(_ name: String, _ value: JSONValue) {
            map.put(TemplateKey(.text(name)), heap.value(value), heap)
        }
        map.put(TemplateKey(.text("arguments")), arguments, heap)
        put("identity", context.identity)
        put("source", context.source)
        put("result", context.result ?? .null)
        put("request", context.request)
        let info = heap.map(
            JSONObject(distinct: [
                .init(key: "fieldName", value: .string(context.info.fieldName)),
                .init(key: "parentTypeName", value: .string(context.info.parentTypeName)),
                .init(key: "variables", value: context.info.variables),
            ]))
        info.computed = [
            ("selectionSetList", heap.value(.array(context.info.selectionSetList.map { .string($0) }))),
            ("selectionSetGraphQL", .text(context.info.selectionSetGraphQL)),
        ]
        map.put(TemplateKey(.text("info")), .map(info), heap)
        put("error", context.error.map { Self.json($0) } ?? .null)
        put("prev", context.previous.map { .object(JSONObject(distinct: [.init(key: "result", value: $0)])) } ?? .null)
        map.put(TemplateKey(.text("stash")), .map(stash), heap)
        put("env", .object(context.environment))
        put("outErrors", .array(context.outErrors.map { Self.json($0) }))
        map.computed = [("args", map.value(TemplateKey(.text("arguments")), heap) ?? .null)]
        return map
    }

    private static func json(_ error: ResolverError) -> JSONValue {
        var object = JSONObject()
        object.set("message", to: .string(error.message))
        object.set("type", to: error.type.map { .string($0) } ?? .null)
        if let data = error.data { object.set("data", to: data) }
        if let info = error.info { object.set("errorInfo", to: info) }
        return .object(object)
    }

    // MARK: - Bounds

    /// Takes steps, and looks at the clock after some of them.
    func count(_ steps: Int = 1) throws(TemplateExit) {
        call.stepsLeft = steps > call.stepsLeft ? -1 : call.stepsLeft - steps
        guard call.stepsLeft >= 0 else {
            throw fault("The template has taken more than \(limits.stepsMax) steps.")
        }
        stepsToLook -= min(steps, stepsToLook)
        guard stepsToLook == 0 else { return }
        stepsToLook = limits.stepsPerLook
        guard !deadline.isOver() else {
            var error = failure("The template has run for more than \(limits.milliseconds) milliseconds.")
            error.isOutOfTime = true
            throw .failed(error)
        }
    }

    /// A text or some values are made.
    func hold(bytes: Int) throws(TemplateExit) {
        let (sum, hasOverflown) = bytesHeld.addingReportingOverflow(max(0, bytes))
        bytesHeld = hasOverflown ? .max : sum
        guard bytesHeld <= limits.memoryBytesMax else {
            throw fault("The template's values hold more than \(limits.memoryBytesMax) bytes.")
        }
        try count(1 + min(bytes, limits.memoryBytesMax) / VelocityLimits.bytesPerStep)
    }

    func hold(values: Int) throws(TemplateExit) {
        let (bytes, hasOverflown) = values.multipliedReportingOverflow(by: VelocityLimits.bytesPerValue)
        try hold(bytes: hasOverflown ? .max : bytes)
    }

    /// A text of the run's own.
    func made(_ text: String) throws(TemplateExit) -> TemplateValue {
        try hold(bytes: text.utf8.count)
        return .text(text)
    }

    func list(_ elements: [TemplateValue], form: TemplateList.Form = .list) throws(TemplateExit) -> TemplateValue {
        try hold(values: 1 + elements.count)
        return .list(heap.list(elements, form: form))
    }

    func map() throws(TemplateExit) -> TemplateMap {
        try hold(values: 2)
        return heap.map()
    }

    /// Values in values, and calls in calls.
    func nested<Result>(_ body: () throws(TemplateExit) -> Result) throws(TemplateExit) -> Result {
        depth += 1
        defer { depth -= 1 }
        guard depth <= limits.callDepthMax else {
            throw fault("The template goes more than \(limits.callDepthMax) levels deep.")
        }
        return try body()
    }

    func checkNesting(_ level: Int) throws(TemplateExit) {
        guard level <= limits.nestingMax else {
            throw fault("Values are nested more than \(limits.nestingMax) deep.")
        }
    }

    /// What is printed next is this long.
    func print(_ bytes: some Collection<UInt8>) throws(TemplateExit) {
        guard output.count + bytes.count <= limits.resultBytesMax else {
            throw fault("The template prints more than \(limits.resultBytesMax) bytes.")
        }
        try count(1 + bytes.count / VelocityLimits.bytesPerStep)
        output.append(contentsOf: bytes)
    }

    /// A line of the log. What comes behind the last one that has room is left out.
    func log(_ line: String) {
        guard call.outcome.logs.count < limits.logLinesMax, logBytes + line.utf8.count <= limits.logBytesMax else {
            return
        }
        logBytes += line.utf8.count
        call.outcome.logs.append(line)
    }

    // MARK: - Faults

    /// The template fails where it is.
    func fault(_ message: String) -> TemplateExit { .failed(failure(message)) }

    private func failure(_ message: String) -> ResolverError {
        let place = template.place(of: offset)
        return ResolverError(
            "\(message.hasSuffix(".") ? String(message.dropLast()) : message) at velocity[line \(place.line), column \(place.column)]",
            type: "MappingTemplate", place: place, isFault: true)
    }

    /// A method of Java's throws.
    func thrown(_ exception: String, by method: String, of value: TemplateValue) -> TemplateExit {
        fault("Invocation of method '\(method)' in class \(value.className) threw exception \(exception)")
    }
}
