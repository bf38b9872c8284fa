/// Placeholder until the room has content.
