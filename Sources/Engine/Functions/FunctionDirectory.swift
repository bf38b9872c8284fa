import Access
import Blueprint
import JSON
import Synchronization

/// Where the functions of a schema are called: the addresses that the configuration gives them, by name.
///
/// A schema names functions in several ways, and the configuration the same ones in its own: what is called
/// `send-${env}` may stand there under that very name, with the environment put in (`send-dev`), or without it (`send`).
/// A function that Gen 2 defines in place has a name of Amplify's making (`FnGreet`), which nobody knows: the
/// name that its author gave it is good too, and that of the operation (`greet`).
package final class FunctionDirectory: Sendable {
    /// A function that is configured.
    struct Endpoint: Sendable, Equatable {
        let url: String
        /// True if it is called as AWS's runtime interface emulator is. That one does not say in the answer's head
        /// that the function failed.
        let isEmulator: Bool

        /// The path on which the emulator takes invocations.
        static let emulatorPath = "/2015-03-31/functions/function/invocations"

        /// An address without a path is an emulator's; any other is called as it is, also that of a function that the server
        /// runs itself.
        init(_ configured: String) {
            guard FunctionAddress.name(in: configured) == nil else {
                (url, isEmulator) = (configured, false)
                return
            }
            var authority = Substring(configured)
            for scheme in ["http://", "https://"] where configured.lowercased().hasPrefix(scheme) {
                authority = configured.dropFirst(scheme.count)
            }
            let path = authority.utf8.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            let isBare = path.isEmpty || path.elementsEqual("/".utf8)
            url = isBare ? configured[..<path.startIndex] + Self.emulatorPath : configured
            isEmulator = url.hasSuffix("/invocations")
        }
    }

    let environment: CallEnvironment
    let limits: EngineLimits
    let assistants: (any Assistants)?
    /// What resolvers of the app's own work on; nil: nobody serves them.
    let services: (any ResolverServices)?
    /// The code of those resolvers.
    let shelf = HandlerShelf()
    /// Is told what handlers write to their console.
    let tellOfHandlers: @Sendable (String) -> Void
    /// Tells the operator what clients are not told.
    let report: @Sendable (String) -> Void
    private let endpoints: [ByteText: Endpoint]
    /// What the author called the functions that Amplify gave names of its own.
    private let givenNames: [ByteText: String]
    private let events = Mutex(0)

    /// `givenNames` are those of `defineFunction({ name: … })`, by the name in the schema.
    package init(
        _ functions: [String: String] = [:], givenNames: [String: String] = [:],
        environment: CallEnvironment = CallEnvironment(), limits: EngineLimits = EngineLimits(),
        assistants: (any Assistants)? = nil, services: (any ResolverServices)? = nil,
        tellOfHandlers: @escaping @Sendable (String) -> Void = { _ in },
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.services = services
        self.tellOfHandlers = tellOfHandlers
        endpoints = Dictionary(
            texts: functions.map { ($0.key, Endpoint($0.value)) }, uniquingKeysWith: { first, _ in first })
        self.givenNames = Dictionary(
            texts: givenNames.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        self.environment = environment
        self.limits = limits
        self.assistants = assistants
        self.report = report
    }

    /// Where the function of a name is called, for a field. Throws when it is not configured.
    func endpoint(of name: String, ofField fieldName: String) throws(CallFailure) -> Endpoint {
        for candidate in candidates(name, fieldName) {
            if let endpoint = endpoints[candidate] { return endpoint }
        }
        throw CallFailure(
            "The function '\(givenName(of: name))' is not configured: add it to \"functions\" with the URL where it is called, or what runs it",
            type: "Lambda:ResourceNotFoundException")
    }

    /// Returns whether there is an address for the function of that name, as a field calls it.
    package func isConfigured(_ name: String, _ fieldName: String) -> Bool {
        candidates(name, fieldName).contains { endpoints[$0] != nil }
    }

    /// The function that takes the turns of a conversation; nil: they are taken here, as Amplify's own handler would.
    package func handler(of conversation: Conversation) -> String? {
        conversation.handler.flatMap { handler in
            conversation.isHandlerAmplifys && !isConfigured(handler, conversation.field) ? nil : handler
        }
    }

    /// What people call the function that the schema names so.
    package func givenName(of name: String) -> String { givenNames[name] ?? name }

    /// The names under which a function may be configured, the likeliest first.
    package func candidates(_ name: String, _ fieldName: String) -> [String] {
        var names = [name, environment.substituted(name)]
        if let suffix = ["-${env}", "_${env}", "${env}"].first(where: name.hasSuffix) {
            names.append(environment.substituted(String(name.dropLast(suffix.count))))
        }
        if let given = givenNames[name] { names.append(given) }
        let start = "Fn" + Names.upper(fieldName)
        if name.hasPrefix(start) {
            let number = name.utf8.dropFirst(start.utf8.count)
            if number.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
                names.append(fieldName + String(Substring(number)))
            }
        }
        return names.filter { !$0.isEmpty }.eachOnce()
    }

    // MARK: Calls that nobody waits for

    /// Takes note of one more such call; false when there are as many as may be.
    func beginEvent() -> Bool {
        events.withLock { count in
            guard count < FunctionLimits.eventsMax else { return false }
            count += 1
            return true
        }
    }

    func endEvent() { events.withLock { $0 -= 1 } }

    /// The calls that have not ended yet.
    var openEvents: Int { events.withLock { $0 } }
}
