package protocol

// Version is the protocol version that every message carries in its "v" member.
const Version = 2
