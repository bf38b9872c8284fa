/// A module in a realm.
final class ModuleRecord {
    enum Status {
        case unlinked, linking, linked, evaluating, evaluatingAsync, evaluated
    }

    enum Binding {
        case cell(Cell)
        case namespace(ModuleRecord)
    }

    enum Content {
        case program(Unit)
        /// Its exports, with no code.
        case values([PropertyKey: Cell])
        /// What messages call it, and where one of the modules names it first.
        case opaque(name: String, SourcePlace?)
    }

    let address: String
    var content: Content
    /// The modules that it names, in the order of its requests.
    var requests: [ModuleRecord] = []
    var status = Status.unlinked
    /// The cells of its exported variables, by their place in the code.
    var cells: [Int: Cell] = [:]
    var frame: Frame?
    var namespace: ModuleNamespace?
    var meta: ScriptObject?
    var opaqueCells: [PropertyKey: Cell] = [:]
    var opaqueNamespace: ScriptObject?

    // What the algorithm of evaluation keeps, under its names.
    var index = 0
    var ancestorIndex = 0
    var error: Value?
    var hasAsyncEvaluation = false
    var asyncOrder = 0
    var pendingDependencies = 0
    var asyncParents: [ModuleRecord] = []
    weak var cycleRoot: ModuleRecord?
    var promise: PromiseObject?

    init(_ address: String, _ content: Content) {
        self.address = address
        self.content = content
    }

    var unit: Unit? {
        if case .program(let unit) = content { return unit }
        return nil
    }

    var hasTopLevelAwait: Bool { unit?.program.hasTopLevelAwait ?? false }
}

/// The modules of a realm by address.
final class ModuleTable {
    struct Key: Hashable {
        let address: String
        let isJSON: Bool
    }

    var records: [Key: ModuleRecord] = [:]
    var asyncCount = 0
    /// Modules whose exports are looked for inside one another.
    var resolvingDepth = 0
}
