/// As whom to sign in to a mail server. The password is in no text that is made of it.
package struct MailCredentials: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    package let user: String
    package let password: String

    package init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    package var description: String { user }
    package var debugDescription: String { user }
    package var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
