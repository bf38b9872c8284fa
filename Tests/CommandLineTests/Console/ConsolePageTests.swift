import Foundation
import JSON
import TestSupport
import Testing

@Suite("The console's page")
struct ConsolePageTests {
    @Test("is at the root, with a policy that lets no text become a script")
    func page() throws {
        let client = try ConsoleClient.server()
        let page = try client.request("GET", "/")
        #expect(page.status == 200 && page.field("content-type") == "text/html; charset=utf-8")
        let policy = page.field("content-security-policy") ?? ""
        for part in [
            "default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'", "frame-ancestors 'none'",
        ] {
            #expect(policy.contains(part), "\(policy)")
        }
        #expect(!policy.contains("unsafe"))
        #expect(page.field("x-frame-options") == "DENY" && page.field("x-content-type-options") == "nosniff")
        #expect(page.field("cache-control") == "no-store")
        #expect(!page.body.contains("@BASE@"))
    }

    @Test("has its files below a folder with their hash, for ever and compressed")
    func files() throws {
        let client = try ConsoleClient.server()
        let page = try client.request("GET", "/").body
        let path = try #require(page.firstMatch(of: /\/_homeport\/page\/[0-9a-f]+\/[a-z.\/]+\.js/)).0
        let file = try client.request("GET", String(path))
        #expect(file.status == 200 && file.field("content-type") == "text/javascript; charset=utf-8")
        #expect(file.field("cache-control")?.contains("immutable") ?? false)
        #expect(file.field("content-security-policy") != nil)
        // Whoever has it already gets nothing again.
        let tag = try #require(file.field("etag"))
        #expect(try client.request("GET", String(path), fields: ["If-None-Match: \(tag)"]).status == 304)
        for other in [
            "/_homeport/page/0000000000000000/main.js", String(path) + "x", "/_homeport/page/../../etc/passwd",
            "/_homeport/page/x/..%2f..%2fetc%2fpasswd",
        ] {
            #expect(try client.request("GET", other).status == 404, "\(other)")
        }
    }

    @Test("is sent compressed to those who take that, and as it lies in the folder to others")
    func compression() throws {
        let client = try ConsoleClient.server()
        let page = try client.request("GET", "/").body
        let base = try #require(page.firstMatch(of: /\/_homeport\/page\/[0-9a-f]+/)).0
        let plain = try client.request("GET", "\(base)/main.js")
        let source = try String(contentsOfFile: repositoryFile("Sources/Console/Page/main.js"), encoding: .utf8)
        #expect(plain.body == source && plain.field("content-encoding") == nil)
        let sent = try client.request("GET", "\(base)/main.js", fields: ["Accept-Encoding: gzip, br"])
        #expect(sent.field("content-encoding") == "gzip" && sent.field("vary") == "accept-encoding")
        let (count, whole) = (Int(sent.field("content-length") ?? "") ?? 0, source.utf8.count)
        #expect(count > 0 && count < whole / 2, "\(count) of \(whole)")
        let index = try client.request("GET", "/", fields: ["Accept-Encoding: gzip"])
        #expect(index.field("content-encoding") == "gzip")
    }

    @Test(
        "is served from a folder where somebody works on it, without a word about that",
        .disabled(if: HomeportProcess.isGiven, "a released program has no such folder"))
    func folder() throws {
        let folder = TemporaryFolder()
        try folder.write("<p>@BASE@</p>", to: "page/index.html")
        let client = try ConsoleClient.server(
            environment: ["HOMEPORT_CONSOLE_PAGE": folder.file("page")], in: folder)
        #expect(try client.request("GET", "/").body == "<p>/_homeport/page/dev</p>")
        try folder.write("one", to: "page/a.txt")
        #expect(try client.request("GET", "/_homeport/page/dev/a.txt").body == "one")
        #expect(!client.server.log.contains("HOMEPORT_CONSOLE_PAGE"), "\(client.server.log)")
    }

    @Test("is not there where the configuration says so, and neither is what it asks")
    func switchedOff() throws {
        let server = try HomeportProcess(["--console=false"])
        let client = ConsoleClient(server)
        #expect(try client.request("GET", "/").status == 404)
        #expect(try client.get("session").status == 404)
        #expect(try client.get("info").status == 404)
    }

    @Test("leaves the root to S3 and to Cognito, by what their clients send")
    func others() throws {
        let client = try ConsoleClient.server()
        let listing = try client.request("GET", "/", fields: ["Authorization: AWS4-HMAC-SHA256 Credential=x"])
        #expect(listing.status != 200 && !listing.body.contains("<script"))
        let target = try client.request(
            "POST", "/", "{}", fields: ["X-Amz-Target: AWSCognitoIdentityProviderService.InitiateAuth"])
        #expect(target.body.contains("__type"))
    }
}
