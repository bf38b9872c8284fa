import Glibc
import TestSupport
import Testing

@testable import Server

@Suite("The data folder")
struct DataFolderTests {
    @Test("the usual one is kept out of version control, whoever has made it")
    func isIgnored() throws {
        let folder = TemporaryFolder()
        mkdir(folder.file(".homeport"), 0o755)
        try DataFolder.make(folder.file(".homeport"))
        #expect(folder.read(".homeport/.gitignore") == "*\n")
    }

    @Test("one that a person has named and made keeps its files in version control")
    func leavesOthers() throws {
        let folder = TemporaryFolder()
        try DataFolder.make(folder.path)
        #expect(folder.names.isEmpty)
        try DataFolder.make(folder.file("new"))
        #expect(folder.read("new/.gitignore") == "*\n" && folder.mode(of: "new") == 0o700)
    }

    @Test("a certificate as the first command makes it as a server does")
    func certificateFirst() throws {
        let folder = TemporaryFolder()
        let configuration = try ConfigurationResolver.resolve(
            environment: ["HOMEPORT_DATA": folder.file(".homeport")]
        ).configuration
        let code = CertificateCommand.run(
            configuration, names: [], CommandOutput(standard: { _ in }, diagnostics: { _ in }))
        #expect(code == .success)
        #expect(folder.read(".homeport/.gitignore") == "*\n" && folder.mode(of: ".homeport") == 0o700)
    }
}
