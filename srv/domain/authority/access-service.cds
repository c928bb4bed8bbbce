/** Who may approve up to which value, and who stands in for whom. For administrators, never about themselves. */
@protocol: 'none'
service AccessService {
  /**
   * Decimal strings, null: as the roles allow; for a supplier on a day the same value unless said otherwise. In the
   * account's currency and at all locations unless others are named.
   */
  action setUserLimit(user : String, maxOrderValue : String, maxDayValue : String, currency : String, locations : array of String);
  action clearUserLimit(user : String);
  /** Decimal strings; null for no limit. */
  action setRoleLimit(role : String, maxOrderValue : String, maxDayValue : String, currency : String);
  action clearRoleLimit(role : String);

  /** `validTo` is exclusive. */
  action delegate(fromUser : String, toUser : String, validFrom : String, validTo : String) returns { ID : UUID };
  action endDelegation(ID : UUID);

  /** Revokes the keys that act as this person, and ends the delegations from and to them. */
  action removePerson(user : String);
  /** For the service itself: ends the delegations of people who have not signed in for too long. */
  action lapse();
}
