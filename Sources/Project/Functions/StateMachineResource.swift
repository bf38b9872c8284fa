import Blueprint
import JSON

/// A state machine of a project, as `new StateMachine(...)` says it.
package struct StateMachineResource: Sendable, Equatable {
    /// Where its definition is.
    package enum Content: Sendable, Equatable {
        /// In the program, with numbered places for what is known only when the server runs.
        case value(JSONValue)
        /// A text of the program, which may have such parts.
        case text(FunctionVariable.Value)
        /// A file, from the folder that the CDK runs in.
        case file(String)
    }

    package let name: String
    package var content: Content
    /// What the numbered places stand for.
    package var parts: [FunctionVariable.Value] = []
    package var substitutions: [FunctionVariable] = []
    package var isExpress = false
    /// When it is started by the clock.
    package var schedules: [FunctionSchedule] = []

    package init(_ name: String, _ content: Content) {
        self.name = name
        self.content = content
    }

    /// Its definition, or its file; nil: a part of it is known to nobody.
    ///
    /// - Parameter known: the text of what is known only when the server runs.
    package func definition(_ known: (FunctionVariable.Value) -> String?) -> (text: String?, file: String?)? {
        switch content {
        case .file(let path): return (nil, path)
        case .text(let value): return known(value).map { ($0, nil) }
        case .value(let value):
            var texts: [String] = []
            for part in parts {
                guard let text = known(part) else { return nil }
                texts.append(text)
            }
            return DeployedOutput.resolved(value) { texts.indices.contains($0) ? texts[$0] : nil }
                .map { (JSONWriter.text(of: $0), nil) }
        }
    }
}
