/** Keys of /v1, for whoever manages them elsewhere. Refusals are thrown as `Refusal` (srv/errors.ts). */
@protocol: 'none'
service KeysService {
  type NewKey {
    ID             : String(20);
    ![key]         : String;             // shown this once
    expiresAt      : Timestamp;
    oldKeyExpiresAt: Timestamp;
  }

  action issue(name : String, scopes : array of String, actsAs : String, maxOrderValue : String, expiresInDays : Integer) returns NewKey;
  action rotate(ID : String) returns NewKey;
  action revoke(ID : String);
}
