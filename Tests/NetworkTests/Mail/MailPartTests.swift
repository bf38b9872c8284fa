import Testing

@testable import Network

@Suite("What is attached to mails")
struct MailPartTests {
    private static func mail(_ parts: [MailPart], text: String? = "t", html: String? = nil) throws -> String {
        var letter = MailLetter(from: try MailParty("a@app.test"), subject: "s")
        (letter.text, letter.html, letter.parts) = (text, html, parts)
        letter.fields = [try MailField("X-Kind", "k")]
        let text = String(decoding: letter.bytes(identifier: "1", seconds: 0), as: UTF8.self)
        let start = try #require(text.firstRange(of: "X-Kind"))
        return String(text[start.lowerBound...]).replacing("\r\n", with: "\n")
    }

    @Test("stands behind the text, and what a page shows beside the page")
    func whole() throws {
        var logo = MailPart("logo.png", type: "image/png", [0xFF, 0, 1])
        (logo.isInline, logo.identifier) = (true, "logo")
        var note = MailPart("größe \"1\".txt", type: "text/plain; charset=utf-8", Array("ü=\r\n--x".utf8))
        (note.encoding, note.note) = (.quotedPrintable, "Größe")
        #expect(
            try Self.mail([note, logo], html: "<b>t</b>") == """
                X-Kind: k
                MIME-Version: 1.0
                Content-Type: multipart/mixed; boundary="=_whole_=_"

                --=_whole_=_
                Content-Type: multipart/related; type="multipart/alternative"; boundary="=_page_=_"

                --=_page_=_
                Content-Type: multipart/alternative; boundary="=_part_=_"

                --=_part_=_
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: quoted-printable

                t
                --=_part_=_
                Content-Type: text/html; charset=utf-8
                Content-Transfer-Encoding: quoted-printable

                <b>t</b>
                --=_part_=_--
                --=_page_=_
                Content-Type: image/png
                Content-Disposition: inline; filename="logo.png"
                Content-ID: <logo>
                Content-Transfer-Encoding: base64

                /wAB
                --=_page_=_--
                --=_whole_=_
                Content-Type: text/plain; charset=utf-8
                Content-Disposition: attachment; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%221%22.txt
                Content-Description: =?UTF-8?B?R3LDtsOfZQ==?=
                Content-Transfer-Encoding: quoted-printable

                =C3=BC=3D=0D=0A--x
                --=_whole_=_--

                """)
    }

    @Test("is one mail whatever of it there is")
    func some() throws {
        var logo = MailPart("l", type: "image/png", [1])
        logo.isInline = true
        // Without a page nothing shows it.
        let bare = try Self.mail([logo])
        #expect(bare.contains("multipart/mixed") && !bare.contains("multipart/related"))
        let page = try Self.mail([logo], text: nil, html: "<b>t</b>")
        #expect(page.contains("multipart/related; type=\"text/html\"") && !page.contains("multipart/mixed"))
        #expect(!(try Self.mail([])).contains("multipart"))
    }

    @Test("has lines of a mail's length, and all of its bytes")
    func long() throws {
        var part = MailPart("l", type: "a/b", [UInt8](repeating: 0x41, count: 500))
        for encoding in [MailPart.Encoding.base64, .quotedPrintable] {
            part.encoding = encoding
            var bytes: [UInt8] = []
            part.append(to: &bytes)
            let lines = String(decoding: bytes, as: UTF8.self).split(
                separator: "\r\n", omittingEmptySubsequences: false)
            #expect(lines.allSatisfy { $0.utf8.count <= 76 })
            let sent = lines.dropFirst(4).joined().filter { $0 != "=" || encoding == .base64 }
            #expect(sent.utf8.count >= part.sentBytes && sent.utf8.count < part.sentBytes + 4)
        }
    }
}
