namespace restock;

/**
 * What a call with an Idempotency-Key was answered, kept for 24 hours and shared by all instances.
 * Never holds a key or secret.
 */
entity IdempotentAnswers {
  key ID          : String(64);     // SHA-256 of API key, path and Idempotency-Key, hex
      fingerprint : String(64);     // SHA-256 of query and body, hex
      startedAt   : Timestamp;
      // The call that runs: a later one may start over when this time has passed without an answer.
      leaseUntil  : Timestamp;
      answer      : LargeString;    // JSON; null while the call runs
}
