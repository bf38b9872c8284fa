import Network

/// Why the database did not answer. No text of it holds a password, nor the values of a question.
package enum PostgresError: Error, Sendable, CustomStringConvertible {
    /// The server refused a question; the connection can go on. Nil for the question means the end of the transaction.
    case server(PostgresServerError, question: Int?)
    /// The deadline came first. Where the connection was closed, nobody knows whether the server has done the work.
    case deadline(isClosed: Bool)
    /// The server is not there, or not ready to serve: another attempt may succeed.
    case unavailable(host: PostgresHost, reason: Reason)
    /// The server refuses us: another attempt fails too.
    case refused(host: PostgresHost, reason: Refusal)
    /// The connection ended during a trip: nobody knows whether the server has done the work.
    case connectionLost(Reason)
    case violation(PostgresViolation)
    case misuse(Misuse)
    case pool(PoolProblem)
    /// None of several hosts would do; why the last one did not.
    indirect case noHost(count: Int, last: PostgresError)

    package enum Reason: Sendable {
        case system(SystemError)
        case name(NameResolverError)
        case tls(TLSError)
        /// It closed the connection.
        case closed
        case timeout
        case server(PostgresServerError)
        case violation(PostgresViolation)
        /// It is not of the kind that `target_session_attrs` wants.
        case otherTarget(PostgresSessionTarget)
    }

    package enum Refusal: Sendable {
        case server(PostgresServerError)
        case noTLS
        case untrusted(TLSError)
        /// A file of certificates, or TLS as a whole.
        case tlsSettings(String)
        case methodNotAllowed(PostgresSignInMethod)
        case noPassword
        case unknownMethod(UInt32)
        case noMechanism
        case notBound
        case unproved
        case scram
        case oldVersion(String)
        case encoding(String)
        case longSocketPath(limit: Int)
    }

    package enum Misuse: Sendable {
        case closed
        case parameterCount(wanted: Int, given: Int)
        case parameterType(index: Int)
        case zeroByte(index: Int)
        case zeroByteInStatement
        case statementTooLong(limit: Int)
        case tooManyQuestions(limit: Int)
        case questionsTooLong(limit: Int)
    }

    package enum PoolProblem: Sendable {
        case closed
        /// All connections are in use, and as many threads wait as may.
        case tooManyWaiting(limit: Int)
        /// All connections were in use until the deadline.
        case busy(connections: Int)
        /// The server has no connection left (`max_connections`).
        case serverFull(PostgresServerError)
        case largerThanServer(connections: Int, available: Int)
    }

    package var description: String {
        switch self {
        case .server(let error, _): "PostgreSQL refused a statement: \(error)"
        case .deadline(let isClosed):
            isClosed
                ? "PostgreSQL did not answer in time; the connection was closed"
                : "PostgreSQL did not answer in time; the statement was cancelled"
        case .unavailable(let host, let reason): "PostgreSQL at \(host) is not available: \(reason)"
        case .refused(let host, let reason): "PostgreSQL at \(host) cannot be used: \(reason)"
        case .connectionLost(let reason): "the connection to PostgreSQL ended: \(reason)"
        case .violation(let violation): "PostgreSQL sent \(violation)"
        case .misuse(let misuse): "a statement was not sent to PostgreSQL: \(misuse)"
        case .pool(let problem): problem.description
        case .noHost(let count, let last): "none of \(count) hosts can be used; the last one: \(last)"
        }
    }

    /// The refusal of a statement with this code.
    package func isServer(code: String) -> Bool {
        if case .server(let error, _) = self { return error.has(code: code) }
        return false
    }
}

extension PostgresError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .system(let error): error.description
        case .name(let error): error.description
        case .tls(let error): error.description
        case .closed: "the server closed the connection"
        case .timeout: "no answer in time"
        case .server(let error): error.description
        case .violation(let violation): "it sent \(violation)"
        case .otherTarget(let target): "it is not what target_session_attrs=\(target.rawValue) asks for"
        }
    }
}

extension PostgresError.Refusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .server(let error): error.description
        case .noTLS: "it has no TLS; set ssl = on there, or sslmode=disable here if the network is yours"
        case .untrusted(let error): "\(error); check sslrootcert, and that the certificate is for this host"
        case .tlsSettings(let reason): reason
        case .methodNotAllowed(let method):
            switch method {
            case .scram: "it asks for the password by SCRAM, which require_auth does not name"
            case .md5:
                "it asks for the password by MD5, which anyone on the way can use; set password_encryption = scram-sha-256 there "
                    + "and the password anew, or require_auth=md5 here"
            case .password:
                "it asks for the password in clear text; change pg_hba.conf there, or set require_auth=password here"
            case .none: "it asks for no password, which require_auth does not allow"
            }
        case .noPassword: "it asks for a password, and none is set"
        case .unknownMethod(let number):
            "it asks for the sign-in method \(number), which is not supported; use scram-sha-256"
        case .noMechanism: "it offers no SASL mechanism that is supported; use scram-sha-256"
        case .notBound: "its sign-in is not bound to TLS, which channel_binding=require demands"
        case .unproved: "it did not prove that it knows the password"
        case .scram: "its SCRAM messages are wrong"
        case .oldVersion(let version): "its version is \(version); 14 or later is needed"
        case .encoding(let encoding): "its encoding is \(encoding); create the database with ENCODING 'UTF8'"
        case .longSocketPath(let limit): "the path of its socket has more than \(limit) bytes"
        }
    }
}

extension PostgresError.Misuse: CustomStringConvertible {
    package var description: String {
        switch self {
        case .closed: "the connection is closed"
        case .parameterCount(let wanted, let given): "it has \(wanted) parameters, and \(given) values were given"
        case .parameterType(let index): "the value of $\(index + 1) is of another type than the parameter"
        case .zeroByte(let index): "the text of $\(index + 1) contains U+0000, which PostgreSQL cannot store"
        case .zeroByteInStatement: "its text contains U+0000"
        case .statementTooLong(let limit): "its text, or the number of its parameters, is beyond the limit of \(limit)"
        case .tooManyQuestions(let limit): "one trip has at most \(limit) questions"
        case .questionsTooLong(let limit): "the questions of one trip have at most \(limit) bytes"
        }
    }
}

extension PostgresError.PoolProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .closed: "the connections to PostgreSQL are closed"
        case .tooManyWaiting(let limit): "\(limit) requests wait for a connection to PostgreSQL already"
        case .busy(let connections): "all \(connections) connections to PostgreSQL were in use until the deadline"
        case .serverFull(let error):
            "PostgreSQL has no connection left (\(error)); raise max_connections there or use fewer connections here"
        case .largerThanServer(let connections, let available):
            "\(connections) connections to PostgreSQL are configured and it has \(available) left for this role; raise "
                + "max_connections there or configure fewer"
        }
    }
}
