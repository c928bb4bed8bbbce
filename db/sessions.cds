namespace restock;

/** Sessions of browsers that signed in at an OpenID Connect provider. Their cookies hold random values. */
entity Sessions {
  key ID        : String(64);            // SHA-256 of the cookie's value, hex
      user      : String(255);
      sealed    : LargeString;           // roles, rows and ID token of the sign-in, encrypted
      createdAt : Timestamp;
      seenAt    : Timestamp;             // to the minute
      expiresAt : Timestamp;
}
