/// What the console is told at the start.
package struct ConsoleSettings: Sendable {
    /// What people call the project.
    package let name: String
    package let version: String
    /// Tells this server from others on the machine; stands in the name of the cookie.
    package let instance: String
    /// Whether nobody but this machine reaches the server: then nobody signs in.
    package let isDevelopment: Bool
    /// True if the server is one of several over one database.
    package let hasNodes: Bool
    package let environment: [String: String]

    package init(
        name: String, version: String, instance: String, isDevelopment: Bool, hasNodes: Bool = false,
        environment: [String: String]
    ) {
        self.hasNodes = hasNodes
        (self.name, self.version, self.instance) = (name, version, instance)
        (self.isDevelopment, self.environment) = (isDevelopment, environment)
    }
}
