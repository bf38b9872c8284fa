import Foundation
import JSON
import TestSupport
import Testing

/// SES and SNS over sockets, as functions and their SDKs call them.
@Suite("Mails and notices of functions")
struct OutboxServeTests {
    private static func form(
        _ body: String, service: String = "ses", to server: HomeportProcess
    ) -> SignedCall {
        var call = SignedCall("", body, to: server)
        call.service = service
        call.hasTarget = false
        call.contentType = "application/x-www-form-urlencoded; charset=utf-8"
        call.signed = ["content-type", "host", "x-amz-date"]
        return call
    }

    private static let mail =
        "Action=SendEmail&Version=2010-12-01&Source=App%20%3Ca%40app.test%3E&Destination.ToAddresses.member.1=ann%40x.test"
        + "&Destination.BccAddresses.member.1=bob%40x.test&Message.Subject.Data=Gr%C3%BC%C3%9Fe"
        + "&Message.Body.Text.Data=hello&Message.Body.Html.Data=%3Cb%3Ehello%3C%2Fb%3E"

    /// What `homeport mail` shows.
    private static func messages(in folder: TemporaryFolder, to address: String) throws -> [JSONValue] {
        try ProgramRun.outcome(["mail", "--json", "--to", address], in: folder).output.split(separator: "\n")
            .map { try JSONReader.value(of: Array($0.utf8)) }
    }

    @Test("a mail is kept for each reader, over a restart too, and shown", .onItsOwnThread)
    func mails() throws {
        let folder = TemporaryFolder()
        let server = try HomeportProcess(in: folder)
        let answer = try Self.form(Self.mail, to: server).answer(from: server)
        #expect(answer.status == 200 && answer.head.contains("content-type: text/xml"))
        #expect(
            answer.body.hasPrefix(
                "<SendEmailResponse xmlns=\"http://ses.amazonaws.com/doc/2010-12-01/\"><SendEmailResult>"))
        var newer = Self.form(
            #"{"FromEmailAddress":"a@app.test","Destination":{"ToAddresses":["ann@x.test"]},"Content":{"Simple":{"Subject":{"Data":"two"},"Body":{"Text":{"Data":"t"}}}}}"#,
            to: server)
        (newer.path, newer.contentType) = ("/v2/email/outbound-emails", "application/json")
        let second = try newer.answer(from: server)
        #expect(second.status == 200 && second.body.hasPrefix(#"{"MessageId":""#), "\(second.body)")
        server.signal(SIGKILL)
        _ = server.exitStatus()
        let again = try HomeportProcess(in: folder)
        let shown = try Self.messages(in: again.folder, to: "ann@x.test")
        #expect(shown.map { $0["subject"]?.string } == ["Grüße", "two"])
        #expect(shown.first?["from"] == "App <a@app.test>" && shown.first?["html"] == "<b>hello</b>")
        #expect(try Self.messages(in: again.folder, to: "bob@x.test").count == 1)
    }

    @Test("who is not let in, and what is wrong, is told as the services word it", .onItsOwnThread)
    func refusals() throws {
        let server = try HomeportProcess()
        let rows: [(name: String, status: Int, code: String, change: (inout SignedCall) -> Void)] = [
            ("a wrong secret", 403, "SignatureDoesNotMatch", { $0.secret = "x" }),
            ("an unknown key", 403, "InvalidClientTokenId", { $0.accessKeyID = "x" }),
            ("an unknown action", 400, "InvalidAction", { $0.body = "Action=Nothing" }),
            ("no action", 400, "InvalidAction", { $0.body = "" }),
            ("no source", 400, "ValidationError", { $0.body = "Action=SendEmail" }),
            (
                "a header in an address", 400, "InvalidParameterValue",
                { $0.body = $0.body.replacing("ann%40x.test", with: "ann%40x.test%0D%0ABcc%3A%20z%40x.test") }
            ),
        ]
        for row in rows {
            var call = Self.form(Self.mail, to: server)
            row.change(&call)
            let answer = try call.answer(from: server)
            #expect(
                answer.status == row.status && answer.body.contains("<Code>\(row.code)</Code>"),
                "\(row.name): \(answer.body)")
        }
        var unsigned = Self.form(Self.mail, to: server)
        unsigned.isSigned = false
        #expect(try unsigned.answer(from: server).status == 404)
        // Nothing of it was kept.
        #expect(try Self.messages(in: server.folder, to: "ann@x.test").isEmpty)
    }

    @Test("a text to a telephone comes to its service, and a topic's function is called")
    func notices() async throws {
        let (telephones, follower) = (CollectingService(), CollectingService(first: [.internalServerError]))
        try await telephones.run { telephoneURL in
            try await follower.run { functionURL in
                try await BlockingThread.run {
                    let folder = TemporaryFolder()
                    try folder.write(
                        #"{"functions": {"news": {"url": "\#(functionURL)"}}, "sms": {"webhook": {"url": "\#(telephoneURL)", "secret": "\#(Self.secret)"}}}"#,
                        to: "homeport.json")
                    let server = try HomeportProcess(["--config", "homeport.json"], in: folder)
                    func call(_ body: String) throws -> String {
                        let answer = try Self.form(body, service: "sns", to: server).answer(from: server)
                        #expect(answer.status == 200, "\(answer.body)")
                        return answer.body
                    }
                    _ = try call("Action=Publish&PhoneNumber=%2B15550001111&Message=hello")
                    let text = try telephones.next()
                    #expect(
                        text.fields["webhook-signature"] != nil
                            && text.body.contains(#""to":"+15550001111","text":"hello""#))
                    let made = try call("Action=CreateTopic&Name=news")
                    let arn = try String(#require(made.firstMatch(of: /<TopicArn>(.*)<\/TopicArn>/)).1)
                    _ = try call(
                        "Action=Subscribe&TopicArn=\(arn)&Protocol=lambda&Endpoint=arn:aws:lambda:us-east-1:123456789012:function:news"
                    )
                    _ = try call("Action=Publish&TopicArn=\(arn)&Message=told&Subject=S")
                    // The first try fails, and it is told again.
                    let first = try follower.next()
                    let event = try JSONReader.value(of: Array(first.body.utf8))
                    let notice = event["Records"]?.array?.first?["Sns"]
                    #expect(
                        notice?["Message"] == "told" && notice?["Subject"] == "S" && notice?["TopicArn"]?.string == arn)
                    #expect(try follower.next().body == first.body)
                }
            }
        }
    }

    private static let secret = "whsec_" + Data((0..<32).map { UInt8($0) }).base64EncodedString()
}
