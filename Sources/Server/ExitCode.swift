/// How the program ends: the one table of its exit codes. The numbers above 63 are those of sysexits.h. A server
/// that gets a second signal while it stops ends with 128 and the signal's number, as a shell reports it.
package enum ExitCode: Int32, Sendable, CaseIterable {
    case success = 0
    case failure = 1
    case usage = 64
    case unreadableInput = 66
    case internalError = 70
    case systemRefused = 71
    case unwritableOutput = 73
    case stopTookTooLong = 75
    case configuration = 78

    /// Its meaning, for the help and the documents.
    package var meaning: String {
        switch self {
        case .success: "all went well"
        case .failure: "the answer is no: the server is not healthy, the schema has errors"
        case .usage: "the command line is wrong"
        case .unreadableInput: "an input file cannot be read"
        case .internalError: "an internal error"
        case .systemRefused: "the system refused, for instance a port that is in use"
        case .unwritableOutput: "a file or folder cannot be written"
        case .stopTookTooLong:
            "the server was told to stop, and was still at work when the time for that (`limits.stopMilliseconds`) was over; "
                + "what it had acknowledged is kept"
        case .configuration:
            "the configuration is wrong, for instance a key or a certificate, or the project that is to be served"
        }
    }
}
