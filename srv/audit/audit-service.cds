/** The audit trail: proposal events and administrative changes in one chain of hashes. Nobody may change it. */
@protocol: 'none'
service AuditService {
  type Entry { seq : Integer; }
  type Verification { valid : Boolean; }

  /** Appends committed entries to the chain; repeated every two seconds. */
  action seal() returns Integer;

  /** Seals waiting entries, then verifies the whole chain; `expected` is a head that was stored outside. */
  action verify(expected : { seq : Integer; hash : String; }) returns Verification;

  /** Sealed entries, oldest first. */
  function list(after : String, limit : Integer) returns { data : array of Entry; next : String; };
}
