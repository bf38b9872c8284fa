import Glibc
import Network

/// Why a server cannot start: one line that says what is wrong and what to do, and the code to end with.
struct StartError: Error, Equatable {
    let code: ExitCode
    let message: String

    init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }

    init(threads error: SystemError) {
        self.init(.systemRefused, "the server cannot start its threads: \(error)")
    }

    init(listening error: SystemError) {
        let address = error.subject
        let advice =
            switch error.code {
            case EADDRINUSE:
                "\(ListenAddress(address).flatMap { PortHolder(of: $0.port) }.map(\.description) ?? "another program") listens there; "
                    + "stop it, or choose another port with --port, where auto takes the next free one and 0 any free one"
            case EACCES, EPERM: "ports below 1024 need permission; choose a higher one with --port, or grant it"
            case EADDRNOTAVAIL: "this machine has no such address; choose one of its own with --host"
            default: String(cString: strerror(error.code))
            }
        self.init(.systemRefused, "cannot listen on \(address): \(advice)")
    }
}
