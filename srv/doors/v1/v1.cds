namespace restock;

/**
 * What a call with an Idempotency-Key was answered, kept for 24 hours and shared by all instances.
 * Never holds a key or secret.
 */
entity IdempotentAnswers {
  key ID          : String(64);     // SHA-256 of API key, path and Idempotency-Key, hex
      fingerprint : String(64);     // SHA-256 of query and body, hex
      startedAt   : Timestamp;
      // Of the call that runs, which renews it: a later one starts over when it has passed without an answer.
      leaseUntil  : Timestamp;
      owner       : String(36);
      answer      : LargeString;    // JSON; null while the call runs
}

/** How many calls somebody has made in a window, where several instances share the limits. */
entity RateLimits {
  key ID     : String(150);     // key, account or address, with the group of paths
      calls  : Integer;
      endsAt : Timestamp;
}

/**
 * What the cursors of lists are signed with, so that nobody makes up positions. Who reads the
 * database needs no cursor: it is not encrypted.
 */
entity CursorKeys {
  key ID     : Integer;
      secret : String(64);      // hex
}
