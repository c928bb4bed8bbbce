/** Who may approve up to which value, and who stands in for whom. For administrators, never about themselves. */
@protocol: 'none'
service AccessService {
  /** A decimal string, null: as the roles allow; at all locations unless some are named. */
  action setUserLimit(user : String, maxOrderValue : String, locations : array of String);
  action clearUserLimit(user : String);
  /** A decimal string; null for no limit. */
  action setRoleLimit(role : String, maxOrderValue : String);
  action clearRoleLimit(role : String);

  /** `validTo` is exclusive. */
  action delegate(fromUser : String, toUser : String, validFrom : String, validTo : String) returns { ID : UUID };
  action endDelegation(ID : UUID);

  /** Revokes the keys that act as this person, and ends the delegations from and to them. */
  action removePerson(user : String);
  /** For the service itself: ends the delegations of people who have not signed in for too long. */
  action lapse();
}
