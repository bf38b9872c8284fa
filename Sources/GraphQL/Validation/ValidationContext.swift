/// What the rules of validation know while a document is walked: where the walk is, and what was found so far.
struct ValidationContext {
    let schema: Schema
    let limits: ValidationLimits
    /// The fragments by name; of two with the same name the last one.
    let fragments: [String: FragmentDefinition]
    let fragmentsInOrder: [FragmentDefinition]
    let graph: FragmentGraph

    /// The names of the fields around the node.
    var path: [String] = []
    /// The type that is selected from, or nil where it is unknown.
    var parentType: TypeID?
    /// What the operation at hand declares, by name.
    var variables: [String: VariableDefinition] = [:]
    /// Which of them were met.
    var usedVariables: Set<String> = []
    /// The fragments that were walked for the operation at hand.
    var visitedFragments: Set<String> = []
    /// The fragments that operations spread themselves.
    var operationSpreads: Set<String> = []
    var operationsSeen = 0
    var hasAnonymousOperation = false
    var overlaps = OverlapMemory()

    private(set) var errors: [ValidationError] = []
    private var errorBytes = 0
    private var workLeft: Int
    private(set) var isStopped = false
    private var depth = 0

    init(_ document: Document, schema: Schema, limits: ValidationLimits) {
        self.schema = schema
        self.limits = limits
        workLeft = limits.workMax
        var inOrder: [FragmentDefinition] = []
        for definition in document.definitions {
            if case .fragment(let fragment) = definition { inOrder.append(fragment) }
        }
        fragmentsInOrder = inOrder
        graph = FragmentGraph(inOrder)
        fragments = Dictionary(inOrder.map { ($0.name.text, $0) }, uniquingKeysWith: { _, last in last })
    }

    mutating func report(_ type: ValidationErrorType, _ description: String, at positions: Position...) {
        report(type, description, at: positions)
    }

    mutating func report(
        _ type: ValidationErrorType, _ description: String, at positions: [Position], hasPath: Bool = true
    ) {
        guard !isStopped else { return }
        errors.append(
            ValidationError(type: type, description: description, positions: positions, path: hasPath ? path : []))
        errorBytes += description.utf8.count + path.reduce(0) { $0 + $1.utf8.count + 1 } + positions.count * 16
        if errors.count >= limits.errorsMax || errorBytes >= limits.errorBytesMax { isStopped = true }
    }

    /// Counts a step of the work that grows faster than the document. False when there was too much of it: the
    /// document is refused.
    mutating func spendWork(_ amount: Int = 1) -> Bool {
        workLeft -= amount
        guard workLeft < 0 else { return true }
        refuse("The fields of the document overlap in too many ways")
        return false
    }

    /// Goes one selection set deeper into fragments; every call that says true is paired with one of `leave`.
    ///
    /// Where fragments form a cycle, `ExpandedExtent` cannot tell how deep they are, so this bounds the stack.
    mutating func enter() -> Bool {
        guard depth < limits.depthMax else {
            refuse("The fragments of the document nest too deeply")
            return false
        }
        depth += 1
        return true
    }

    mutating func leave() { depth -= 1 }

    /// Refuses the document as one that would take too much to check.
    mutating func refuse(_ reason: String) {
        guard !isStopped else { return }
        report(.tooComplex, reason, at: [], hasPath: false)
        isStopped = true
    }
}
