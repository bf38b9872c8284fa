import Foundation
import JSON
import TestSupport
import Testing

@testable import homeport

/// The module by which servers of an app ask Homeport for the keys of Cognito's tokens.
@Suite("The module for Node")
struct NodeModuleTests {
    private static let node = ["/usr/bin/node", "/bin/node"].first { FileManager.default.isExecutableFile(atPath: $0) }

    private static let auth = """
        import { defineAuth } from '@aws-amplify/backend';
        export const auth = defineAuth({ loginWith: { email: true } });
        """

    @Test("leads requests for Cognito's issuer to the server, whose tokens carry it", .enabled(if: node != nil))
    func leads() async throws {
        let folder = TemporaryFolder()
        try folder.write(Self.auth, to: "amplify/auth/resource.ts")
        try folder.write(#"{"dependencies": {"aws-amplify": "^6.15.0"}}"#, to: "package.json")
        let server = try HomeportProcess(
            environment: ["HOMEPORT_AUTH_POOL_ISSUER": "cognito"], schema: nil, in: folder)
        defer { server.signal(SIGKILL) }
        let file = try JSONReader.value(of: folder.read("amplify_outputs.json"))
        let pool = try #require(file["auth"]?["user_pool_id"]?.string)
        let issuer = "https://cognito-idp.us-east-1.amazonaws.com/\(pool)"
        try folder.write(
            """
            import { get } from 'node:https';
            const url = '\(issuer)/.well-known/jwks.json';
            const keys = (await (await fetch(url)).json()).keys.length;
            const again = await new Promise((done, failed) => get(url, { timeout: 5000 }, (answer) => {
              let text = '';
              answer.on('data', (piece) => { text += piece; }).on('end', () => done(JSON.parse(text).keys.length));
            }).on('error', failed));
            const there = await (await fetch('\(issuer)/.well-known/openid-configuration')).json();
            console.log(keys > 0, keys === again, there.issuer);
            """, to: "ask.mjs")
        let (output, errors) = (folder.file("out.txt"), folder.file("err.txt"))
        let process = try ChildProcess(
            [Self.node ?? "", "--import", folder.file(".homeport/node.mjs"), "ask.mjs"],
            environment: ["PATH": "/usr/bin:/bin"], in: folder.path, output: .file(output), errors: .file(errors))
        #expect(process.wait() == .code(0), "\(folder.read("err.txt"))")
        #expect(folder.read("out.txt") == "true true \(issuer)\n")
    }
}
