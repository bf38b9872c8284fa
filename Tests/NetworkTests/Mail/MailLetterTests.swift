import TestSupport
import Testing

@testable import Network

@Suite("Mails to several people")
struct MailLetterTests {
    @Test("name all who may be named, each in a line, and nobody else")
    func bytes() throws {
        var letter = MailLetter(from: try MailParty("App <a@app.test>"), subject: "Grüße")
        letter.to = [try MailParty("b@x.test"), try MailParty("\"C, D\" <c@x.test>")]
        letter.copies = [try MailParty("Ä <d@x.test>")]
        letter.answersTo = [try MailParty("r@x.test")]
        letter.html = "<b>ü</b>"
        let text = String(decoding: letter.bytes(identifier: "1", seconds: 0), as: UTF8.self)
        #expect(
            text
                == """
                Date: Thu, 01 Jan 1970 00:00:00 +0000
                From: "App"
                 <a@app.test>
                Reply-To: r@x.test
                To: b@x.test,
                 "C, D"
                 <c@x.test>
                Cc: =?UTF-8?B?w4Q=?=
                 <d@x.test>
                Message-ID: <1@app.test>
                Subject: =?UTF-8?B?R3LDvMOfZQ==?=
                MIME-Version: 1.0
                Content-Type: text/html; charset=utf-8
                Content-Transfer-Encoding: quoted-printable

                <b>=C3=BC</b>

                """.replacing("\n", with: "\r\n"))
        letter.text = "ü"
        let both = String(decoding: letter.bytes(identifier: "1", seconds: 0), as: UTF8.self)
        #expect(both.contains("multipart/alternative") && both.contains("=C3=BC\r\n--=_part_=_\r\n"))
    }

    @Test("go to a server as they are, from whom they say")
    func carries() async throws {
        let server = SMTPTestServer()
        let loop = try EventLoop(index: 0)
        try loop.start()
        let client = SMTPClient(on: loop, server: try MailURL("smtp://127.0.0.1:\(server.port)"))
        let carrier = SMTPCarrier(from: try MailParty("usual@app.test"), by: client, mailsPerConnection: 10)
        let whole = WholeMail(from: try MailAddress("a@app.test"), Array("Subject: x\r\n\r\nbody\r\n".utf8))
        let mails = [
            QueuedMail(id: 1, to: "b@x.test", subject: "", text: "", tries: 0, created: 0, whole: whole),
            QueuedMail(id: 2, to: "c@x.test", subject: "s", text: "t", tries: 0, created: 0),
        ]
        try await Task(executorPreference: loop) {
            for mail in mails { try await carrier.carry(mail) }
            await carrier.rest()
        }.value
        #expect(server.mails.map(\.from) == ["a@app.test", "usual@app.test"])
        #expect(server.mails.map(\.to) == ["b@x.test", "c@x.test"])
        #expect(server.mails.first?.text.split(whereSeparator: \.isNewline) == ["Subject: x", "body"])
        loop.stop()
        loop.join()
    }
}
