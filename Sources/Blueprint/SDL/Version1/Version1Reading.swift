import GraphQL

/// Reading a schema as version 1 of the transformer does, part by part in its order.
extension SDLReading {
    mutating func readVersion1Directives() {
        readVersion1Models()
        for use in version1Uses(of: "versioned") { readVersioning(use) }
        checkVersion1Functions()
        readFunctions()
        readHTTPCalls()
        for use in version1Uses(of: "key") { readVersion1Key(use) }
        for use in version1Uses(of: "connection") { readConnection(use) }
        readPredictions()
        readSearches()
        takeFiles()
        readVersion1Rules()
    }

    /// The places where a directive is applied. Version 1 does not look at extensions; those of root types alone are
    /// taken here all the same.
    mutating func version1Uses(of directive: String) -> [DirectiveUse] {
        var uses: [DirectiveUse] = []
        for use in schema.uses[directive] ?? [] {
            guard use.owner.isExtension, !schema.roots.contains(use.typeName) else {
                uses.append(use)
                continue
            }
            log.warning(
                "@\(directive) has no effect in an extension of \(use.typeName)", at: use.position,
                step: .visit(.model), hint: "Move it to the definition of \(use.typeName).")
        }
        return uses
    }

    private mutating func readVersion1Models() {
        var taken = RootNames(schema)
        for use in version1Uses(of: "model") {
            guard case .object(let object, _) = use.owner, models[use.typeName] == nil else { continue }
            guard !schema.roots.contains(use.typeName) else {
                refuseReservedName(use)
                continue
            }
            let arguments = Version1ModelArguments(use.directive, model: use.typeName, settings: settings)
            models[use.typeName] = ModelDraft(
                object, operations: arguments.operations, timestamps: arguments.timestamps)
            modelOrder.append(use.typeName)
            for (type, name) in taken.add(arguments.operations) {
                log.error(
                    "Object type extension '\(type)' cannot redeclare field \(name)", at: use.position,
                    step: .visit(.model),
                    hint: "Give the field of \(use.typeName) another name in its directive, or rename the other one.")
            }
        }
    }

    /// The fields that root types have so far.
    private struct RootNames {
        private let roots: RootTypes
        private var names: [OperationType: Set<String>] = [:]

        init(_ schema: AmplifyDocument) {
            roots = schema.roots
            for operation in OperationType.allCases {
                let root = roots.name(of: operation)
                let declared = (schema.objects[root]?.fields ?? []) + (schema.extensionFields[root] ?? [])
                names[operation] = Set(declared.map(\.name.text))
            }
        }

        /// Adds the operations of a model. Returns those that are there already, with their types.
        mutating func add(_ operations: ModelOperations) -> [(type: String, name: String)] {
            let added: [(OperationType, [String])] = [
                (.query, [operations.sync, operations.get, operations.list].compactMap(\.self)),
                (.mutation, [operations.create, operations.update, operations.delete].compactMap(\.self)),
                (.subscription, operations.subscriptionNames),
            ]
            return added.flatMap { operation, added in
                let twins = added.filter { names[operation]?.contains($0) == true }
                names[operation, default: []].formUnion(added)
                return twins.map { (roots.name(of: operation), $0) }
            }
        }
    }

    private mutating func checkVersion1Functions() {
        for use in version1Uses(of: "function") where use.directive.text("name")?.isEmpty == true {
            log.error("Must supply a 'name' to @function.", at: use.position, step: .visit(.function))
        }
    }

    private mutating func readVersioning(_ use: DirectiveUse) {
        let versioning = Versioning(
            field: use.directive.text("versionField") ?? "version",
            input: use.directive.text("versionInput") ?? "expectedVersion")
        guard models[use.typeName] != nil else {
            log.error(
                "Types annotated with @versioned must also be annotated with @model.", at: use.position,
                step: .visit(.model))
            return
        }
        let declared = use.owner.fields.first { $0.name.text == versioning.field }
        if let declared, !["Int", "BigInt"].contains(declared.typeName) {
            log.error(
                "The versionField \"\(versioning.field)\" is required to be of type \"Int\" or \"BigInt\".",
                at: use.position, step: .visit(.model))
            return
        }
        models[use.typeName]?.versioning = versioning
        log.note(
            "@versioned on \(use.typeName) gives it \(versioning.field), which updates must name as \(versioning.input)",
            at: use.position, step: .visit(.model))
    }
}
