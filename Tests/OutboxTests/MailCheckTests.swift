import Cloud
import JSON
import Testing

@testable import Outbox

@Suite("What is checked of mails beside their content")
struct MailCheckTests {
    private static let mail = [
        ("Source", "a@app.test"), ("Destination.ToAddresses.member.1", "b@x.test"), ("Message.Subject.Data", "s"),
        ("Message.Body.Text.Data", "t"),
    ]

    @Test(
        "tags are refused in the service's words",
        arguments: [
            ("a_b-1", "x.y@z-1", nil),
            ("a:b", "x", "Invalid tag name <a:b>: only alphanumeric ASCII characters, '_',  '-' are allowed."),
            (
                "a", "x:y",
                "Invalid tag value <x:y>: only alphanumeric ASCII characters, '_',  '-' , '.', '@' are allowed."
            ),
            ("", "", "The tag name must be specified."), ("a", "", "The tag value must be specified."),
            (String(repeating: "a", count: 256), "x", "Tag name cannot exceed 255 characters."),
            ("a", String(repeating: "x", count: 256), "Tag value cannot exceed 255 characters."),
        ] as [(String, String, String?)])
    func tags(name: String, value: String, refusal: String?) async throws {
        let service = MailService(try OutboxQueueTests.outbox(sending: []))
        let tags = [("Tags.member.1.Name", name), ("Tags.member.1.Value", value)]
        let json: JSONValue = [
            "FromEmailAddress": "a@app.test", "Destination": ["ToAddresses": ["b@x.test"]],
            "EmailTags": [["Name": .string(name), "Value": .string(value)]],
            "Content": ["Simple": ["Subject": ["Data": "s"], "Body": ["Text": ["Data": "t"]]]],
        ]
        var refusals: [String?] = []
        do throws(OutboxError) {
            _ = try await service.answer("SendEmail", Self.mail + tags)
            refusals.append(nil)
        } catch { refusals.append(error.message) }
        do throws(OutboxError) {
            _ = try await service.answer(.post, "/v2/email/outbound-emails", JSONWriter.bytes(of: json))
            refusals.append(nil)
        } catch { refusals.append(error.message) }
        #expect(refusals == [refusal, refusal])
    }

    @Test("a template is filled for a test, and says what is missing")
    func rendered() async throws {
        let service = MailService(try OutboxQueueTests.outbox(sending: []))
        _ = try await service.answer(
            "CreateTemplate",
            [
                ("Template.TemplateName", "t"), ("Template.SubjectPart", "Hi {{name}}"),
                ("Template.TextPart", "Dear {{name}}"),
            ])
        let text = try await service.answer(
            "TestRenderTemplate", [("TemplateName", "t"), ("TemplateData", #"{"name": "Ann"}"#)])["RenderedTemplate"]?
            .string
        #expect(text?.contains("Subject: Hi Ann\r\n") == true && text?.contains("Dear Ann") == true)
        let path = try await service.answer(
            .post, "/v2/email/templates/t/render", Array(#"{"TemplateData": "{\"name\": \"Bob\"}"}"#.utf8))
        #expect(path["RenderedTemplate"]?.string?.contains("Dear Bob") == true)
        for (name, code) in [("t", "MissingRenderingAttribute"), ("u", "TemplateDoesNotExist")] {
            do throws(OutboxError) {
                _ = try await service.answer("TestRenderTemplate", [("TemplateName", name)])
                Issue.record("\(name) is filled")
            } catch { #expect(error.code == code) }
        }
        let demands = service.newerTable.rights(
            of: "TestRenderEmailTemplate", CallInput(JSONObject([("TemplateName", "t")])))
        #expect(demands.map(\.action) == ["ses:TestRenderEmailTemplate"])
        #expect(demands.first?.resources.map(\.name) == ["template/t"])
        _ = try await service.answer(
            "SetIdentityHeadersInNotificationsEnabled",
            [("Identity", "a@app.test"), ("NotificationType", "Bounce"), ("Enabled", "true")])
        await #expect(throws: OutboxError.self) {
            _ = try await service.answer(
                "SetIdentityHeadersInNotificationsEnabled", [("Identity", "a@app.test"), ("NotificationType", "X")])
        }
    }
}
