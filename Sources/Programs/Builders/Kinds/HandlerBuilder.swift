import Blueprint
import GraphQL
import Project

/// `a.handler.…`
final class HandlerBuilder: Builder {
    enum Kind: String {
        case function = "functionHandler"
        case custom = "customHandler"
        case statement = "inlineSql"
        case file = "sqlReference"
    }

    enum Work {
        case function(FunctionTarget)
        /// A module in JavaScript; nil when no text names it.
        case custom(entry: PlacedText?, dataSource: String)
        case statement(String)
        case file(String)
    }

    let work: Work
    /// Where what it is made of is written.
    let position: Position
    let isAsynchronous: Bool

    init(_ work: Work, at position: Position, isAsynchronous: Bool = false) {
        self.work = work
        self.position = position
        self.isAsynchronous = isAsynchronous
    }

    var kind: Kind {
        switch work {
        case .function: .function
        case .custom: .custom
        case .statement: .statement
        case .file: .file
        }
    }

    override var label: String { kind == .function ? "a.handler.function(...)" : "a handler" }
    override var surface: BuilderSurface { kind == .function && !isAsynchronous ? Self.ofFunctions : .none }

    private static let ofFunctions = BuilderSurface([
        // The handler itself stays as it is.
        .maker("async") { (handler: HandlerBuilder, _) throws(TypeScriptError) in
            HandlerBuilder(handler.work, at: handler.position, isAsynchronous: true)
        }
    ])
}
