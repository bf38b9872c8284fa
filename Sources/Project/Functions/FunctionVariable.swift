import Blueprint

/// A variable of a function's environment, as its project says it.
package struct FunctionVariable: Sendable, Equatable {
    package indirect enum Value: Sendable, Equatable {
        case text(String)
        /// `secret('NAME')`
        case secret(String)
        /// Known only when the app is deployed: where it comes from, as `backend.data.resources.tables.Todo.tableName`.
        case deployed(String)
        /// The address of an API of the project's own, and a path below it: it is empty, or begins with a slash.
        case gateway(String, path: String)
        /// Several, one behind the other.
        case joined([Value])
        /// The project gives it a value that is none, as that of a variable of the process which is not set.
        case missing

        /// True if a secret is in it.
        package var hasSecret: Bool {
            switch self {
            case .secret: true
            case .joined(let parts): parts.contains(where: \.hasSecret)
            case .text, .deployed, .gateway, .missing: false
            }
        }
    }

    package let name: String
    package let value: Value

    /// What stands before the service and the end of an ARN of which only the region and the account are unknown: `arns/sns:orders`.
    package static let arnOrigin = "arns/"
    /// What stands before the names of tables of a project's own, of which there are streams.
    package static let tableOrigin = "tables/"

    package init(name: String, value: Value) {
        self.name = name
        self.value = value
    }
}

/// A time at which a project has a function called by the clock.
package struct FunctionSchedule: Sendable, Equatable {
    /// As it is written: `every 5m`, `0 9 ? * 2 *`, `rate(5 minutes)`.
    package let text: String
    package let zone: String?
    /// True if a rule of EventBridge calls by it, and not its scheduler.
    package let isOfRule: Bool
    /// What the function is told, as JSON; nil: the event of who calls it.
    package let input: String?

    package init(_ text: String, zone: String? = nil, isOfRule: Bool = false, input: String? = nil) {
        self.text = text
        self.zone = zone
        self.isOfRule = isOfRule
        self.input = input
    }
}
