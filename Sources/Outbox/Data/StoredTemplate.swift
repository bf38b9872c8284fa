import JSON
import Store

/// A template of mails, as it was given.
struct StoredTemplate: Sendable {
    let name: String
    let subject: String
    let text: String?
    let html: String?
    var created: Int64 = 0

    fileprivate static let selection = RoomStatement(
        "SELECT name, subject, text, html, created FROM _homeport_mail_templates WHERE name = ?")
    fileprivate static let list = RoomStatement(
        "SELECT name, subject, text, html, created FROM _homeport_mail_templates WHERE name > ? ORDER BY name LIMIT ?")
    fileprivate static let count = RoomStatement("SELECT count(*) FROM _homeport_mail_templates")
    fileprivate static let insertion = RoomStatement(
        "INSERT INTO _homeport_mail_templates (name, subject, text, html, created) VALUES (?, ?, ?, ?, ?)")
    fileprivate static let update = RoomStatement(
        "UPDATE _homeport_mail_templates SET subject = ?, text = ?, html = ? WHERE name = ?")
    fileprivate static let deletion = RoomStatement("DELETE FROM _homeport_mail_templates WHERE name = ?")

    init(name: String, subject: String, text: String?, html: String?) {
        (self.name, self.subject, self.text, self.html) = (name, subject, text, html)
    }

    fileprivate init(_ row: borrowing Row) {
        self.init(
            name: row.text(0), subject: row.text(1), text: row.isNull(2) ? nil : row.text(2),
            html: row.isNull(3) ? nil : row.text(3))
        created = row.integer(4)
    }

    /// Returns whether all of it can be read.
    func check() throws(OutboxError) {
        guard (1...OutboxLimits.nameBytesMax).contains(name.utf8.count) else {
            throw OutboxError("InvalidTemplate", "The name of a template has 1 to \(OutboxLimits.nameBytesMax) bytes.")
        }
        _ = try ReadTemplate(self)
    }
}

/// A template that was read, for one mail or for many.
struct ReadTemplate: Sendable {
    private let stored: StoredTemplate
    private let subject: MailTemplate
    private let text: MailTemplate?
    private let html: MailTemplate?

    init(_ stored: StoredTemplate) throws(OutboxError) {
        self.stored = stored
        subject = try MailTemplate(stored.subject)
        text = try stored.text.map { text throws(OutboxError) in try MailTemplate(text) }
        html = try stored.html.map { text throws(OutboxError) in try MailTemplate(text) }
    }

    /// Fills a mail with what it becomes. Answers why it cannot, and then the mail has the template as it is.
    func fill(_ wish: inout MailWish, with data: JSONValue) throws(OutboxError) -> String? {
        let parts: (subject: String, text: String?, html: String?)
        var problem: String?
        do throws(MailTemplate.Fault) {
            parts = (
                try subject.rendered(with: data),
                try text.map { text throws(MailTemplate.Fault) in try text.rendered(with: data) },
                try html.map { text throws(MailTemplate.Fault) in try text.rendered(with: data) }
            )
        } catch {
            parts = (stored.subject, stored.text, stored.html)
            problem = error.description
        }
        try wish.fill(subject: parts.subject, text: parts.text, html: parts.html)
        return problem
    }
}

extension Outbox {
    func template(_ name: String) async throws(OutboxError) -> StoredTemplate? {
        try await read(
            { reader throws(StoreError) in
                var template: StoredTemplate?
                try reader.rows(StoredTemplate.selection, [.text(name)]) { row throws(StoreError) in
                    template = StoredTemplate(row)
                    return false
                }
                return template
            }, ifNone: nil)
    }

    /// Those behind a name, in their order.
    func templates(behind name: String, max: Int) async throws(OutboxError) -> [StoredTemplate] {
        try await read(
            { reader throws(StoreError) in
                var templates: [StoredTemplate] = []
                try reader.rows(StoredTemplate.list, [.text(name), .integer(Int64(max))]) { row throws(StoreError) in
                    templates.append(StoredTemplate(row))
                    return true
                }
                return templates
            }, ifNone: [])
    }

    /// False where there is one of that name.
    func add(_ template: StoredTemplate) async throws(OutboxError) -> Bool {
        let now = now
        return try await write { session in
            var (isThere, count) = (false, Int64(0))
            try session.rows(StoredTemplate.selection, [.text(template.name)]) { _ throws(StoreError) in
                isThere = true
                return false
            }
            try session.rows(StoredTemplate.count, []) { row throws(StoreError) in
                count = row.integer(0)
                return false
            }
            guard !isThere else { return false }
            guard count < OutboxLimits.templatesMax else {
                throw OutboxError("LimitExceeded", "There are \(OutboxLimits.templatesMax) templates at most.")
            }
            try session.change(
                StoredTemplate.insertion,
                [
                    .text(template.name), .text(template.subject), template.text.map(StoredValue.text) ?? .null,
                    template.html.map(StoredValue.text) ?? .null, .integer(now),
                ])
            return true
        }
    }

    /// False where there is none of that name.
    func change(_ template: StoredTemplate) async throws(OutboxError) -> Bool {
        try await write { session in
            try session.change(
                StoredTemplate.update,
                [
                    .text(template.subject), template.text.map(StoredValue.text) ?? .null,
                    template.html.map(StoredValue.text) ?? .null, .text(template.name),
                ]) > 0
        }
    }

    func removeTemplate(_ name: String) async throws(OutboxError) -> Bool {
        try await write { try $0.change(StoredTemplate.deletion, [.text(name)]) > 0 }
    }
}
