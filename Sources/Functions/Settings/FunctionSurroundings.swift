import JSON

/// The surroundings that all functions of a server share.
package struct FunctionSurroundings: Sendable {
    package var region = "us-east-1"
    package var accountID = "123456789012"
    /// The server, for the calls that functions make themselves; nil: they are told of none.
    package var endpoint: String?
    /// The variables of the server's own process. Functions get a few of them.
    package var environment: [String: String] = [:]
    /// The folder for what functions need, such as our runtimes.
    package var folder: String
    /// The keys with which a function signs.
    package var credentials: @Sendable (_ function: String) -> FunctionCredentials

    package init(folder: String, credentials: @escaping @Sendable (_ function: String) -> FunctionCredentials) {
        self.folder = folder
        self.credentials = credentials
    }

    package func arn(of function: String) -> String {
        ARN("lambda", region: region, account: accountID, "function:\(function)").description
    }
}

/// The access keys of a function's role.
package struct FunctionCredentials: Sendable, Equatable {
    package let accessKeyID: String
    package let secret: String
    package let sessionToken: String

    package init(accessKeyID: String, secret: String, sessionToken: String) {
        self.accessKeyID = accessKeyID
        self.secret = secret
        self.sessionToken = sessionToken
    }
}
