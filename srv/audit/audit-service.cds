/** The audit trail: proposal events and administrative changes in one chain of hashes. Nobody may change it. */
@protocol: 'none'
service AuditService {
  type Entry { seq : Integer; }
  type Verification { valid : Boolean; }

  /** Gives committed entries their place in the chain; repeated every two seconds. */
  action seal() returns Integer;

  /** Seals what waits, then walks the whole chain; `expected` is a head that was kept outside. */
  action verify(expected : { seq : Integer; hash : String; }) returns Verification;

  /** Sealed entries, oldest first. */
  function list(after : String, limit : Integer) returns { data : array of Entry; next : String; };
}
