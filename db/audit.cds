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

/**
 * An entry in which an erased person's id was replaced. Its hash, and so the chain, is that of what was sealed; what it
 * says now is covered by an HMAC of its own.
 */
entity AuditRedactions {
  key ID    : UUID;
      entry : UUID;                      // AuditLog.ID or ProposalEvents.ID
      seq   : Integer;
      mac   : String(64);                // HMAC-SHA-256 of the entry's hash and its content as it is now, hex
      at    : Timestamp;
}

annotate AuditRedactions with @assert.unique: { ofEntry: [seq, ID] };
