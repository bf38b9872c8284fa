import Blueprint

/// A function of a Gen 2 project, as `defineFunction({...})` says it, with what `amplify/backend.ts` adds.
package struct FunctionResource: Sendable, Equatable {
    /// Where its code is.
    package enum Code: Sendable, Equatable {
        /// A file in JavaScript or TypeScript, whose `handler` is called.
        case file(String)
        /// A folder, what is called in it, as Lambda writes it (`index.handler`), and in which language: `PYTHON_3_12`.
        case folder(String, handler: String, runtime: String)
    }

    /// Its name, or what it gets its name of.
    package let reference: FunctionReference
    /// What `defineBackend` calls it; nil: it is not named there.
    package var key: String?
    /// Nil: known only when the app is deployed.
    package let code: Code?
    package var environment: [FunctionVariable] = []
    package var timeoutSeconds = 3
    package var memoryMegabytes = 512
    /// When it is called, as it is written: `every 5m`, `0 9 ? * 2 *`.
    package var schedules: [FunctionSchedule] = []
    /// The tables of whose changes it is told.
    package var tables: [TableEvents] = []
    /// The queues of whose messages it is told.
    package var queues: [QueueSubscription] = []
    /// Whether everybody may call it at a URL of its own, or only who signs; nil: it has none.
    package var hasOpenURL: Bool?
    /// The paths of APIs at which it is called.
    package var paths: [HTTPPath] = []
    /// What its role is given.
    package var grants = FunctionGrants()
    /// The version of Node.js; nil: Amplify's own.
    package var runtime: Int?
    /// The stack that it belongs to: `data`, `auth`, `storage` or a name.
    package var group: String?

    package init(_ reference: FunctionReference, _ code: Code?) {
        self.reference = reference
        self.code = code
    }

    /// Returns whether it is the same function, which several programs may come upon.
    package func isSame(as other: FunctionResource) -> Bool { reference == other.reference && code == other.code }

    /// Sets a variable, in the place of one of that name.
    package mutating func set(_ name: String, to value: FunctionVariable.Value) {
        let variable = FunctionVariable(name: name, value: value)
        if let place = environment.firstIndex(where: { $0.name == name }) {
            environment[place] = variable
        } else {
            environment.append(variable)
        }
    }
}
