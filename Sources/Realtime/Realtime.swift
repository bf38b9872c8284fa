// Realtime: subscriptions. This is the room's front page.
//
//     committed mutation ─▶ registry ─▶ matching subscribers ─▶ frames ─▶ connections
