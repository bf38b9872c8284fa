import GraphQL

/// `@function`, `@http`, `@sql`, `@predictions`: fields that something else computes.
extension SDLReading {
    private func path(_ use: DirectiveUse) -> FieldPath? {
        use.field.map { FieldPath(type: use.typeName, field: $0.name.text) }
    }

    mutating func readFunctions() {
        let step = DiagnosticLog.Step.visit(.function)
        var calls: [FieldPath: [FunctionCall]] = [:]
        for use in uses(of: "function", step: step) {
            guard let path = path(use), let field = use.field, let name = use.directive.text("name") else { continue }
            let isEvent = use.directive.text("invocationType") == "Event"
            if isEvent, use.typeName != schema.roots.query, use.typeName != schema.roots.mutation {
                log.error(
                    "@function definition with 'invocationType: Event' must be defined on Query or Mutation field.",
                    at: use.position, step: step)
            }
            calls[path, default: []].append(
                FunctionCall(
                    name: name, region: use.directive.text("region"), accountID: use.directive.text("accountId"),
                    isEvent: isEvent))
            // The type of the answer is that of the last function.
            let functions = field.directives.filter { $0.name.text == "function" }
            if isEvent, functions.last?.position.offset == use.position.offset {
                checkEventResponse(field, use.directive)
            }
        }
        for (path, functions) in calls { resolvers[path] = .functions(functions) }
    }

    private mutating func checkEventResponse(_ field: FieldDefinition, _ directive: Directive) {
        let name = "EventInvocationResponse"
        let form = "type \(name) { success: Boolean! }"
        guard field.type.name.text == name, field.type.wrapping.isNamed else {
            let arguments = field.arguments.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
            let written = directive.arguments.map { "\($0.name): \($0.value.text ?? $0.value.printed)" }
            let signature = "\(field.name)\(arguments.isEmpty ? "" : "(\(arguments))"): \(field.type)"
            log.error(
                """
                Invalid return type \(field.type) for \(signature) @function(\(written.joined(separator: ", "))).
                Use return type '\(name)' and, if necessary, add '\(form)' to your model schema.
                """, at: directive.position, step: .visit(.function))
            return
        }
        let fields = schema.objects[name]?.fields ?? []
        guard fields.count == 1, fields[0].name.text == "success", fields[0].type.description == "Boolean!" else {
            log.error(
                """
                Invalid '\(name)' definition. Update the type definition in your schema to:
                \(form)
                """, at: directive.position, step: .visit(.function))
            return
        }
    }

    mutating func readHTTPCalls() {
        let step = DiagnosticLog.Step.visit(.http)
        for use in uses(of: "http", step: step) {
            guard let path = path(use), let url = use.directive.text("url") else { continue }
            guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
                log.error(
                    "@http directive at location \(use.position.offset) requires a url parameter that begins with "
                        + "http:// or https://.", at: use.position, step: step)
                continue
            }
            var headers: [HTTPCall.Header] = []
            let written: [Value]
            switch use.directive.argument("headers") {
            case .list(let list)?: written = list.values
            case let single?: written = [single]
            case nil: written = []
            }
            for header in written.compactMap(\.object) {
                guard let name = header.value("key")?.text else { continue }
                headers.append(HTTPCall.Header(name: name, value: header.value("value")?.text ?? ""))
            }
            let method = use.directive.text("method").flatMap(HTTPCall.Method.init) ?? .get
            resolvers[path] = .http(HTTPCall(method: method, url: url, headers: headers))
        }
    }

    mutating func readPredictions() {
        let step = DiagnosticLog.Step.visit(.predictions)
        for use in uses(of: "predictions", step: step) {
            guard let path = path(use) else { continue }
            if !settings.allowGen1Patterns {
                log.warning("@predictions is deprecated.", at: use.position, step: .visit(.model))
            }
            guard use.typeName == schema.roots.query else {
                log.error("@predictions directive only works under Query operations.", at: use.position, step: step)
                continue
            }
            let actions = use.directive.texts("actions") ?? []
            guard !actions.isEmpty else {
                log.error("@predictions directive requires at least one action.", at: use.position, step: step)
                continue
            }
            if let action = zip(actions, actions.dropFirst()).first(where: { !Self.mayFollow($0, $1) }) {
                log.error("\(action.1) is not supported in this context!", at: use.position, step: step)
                continue
            }
            resolvers[path] = .predictions(actions)
        }
    }

    /// Returns whether a prediction can work on the result of another.
    private static func mayFollow(_ action: String, _ next: String) -> Bool {
        switch action {
        case "identifyText", "identifyLabels": next == "translateText" || next == "convertTextToSpeech"
        case "translateText": next == "convertTextToSpeech"
        default: false
        }
    }

    mutating func readStatements() {
        let step = DiagnosticLog.Step.visit(.sql)
        for use in uses(of: "sql", step: step) {
            guard let path = path(use) else { continue }
            let place = "type \"\(path.type)\" and field \"\(path.field)\""
            func fail(_ message: String, step: DiagnosticLog.Step, hint: String? = nil) {
                log.error(message, at: use.position, step: step, hint: hint)
            }
            guard path.type == schema.roots.query || path.type == schema.roots.mutation else {
                fail("@sql directive can only be used on Query or Mutation types. Check \(place).", step: step)
                continue
            }
            let statement = use.directive.text("statement")
            let reference = use.directive.text("reference")
            guard statement != nil || reference != nil else {
                fail(
                    "@sql directive must have either a 'statement' or a 'reference' argument. Check \(place).",
                    step: step)
                continue
            }
            // The author may have a database for it, only not here: then the field says so when it is asked for.
            guard notes.sqlFields.contains(path) else {
                fail(
                    "Could not find custom SQL strategy for \(path.type).\(path.field)", step: .resolvers(.sql),
                    hint: "Homeport keeps data in its own database: use @function for this field.")
                continue
            }
            switch (statement, reference) {
            case (.some, .some):
                fail(
                    "@sql directive can have either a 'statement' or a 'reference' argument but not both. "
                        + "Check \(place).", step: step)
            case (let statement?, nil) where statement.utf8.allSatisfy({ $0 <= 0x20 }):
                fail("@sql directive 'statement' argument must not be empty. Check \(place).", step: step)
            case (let statement, let reference):
                resolvers[path] = .sql(statement.map { .text($0) } ?? .reference(reference ?? ""))
            }
        }
    }
}
