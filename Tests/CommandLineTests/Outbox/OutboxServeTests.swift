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

    @Test("a mail is kept for each reader, over a restart too, and shown")
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

    @Test("who is not let in, and what is wrong, is told as the services word it")
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

    @Test("functions get the messages that their filters let through: the project's, and those of a call")
    func filters() async throws {
        let (byAttribute, byText) = (CollectingService(), CollectingService())
        try await byAttribute.run { attributeURL in
            try await byText.run { textURL in
                try await BlockingThread.run {
                    let folder = TemporaryFolder()
                    try Self.writeProject(in: folder)
                    try folder.write(
                        #"{"functions": {"kinds": {"url": "\#(attributeURL)"}, "texts": {"url": "\#(textURL)"}}}"#,
                        to: "homeport.json")
                    let server = try HomeportProcess(["--config", "homeport.json"], in: folder)
                    let arn = "arn:aws:sns:us-east-1:123456789012:News"
                    func call(_ body: String, status: Int = 200) throws -> String {
                        let answer = try Self.form(body, service: "sns", to: server).answer(from: server)
                        #expect(answer.status == status, "\(answer.body)")
                        return answer.body
                    }
                    func message(_ service: CollectingService) throws -> String? {
                        let event = try JSONReader.value(of: Array(service.next().body.utf8))
                        return event["Records"]?.array?.first?["Sns"]?["Message"]?.string
                    }
                    let subscribe = "Action=Subscribe&TopicArn=\(arn)&Protocol=lambda&Endpoint=texts"
                    let wrong = try call(
                        subscribe + "&Attributes.entry.1.key=FilterPolicy&Attributes.entry.1.value=%5B%5D", status: 400)
                    #expect(
                        wrong.contains("<Code>InvalidParameter</Code>") && wrong.contains("FilterPolicy: "), "\(wrong)")
                    _ = try call(
                        subscribe
                            + "&Attributes.entry.1.key=FilterPolicy&Attributes.entry.1.value=%7B%22kind%22%3A%5B%22only%22%5D%7D"
                            + "&Attributes.entry.2.key=FilterPolicyScope&Attributes.entry.2.value=MessageBody")
                    let kind = ".MessageAttributes.entry.1"
                    let batch = "Action=PublishBatch&TopicArn=\(arn)&PublishBatchRequestEntries.member."
                    let entries =
                        "\(batch)1.Id=one&PublishBatchRequestEntries.member.1.Message=plain"
                        + "&PublishBatchRequestEntries.member.2.Id=two&PublishBatchRequestEntries.member.2.Message=of+a+kind"
                        + "&PublishBatchRequestEntries.member.2\(kind).Name=kind"
                        + "&PublishBatchRequestEntries.member.2\(kind).Value.DataType=String"
                        + "&PublishBatchRequestEntries.member.2\(kind).Value.StringValue=a"
                        + "&PublishBatchRequestEntries.member.3.Id=three"
                        + "&PublishBatchRequestEntries.member.3.Message=%7B%22kind%22%3A%22only%22%7D"
                    let refused = try call(
                        entries
                            + "&PublishBatchRequestEntries.member.4.Id=four&PublishBatchRequestEntries.member.4.Message=",
                        status: 400)
                    #expect(refused.contains("<Code>InvalidParameter</Code>"), "\(refused)")
                    let told = try call(entries)
                    #expect(told.contains("<Successful><member><Id>one</Id><MessageId>"), "\(told)")
                    // Had another come before these, it would be the one that is read.
                    #expect(try message(byAttribute) == "of a kind")
                    #expect(try message(byText) == #"{"kind":"only"}"#)
                    // A rule of events passes them on to the topic.
                    for (operation, body) in [
                        ("PutRule", #"{"Name": "news", "EventPattern": "{\"source\": [\"shop\"]}"}"#),
                        (
                            "PutTargets",
                            #"{"Rule": "news", "Targets": [{"Id": "t", "Arn": "\#(arn)", "InputPath": "$.detail"}]}"#
                        ),
                        (
                            "PutEvents",
                            #"{"Entries": [{"Source": "shop", "DetailType": "d", "Detail": "{\"kind\":\"only\"}"}]}"#
                        ),
                    ] {
                        let answer = try EventServeTests.call(operation, body, to: server)
                        #expect(answer.status == 200, "\(answer)")
                    }
                    #expect(try message(byText) == #"{"kind":"only"}"#)
                    let topic = try call("Action=GetTopicAttributes&TopicArn=\(arn)")
                    #expect(
                        topic.contains("<entry><key>SubscriptionsConfirmed</key><value>2</value></entry>"), "\(topic)")
                    #expect(try call("Action=Nothing", status: 400).contains("The action Nothing is not one"))
                }
            }
        }
    }

    private static func writeProject(in folder: TemporaryFolder) throws {
        try folder.write(
            """
            import { a, defineData } from '@aws-amplify/backend';
            const schema = a.schema({ Todo: a.model({ content: a.string() }).authorization((allow) => [allow.publicApiKey()]) });
            export const data = defineData({
              schema, authorizationModes: { defaultAuthorizationMode: 'apiKey', apiKeyAuthorizationMode: {} } });
            """, to: "amplify/data/resource.ts")
        try folder.write(
            """
            import { defineBackend, defineFunction } from '@aws-amplify/backend';
            import { SubscriptionFilter, Topic } from 'aws-cdk-lib/aws-sns';
            import { LambdaSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
            import { data } from './data/resource';
            const backend = defineBackend({ data, kinds: defineFunction({ name: 'kinds' }) });
            new Topic(backend.createStack('told'), 'News').addSubscription(
              new LambdaSubscription(backend.kinds.resources.lambda, {
                filterPolicy: { kind: SubscriptionFilter.stringFilter({ allowlist: ['a'] }) } }));
            """, to: "amplify/backend.ts")
    }

    @Test("headers and attachments are taken with a mail, or refused")
    func attachments() throws {
        let server = try HomeportProcess()
        func send(_ more: String) throws -> (status: Int, body: String) {
            var call = Self.form(
                #"{"FromEmailAddress":"a@app.test","Destination":{"ToAddresses":["ann@x.test"]},"Content":{"Simple":{"Subject":{"Data":"s"},"Body":{"Text":{"Data":"t"}}\#(more)}}}"#,
                to: server)
            (call.path, call.contentType) = ("/v2/email/outbound-emails", "application/json")
            let answer = try call.answer(from: server)
            return (answer.status, answer.body)
        }
        let taken = try send(
            #","Headers":[{"Name":"X-Kind","Value":"v"}],"Attachments":[{"FileName":"a.txt","RawContent":"aGk="}]"#)
        #expect(taken.status == 200, "\(taken)")
        let refused = try send(#","Headers":[{"Name":"Bcc","Value":"b@x.test"}]"#)
        #expect(refused.status == 400 && refused.body.contains("Invalid header 'Bcc'"), "\(refused)")
        #expect(try send(#","Attachments":[{"FileName":"a\r\nb","RawContent":"aGk="}]"#).status == 400)
        #expect(try Self.messages(in: server.folder, to: "ann@x.test").count == 1)
    }

    private static let secret = "whsec_" + Data((0..<32).map { UInt8($0) }).base64EncodedString()
}
