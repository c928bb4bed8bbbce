/** Personal data of those who use the service: what is stored of somebody, and its erasure. For administrators. */
@protocol: 'none'
@requires: 'Admin'
service PrivacyService {
  type Erasure {
    pseudonym : String not null;         // stands in the place of the id from now on
    rows      : Integer not null;        // deleted or changed
    entries   : Integer not null;        // of the audit trail, in which the id was replaced
  }

  /** All that is stored of a person, as JSON: rows by table. */
  action report(user : String) returns LargeString;
  /** Takes the person's keys and delegations away, deletes what is about the person, and replaces the id elsewhere. */
  action erase(user : String) returns Erasure;
}
