import Glibc
import Network
import TestSupport
import Testing

@testable import Server

@Suite("homeport certificate --trust")
struct TrustTests {
    /// A machine in a folder: a home folder, a store of the system, and programs that note how they were run.
    private final class Machine {
        let folder = TemporaryFolder()
        var calls: [String] = []
        var missing: Set<String> = []

        func stores(isRoot: Bool = true, hasTerminal: Bool = false) -> TrustStores {
            TrustStores(root: folder.path, home: folder.file("home"), isRoot: isRoot, hasTerminal: hasTerminal) {
                [self] words in
                calls.append(words.joined(separator: " "))
                return missing.contains(words.first { $0 != "sudo" } ?? "") ? nil : 0
            }
        }

        func trust(_ stores: TrustStores) -> (code: ExitCode, output: String) {
            var text = ""
            let code = CertificateCommand.trust(
                ["HOME": folder.file("home")], names: [], stores,
                CommandOutput(standard: { text += $0 }, diagnostics: { text += $0 }))
            return (code, text)
        }
    }

    @Test("makes one authority for the user, and puts it into the stores of the system and of browsers")
    func trusts() throws {
        let machine = Machine()
        for file in [
            "usr/local/share/ca-certificates/unused", "home/.mozilla/firefox/abc.default/cert9.db",
            "home/.mozilla/firefox/empty/unused",
        ] { try machine.folder.write("", to: file) }
        let outcome = machine.trust(machine.stores())
        #expect(outcome.code == .success, "\(outcome.output)")
        let own = "home/.config/homeport/certificates"
        #expect(machine.folder.read("\(own)/certificate.pem").contains("BEGIN CERTIFICATE"))
        #expect(machine.folder.mode(of: own) == 0o700 && machine.folder.mode(of: "\(own)/authority-key.pem") == 0o600)
        let authority = machine.folder.file("\(own)/authority.pem")
        let crt = machine.folder.file("usr/local/share/ca-certificates/homeport.crt")
        let (chromium, firefox) = (
            "sql:\(machine.folder.file("home/.pki/nssdb"))",
            "sql:\(machine.folder.file("home/.mozilla/firefox/abc.default"))"
        )
        #expect(
            machine.calls == [
                "cp \(authority) \(crt)", "chmod 0644 \(crt)", "update-ca-certificates",
                "mkdir -p \(machine.folder.file("home/.pki/nssdb"))", "certutil -N -d \(chromium) --empty-password",
                "certutil -A -d \(chromium) -t C,, -n Homeport -i \(authority)",
                "certutil -D -d \(firefox) -n Homeport",
                "certutil -A -d \(firefox) -t C,, -n Homeport -i \(authority)",
            ])
        // The authority stays at the next call: what trusts it need not be told again.
        let before = machine.folder.read("\(own)/authority.pem")
        #expect(
            machine.trust(machine.stores()).code == .success && machine.folder.read("\(own)/authority.pem") == before)
    }

    @Test("says what it could not do and how it is done, and fails where nothing trusts the authority")
    func tells() throws {
        let machine = Machine()
        try machine.folder.write("", to: "usr/local/share/ca-certificates/unused")
        machine.missing = ["certutil"]
        let outcome = machine.trust(machine.stores(isRoot: false))
        #expect(outcome.code == .failure)
        #expect(outcome.output.contains("needs an administrator: sudo cp "))
        #expect(outcome.output.contains("libnss3-tools"))
        machine.missing = []
        machine.calls = []
        #expect(machine.trust(machine.stores(isRoot: false, hasTerminal: true)).code == .success)
        #expect(machine.calls.first?.hasPrefix("sudo cp ") == true)
    }

    @Test("a server shows that certificate where neither its configuration nor its project has one")
    func isShown() throws {
        let machine = Machine()
        _ = machine.trust(machine.stores())
        let lines = LogQueue(.text)
        defer { lines.stop() }
        let log = Log(LogSettings(), to: lines)
        let configuration = try ConfigurationResolver.resolve(
            environment: ["HOMEPORT_DATA": machine.folder.file("data")]
        ).configuration
        #expect(try ServerCertificate.context(for: configuration, [:], log) == nil)
        let environment = ["HOME": machine.folder.file("home")]
        let context = try #require(try ServerCertificate.context(for: configuration, environment, log))
        #expect(context.certificatePath.contains("/homeport/certificates/"))
        // Addresses stay as they are: code beside the browser need not trust anything.
        #expect(try !ClientAddress(configuration).isSecure)
        try machine.folder.write("nothing", to: "home/.config/homeport/certificates/certificate.pem")
        #expect(try ServerCertificate.context(for: configuration, environment, log) == nil)
    }
}
