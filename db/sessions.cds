namespace restock;

/** Sessions of browsers that signed in at an OpenID Connect provider. Their cookies hold random values. */
entity Sessions {
  key ID              : String(64);      // SHA-256 of the cookie's value, hex
      user            : String(255);
      sealed          : LargeString;     // roles, rows and tokens, encrypted
      createdAt       : Timestamp;
      seenAt          : Timestamp;       // to the minute
      expiresAt       : Timestamp;
      readAt          : Timestamp;       // when the provider last said who this is; null: at the sign-in
      askedUntil      : Timestamp;       // until then one call alone asks it again
      subject         : String(64);      // how the provider names the person, SHA-256, hex
      providerSession : String(64);      // the same of its own session
}
