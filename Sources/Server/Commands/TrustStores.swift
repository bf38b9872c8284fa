import Glibc
import Network

/// The stores of a Linux machine in which programs look for authorities: the system's, and those of browsers.
struct TrustStores {
    /// Where files are looked for: the root of the file system, but for tests.
    var root = ""
    /// The user's home folder; nil: there is none.
    let home: String?
    var isRoot = geteuid() == 0
    /// True if a person can be asked for a password.
    var hasTerminal = isatty(0) == 1
    /// Runs a program; gives its exit code, and nil where it is not there.
    var run: ([String]) -> Int32? = { ProgramCall.run($0) }

    /// The outcome for a store.
    struct Outcome: Equatable {
        let store: String
        /// Nil: it has the authority.
        var failure: String?
    }

    private static let name = "homeport"
    private static let label = "Homeport"

    /// Where systems keep authorities, and how they take a new one.
    private static let systems: [(folder: String, ending: String, command: [String])] = [
        ("/etc/pki/ca-trust/source/anchors", "pem", ["update-ca-trust", "extract"]),
        ("/usr/local/share/ca-certificates", "crt", ["update-ca-certificates"]),
        ("/etc/ca-certificates/trust-source/anchors", "crt", ["trust", "extract-compat"]),
        ("/usr/share/pki/trust/anchors", "pem", ["update-ca-certificates"]),
    ]

    /// Puts an authority into all stores that are there.
    func add(_ authority: String) -> [Outcome] { [addToSystem(authority)] + addToBrowsers(authority) }

    // MARK: The system

    private func addToSystem(_ authority: String) -> Outcome {
        let store = "system"
        guard let system = Self.systems.first(where: { access(root + $0.folder, F_OK) == 0 }) else {
            return Outcome(store: store, failure: "no folder of authorities is known here; see the lines below")
        }
        let file = "\(root)\(system.folder)/\(Self.name).\(system.ending)"
        let commands = [["cp", authority, file], ["chmod", "0644", file], system.command]
        guard isRoot || hasTerminal else {
            let lines = commands.map { "sudo \($0.joined(separator: " "))" }
            return Outcome(store: store, failure: "needs an administrator: \(lines.joined(separator: " && "))")
        }
        for command in commands {
            let words = isRoot ? command : ["sudo"] + command
            guard let code = run(words) else {
                return Outcome(store: store, failure: "\(words.first ?? "") is not installed")
            }
            guard code == 0 else {
                return Outcome(store: store, failure: "`\(words.joined(separator: " "))` ended with \(code)")
            }
        }
        return Outcome(store: store)
    }

    // MARK: Browsers

    /// Folders below the home folder that hold a database of Chromium's, and that hold profiles of Firefox.
    private static let databases = [".pki/nssdb", "snap/chromium/current/.pki/nssdb"]
    private static let profiles = [
        ".mozilla/firefox", ".config/mozilla/firefox", "snap/firefox/common/.mozilla/firefox",
        ".var/app/org.mozilla.firefox/.mozilla/firefox",
    ]

    private func addToBrowsers(_ authority: String) -> [Outcome] {
        guard let home else { return [] }
        var folders: [(store: String, folder: String)] = []
        for database in Self.databases {
            let folder = "\(home)/\(database)"
            // Chromium makes the first one at its own start, and takes one that is there.
            if database == Self.databases[0] || has(folder) { folders.append(("Chromium", folder)) }
        }
        for profile in Self.profiles {
            for name in ProjectFile.names(in: "\(home)/\(profile)") where has("\(home)/\(profile)/\(name)") {
                folders.append(("Firefox", "\(home)/\(profile)/\(name)"))
            }
        }
        return folders.map {
            Outcome(store: "\($0.store) (\($0.folder))", failure: add(authority, toDatabase: $0.folder))
        }
    }

    private func has(_ folder: String) -> Bool { access("\(folder)/cert9.db", F_OK) == 0 }

    /// Why a database does not have the authority; nil: it has it.
    private func add(_ authority: String, toDatabase folder: String) -> String? {
        let database = "sql:\(folder)"
        let add = ["certutil", "-A", "-d", database, "-t", "C,,", "-n", Self.label, "-i", authority]
        if !has(folder) {
            guard let code = run(["mkdir", "-p", folder]), code == 0 else { return "cannot make \(folder)" }
            switch run(["certutil", "-N", "-d", database, "--empty-password"]) {
            case 0?: break
            case nil: return Self.missing
            case let code?: return "certutil ended with \(code)"
            }
        } else {
            // An authority of the same name from before would stay.
            _ = run(["certutil", "-D", "-d", database, "-n", Self.label])
        }
        switch run(add) {
        case 0?: return nil
        case nil: return Self.missing
        case let code?: return "certutil ended with \(code)"
        }
    }

    private static let missing =
        "certutil is not installed: apt install libnss3-tools (Debian, Ubuntu), dnf install nss-tools (Fedora), pacman -S nss (Arch), "
        + "and run this again"
}

/// A program that is run to its end, with the terminal of this one.
enum ProgramCall {
    /// Its exit code; nil where it is not there.
    static func run(_ words: [String]) -> Int32? {
        guard let program = words.first else { return nil }
        var texts: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for text in texts { free(text) } }
        var process: pid_t = 0
        guard posix_spawnp(&process, program, nil, nil, &texts, environ) == 0 else { return nil }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return nil }
        }
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }
}
