import GraphQL

/// A step of a field that its author wrote in JavaScript or Velocity.
package struct CustomHandler: Sendable, Hashable {
    package let typeName: String
    package let fieldName: String
    package let dataSource: String
    /// Relative to the file that names it.
    package let entry: String
    /// Where it is named.
    package let position: Position
    package var code: HandlerCode
    package var role = Role.function
    /// How many of its invocations may go to a function as one; nil: what is usual.
    package var batchMax: Int?
    /// What it works on, where a directive of its field says so: the name is Amplify's then.
    package var directiveSource: DirectiveSource?
    /// True if its code is Amplify's own, not a file of the project.
    package var isAmplifys = false

    /// What a directive names as a source of data.
    package enum DirectiveSource: Sendable, Hashable {
        /// A function, by the name that `@function` has for it.
        case function(String)
        /// What `@http` calls.
        case http(HTTPCall)
    }

    /// What the names of files have behind the field's which stand in the place of what Amplify makes to call what `@http` names.
    package static let serviceMark = GeneratedHTTPCall.mark

    /// What it is among the steps of its field.
    package enum Role: Sendable, Hashable {
        /// A function of a pipeline.
        case function
        /// It answers for the field alone, as resolvers of Gen 1 do.
        case unit
        /// A pipeline's own: its request runs before all functions, its response behind them.
        case around
        /// In the place of what Amplify makes for an operation of a model.
        case main
        /// In the place of what Amplify makes to call what `@http` names.
        case service
        /// Before or behind it.
        case slot(Slot, number: Int)
        /// In the place of what Amplify makes to call a function, wherever that is called. `fieldName` is Amplify's name for it.
        case invocation
    }

    /// Where a step stands beside what Amplify makes for an operation of a model.
    package enum Slot: String, Sendable, Hashable, CaseIterable {
        case initial = "init"
        case preAuth, auth, postAuth, preDataLoad, preUpdate, preSubscribe
        case postDataLoad, postUpdate, finish

        /// True if it runs behind the operation.
        package var isBehind: Bool { self == .postDataLoad || self == .postUpdate || self == .finish }

        /// Where it stands among the others.
        package var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// True if it changes what Amplify makes for an operation of a model, instead of answering for a field of the author's own.
    package var changesOperation: Bool {
        switch role {
        case .slot, .main: true
        case .function, .unit, .around, .invocation, .service: false
        }
    }

    /// Whether it stands before or behind something.
    package var isSlot: Bool { if case .slot = role { true } else { false } }

    /// The same step on another source.
    package func on(_ dataSource: String) -> CustomHandler {
        var handler = CustomHandler(
            typeName: typeName, fieldName: fieldName, dataSource: dataSource, entry: entry, position: position,
            code: code)
        handler.role = role
        handler.batchMax = batchMax
        handler.directiveSource = directiveSource
        handler.isAmplifys = isAmplifys
        return handler
    }

    /// The same step as another among those of its field.
    func being(_ role: Role) -> CustomHandler {
        var handler = self
        handler.role = role
        return handler
    }

    /// What steps call the table of a model.
    package static func table(of model: String) -> String { model + tableEnding }

    package static let tableEnding = "Table"

    /// The language that it is written in, by the end of its file's name.
    package var language: String { entry.hasSuffix(".vtl") ? "Velocity" : "JavaScript" }

    /// The source of steps that work on no data.
    package static let noSource = "NONE_DS"

    package init(
        typeName: String, fieldName: String, dataSource: String = "NONE_DS", entry: String,
        position: Position = .none, code: HandlerCode = .missing("its file is not there")
    ) {
        self.typeName = typeName
        self.fieldName = fieldName
        self.dataSource = dataSource
        self.entry = entry
        self.position = position
        self.code = code
    }
}

/// The code of a handler.
package enum HandlerCode: Sendable, Hashable {
    /// A module with `request` and `response`.
    case javaScript(String, isTypeScript: Bool)
    /// A template for what goes to the data source, and one for what comes back. A missing one hands on what there is.
    case velocity(request: String?, response: String?)
    /// It cannot be read: why.
    case missing(String)

    /// Returns whether a word stands somewhere in it.
    package func mentions(_ word: String) -> Bool {
        func has(_ text: String?) -> Bool {
            guard let text else { return false }
            return Self.place(of: Array(word.utf8), in: Array(text.utf8)) != nil
        }
        return switch self {
        case .javaScript(let text, _): has(text)
        case .velocity(let request, let response): has(request) || has(response)
        case .missing: false
        }
    }

    /// True if it says what goes to the data source.
    var hasRequest: Bool {
        if case .velocity(let request, _) = self { request != nil } else { true }
    }

    private static func place(of word: [UInt8], in text: [UInt8]) -> Int? {
        guard let first = word.first, text.count >= word.count else { return nil }
        for start in 0...(text.count - word.count) where text[start] == first {
            if text[start...].starts(with: word) { return start }
        }
        return nil
    }
}
