extension OutgoingMessage {
    /// Tells somebody who was invited by which name and temporary password they sign in.
    init(
        invitation password: String, of name: String, to user: User, _ delivery: CodeDelivery,
        lifeMilliseconds life: Int64
    ) {
        self.user = user.name
        kind = "invitation"
        self.delivery = delivery
        subject = "Your temporary password"
        body = "Your username is \(name) and temporary password is \(password)"
        code = password
        lifeMilliseconds = life
    }
}
