namespace restock;

/** An API key. Only a hash of its secret is stored. */
entity ApiKeys {
  key ID            : String(20);        // the public part of rsk_<ID>_<secret>
      name          : String(100);
      secretHash    : String(64);        // SHA-256, hex
      scopes        : String(500);       // joined by a comma
      actsAs        : String(255);
      maxOrderValue : Decimal(19, 2);
      createdAt     : Timestamp;
      createdBy     : String(255);
      expiresAt     : Timestamp;
      revokedAt     : Timestamp;
      rotatedTo     : String(20);
}

/** Administrative acts: who issued or revoked a key, connected or removed a source. Append only. */
entity AuditLog {
  key ID     : UUID;
      at     : Timestamp;
      actor  : String(255);
      action : String(50);
      object : String(255);
      detail : String(1000);
}
