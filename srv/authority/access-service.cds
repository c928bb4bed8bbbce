/** Who may approve up to which value, and who stands in for whom. For administrators, never about themselves. */
@protocol: 'none'
service AccessService {
  type UserLimit {
    user          : String(255);
    maxOrderValue : String;              // decimal string; null: as the roles allow
    locations     : array of String;     // null for everywhere
  }
  type RoleLimit {
    role          : String(50);
    maxOrderValue : String;              // decimal string; null for no limit
  }
  type Delegation {
    ID        : UUID;
    fromUser  : String(255);
    toUser    : String(255);
    validFrom : Timestamp;
    validTo   : Timestamp;               // exclusive
    createdAt : Timestamp;
    createdBy : String(255);
  }

  function listLimits() returns { users : array of UserLimit; roles : array of RoleLimit; };
  action setUserLimit(user : String, maxOrderValue : String, locations : array of String);
  action clearUserLimit(user : String);
  action setRoleLimit(role : String, maxOrderValue : String);
  action clearRoleLimit(role : String);

  /** Delegations that are valid now or later. */
  function listDelegations() returns array of Delegation;
  action delegate(fromUser : String, toUser : String, validFrom : String, validTo : String) returns Delegation;
  action endDelegation(ID : UUID);
}
