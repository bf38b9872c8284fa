// Parameters: Systems Manager's parameters and Secrets Manager's secrets. This is the room's front page.
//
//     call ─▶ ParameterCalls, SecretCalls ─▶ GivenSecrets: what the server was started with
//                                        └─▶ ParameterStore ─▶ one table of the database
//
//     Parameter/   the operations of Systems Manager, as a table
//     Secrets/     the operations of Secrets Manager, as a table
//     Data/        what was put, in the database
//
// Invariants: a value that a call has put is used before one that the server was started with; lists never contain variables of the
// process.

import JSON

/// The secrets that are given to a server and not put into it.
package protocol GivenSecrets: Sendable {
    /// The value of a name; nil: none is given.
    func value(of name: String) -> String?

    /// Those that lists may name.
    var listed: [(name: String, value: String)] { get }
}
