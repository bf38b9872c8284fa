import Blueprint
import GraphQL

/// A schema written in TypeScript, as `amplify/data/resource.ts` holds one.
///
/// The room Programs runs the file and writes the document of Amplify's SDL that it stands for; here that document becomes a
/// blueprint, like any other.
///
/// Each node of the document has its place in the TypeScript, so what the reader of SDL has to say is said there.
package struct TypeScriptSchema: Sendable {
    /// The modules that were read, the schema's own first.
    package var sources: [Source] = []
    /// The schema as Amplify's SDL; nil when it is refused.
    package var document: Document?
    /// Why it is refused.
    package var diagnostics: [Diagnostic] = []
    /// The switches of Gen 2, and the modes of `defineData`.
    package var settings = Self.standardSettings
    /// The name of the API.
    package var name: String?
    /// The functions that `@function` names, and those that `defineData` gives names.
    package var functions: [String: FunctionReference] = [:]
    /// The rights of functions on the API, by the names that Amplify gives them; nothing is said of those that are not there.
    package var functionGrants: [String: DataOperations] = [:]
    /// The steps of operations that are written in JavaScript.
    package var handlers: [CustomHandler] = []
    /// The subscriptions whose steps all do nothing but pass on: they are served without them.
    package var passingSubscriptions: Set<String> = []

    /// Why files that handlers name are not found. Amplify does not deploy such a schema; it stands for the same without them.
    package var missingFiles: [Diagnostic] = []

    /// Warnings, which do no harm.
    package var warnings: [Diagnostic] = []
    /// True if `defineBackend` is given no data, so that Amplify deploys no API.
    package var isLeftOut = false

    package var notes = DocumentNotes()
    package let file: String

    /// A schema of which nothing is read yet.
    package init(_ file: String) { self.file = file }

    /// The blueprint of the schema, with settings that may go over its own.
    package func reading(settings: Settings? = nil) -> Reading {
        guard let document else { return Reading(blueprint: nil, diagnostics: diagnostics) }
        var notes = notes
        notes.amplifysHandlers = Set(functions.filter { $0.value.isAmplifysConversationHandler }.keys)
        notes.add(handlers.filter { !isPassing($0) })
        return SDLReader.read(document.definitions, of: sources, settings: settings ?? self.settings, notes: notes)
    }

    private func isPassing(_ handler: CustomHandler) -> Bool {
        handler.typeName == Self.subscription
            && passingSubscriptions.contains(handler.fieldName)
    }

    /// The files that were read, the schema's own first.
    package var files: [String] {
        var seen: Set<String> = [file]
        return [file] + sources.compactMap(\.name).filter { seen.insert($0).inserted }
    }

    /// The project's names of the functions that the schema names, where Amplify gives them names of its own.
    package var givenNames: [String: String] { functions.compactMapValues(\.givenName) }

    /// The type of subscriptions, as handlers name it.
    package static let subscription = "Subscription"

    package static var standardSettings: Settings {
        var settings = Settings()
        settings.allowGen1Patterns = false
        settings.enableIamAccess = true
        return settings
    }
}
