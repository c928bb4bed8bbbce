namespace restock;

/**
 * An entry of the audit trail, which proposal events and administrative changes form together. Sealed
 * shortly after it was written: from then on it has its place, and its hash depends on all before it.
 */
aspect Chained {
  seq          : Integer;
  previousHash : String(64);             // SHA-256, hex
  hash         : String(64);
}

/** Where the chain ends: one row, apart from the entries, so that a missing end shows. */
entity AuditHead {
  key ID       : Integer;
      seq      : Integer;
      hash     : String(64);
      sealedAt : Timestamp;
      seal     : String(64);             // HMAC-SHA-256 of seq:hash, hex
      sealKey  : String(200);            // its key, encrypted by the key ring
}
