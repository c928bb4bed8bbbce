/** The audit trail: proposal events and administrative changes in one chain of hashes. Nobody may change it. */
@protocol: 'none'
service AuditService {
  type Entry {
    seq : Integer not null; at : Timestamp not null; actor : String not null; onBehalfOf : String; via : String;
    action : String not null; object : String not null; detail : String; quantity : Integer;
    previousHash : String; hash : String;
  }
  type Verification {
    valid   : Boolean not null;
    entries : Integer not null;          // found in order, from the first one on
    head    : Head not null;
    broken  : BrokenEntry;               // the first that has been changed
    alarm   : BrokenEntry;               // what the service's own look at the whole found last
    late    : Integer not null;          // with a time well before that of an entry sealed earlier
    next    : Place;                     // where the next call goes on; null where the head was reached
  }
  type Place { seq : Integer not null; hash : String not null; }
  type Head { seq : Integer not null; hash : String not null; sealedAt : Timestamp; }
  /** `seq` is 0 for what is no entry. */
  type BrokenEntry { seq : Integer not null; problem : String not null; object : String; }

  /** Of its sentence, `todo_<key>` in _i18n, and what stands in it. */
  type Alarm { ![key] : String not null; seq : String; object : String; place : String not null; reason : String; }

  /** Gives committed entries their place in the chain; repeated every two seconds. */
  action seal() returns Integer;

  /**
   * Seals what waits, then walks the chain: the whole of it, or `limit` entries after the place `from` that an earlier
   * call came to. `expected` is a head that was kept outside.
   */
  action verify(expected : Place, ![from] : Place, limit : Integer) returns Verification;

  /** What administrators must know of the trail now. */
  function alarms() returns array of Alarm;

  /**
   * Replaces a person's id by a pseudonym in all entries, in the caller's transaction, and keeps the chain. Answers the
   * number of entries. For the erasure of a person alone.
   */
  action redact(user : String, pseudonym : String) returns Integer;

  /** Sealed entries, oldest first. */
  function list(after : String, limit : Integer) returns { data : array of Entry; next : String; };
}
