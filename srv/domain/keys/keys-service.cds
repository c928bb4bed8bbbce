/** Keys of /v1. Refusals are thrown as `Refusal` (srv/base/errors.ts). */
@protocol: 'none'
service KeysService {
  /** A row of restock.ApiKeys; with its `key` where it has just been issued: it is shown this once. */
  type ApiKey { ID : String(20); ![key] : String; expiresAt : Timestamp; oldKeyExpiresAt : Timestamp; }

  function list(after : String, limit : Integer) returns { data : array of ApiKey; next : String; };
  function find(ID : String) returns ApiKey;
  /** For `expiresInDays`, until `expiresAt`, or else for 180 days. */
  action issue(name : String, scopes : array of String, actsAs : String, maxOrderValue : String, currency : String, expiresInDays : Integer, expiresAt : Timestamp) returns ApiKey;
  action rotate(ID : String) returns ApiKey;
  action revoke(ID : String);

  // By the person whom the key acts as.
  action confirm(ID : String);
  action revokeOwn(ID : String);

  /** Of people who have left: what they have confirmed decides no more. */
  action lapse();
  action revokeKeysOf(user : String);
}
