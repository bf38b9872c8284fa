import Blueprint
import GraphQL

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
    var isAsynchronous = false

    init(_ work: Work, at position: Position) {
        self.work = work
        self.position = position
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
    override var surface: BuilderSurface { kind == .function ? Self.ofFunctions : .none }

    private static let ofFunctions = BuilderSurface([
        .modifier("async") { (handler: HandlerBuilder, _) throws(TypeScriptError) in
            handler.isAsynchronous = true
        }
    ])
}
