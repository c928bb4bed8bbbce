// Approval limits, exchange rates and delegations.
using { restock } from '../../db';
using { AdminService } from './admin-service';

extend service AdminService with {
  /** The highest value that a user may approve, and the locations where. */
  @Capabilities: { InsertRestrictions.Insertable: false, UpdateRestrictions.Updatable: false }
  entity UserLimits as projection on restock.UserLimits {
    key user, maxOrderValue, maxDayValue, currency, locations, changedAt, changedBy
  }
  actions {
    @(cds.odata.bindingparameter.collection)
    action setUserLimit(user : String(255), maxOrderValue : Decimal(19, 2), maxDayValue : Decimal(19, 2), currency : String(3), locations : array of String(100)) returns UserLimits;
  };

  @Capabilities: { InsertRestrictions.Insertable: false, UpdateRestrictions.Updatable: false }
  entity RoleLimits as projection on restock.RoleLimits {
    key role, maxOrderValue, maxDayValue, currency, changedAt, changedBy
  }
  actions {
    @(cds.odata.bindingparameter.collection)
    action setRoleLimit(role : String(50), maxOrderValue : Decimal(19, 2), maxDayValue : Decimal(19, 2), currency : String(3)) returns RoleLimits;
  };

  /** What a unit of one currency is worth in another; those entered stand before those of a source on the same day. */
  @Capabilities: { InsertRestrictions.Insertable: false, UpdateRestrictions.Updatable: false }
  entity ExchangeRates as select from restock.ExchangeRates {
    key fromCurrency, key toCurrency, key validFrom, key source.ID as source : Integer,
        rate, changedAt, changedBy,
        case source.ID when 0 then null else 'src_' || source.ID end as number : String(20),
        virtual null as isRemovable : Boolean      // those that were entered, by administrators
  }
  actions {
    @(cds.odata.bindingparameter.collection)
    action setRate(fromCurrency : String(3), toCurrency : String(3), rate : Decimal(21, 9), validFrom : Date) returns ExchangeRates;
  };

  /** From `validFrom` to `validTo`, `toUser` may approve up to the limit of `fromUser`. */
  @readonly
  entity Delegations as select from restock.Delegations {
    *,
    case when lapsedAt is not null then 'user_left' when endedAt is not null then 'ended' when validTo <= $now then 'over'
         when validFrom > $now then 'coming' else 'holds' end as state : String(10),
    case when endedAt is null and validTo > $now then true else false end as isEndable : Boolean,
    toState : Association to restock.DelegationStates on toState.code = $self.state
  }
  actions {
    @(cds.odata.bindingparameter.collection)
    action delegate(fromUser : String(255), toUser : String(255), validFrom : Timestamp, validTo : Timestamp) returns Delegations;
    /** Ends the delegation before `validTo`. */
    action end() returns Delegations;
  };

  /** Approvers who have not left (`userLeftAfterDays`); in development also the configured ones. */
  @readonly
  entity Approvers as select from restock.Users {
    key ID as user,
    // `roles` is a JSON list.
    case when roles like '%"Buyer"%' and roles like '%"ApproverHigh"%' then 'Buyer, ApproverHigh'
         when roles like '%"Buyer"%' then 'Buyer' else 'ApproverHigh' end as roles : String(500),
    seenAt
  }
  where roles like '%"Buyer"%' or roles like '%"ApproverHigh"%'
  actions {
    /** The person has left: revokes the keys that act as them, and ends the delegations from and to them. */
    action removePerson();
  };

  @readonly
  entity ApprovingRoles as projection on restock.ApprovingRoles { key code as role, name };
}
