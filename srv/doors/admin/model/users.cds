// Approval limits, exchange rates and delegations.
using { restock } from '../../../../db';
using { AdminService } from '../admin-service';

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
    seenAt,
    virtual null as mayChange      : Boolean,
    virtual null as seesLocations  : String(5000),   // by the attributes of the sign-in
    virtual null as seesGroups     : String(5000),
    virtual null as approvesAt     : String(5000),
    virtual null as limitText      : String(500),    // what counts: the own limit, or that of the roles
    virtual null as hasOwnLimit    : Boolean,
    virtual null as maxOrderValue  : Decimal(19, 2), // of the own limit
    virtual null as maxDayValue    : Decimal(19, 2),
    virtual null as currency       : String(3),
    virtual null as limitLocations : String(5000),
    deputies    : Association to many Delegations on deputies.fromUser = $self.user,
    standsInFor : Association to many Delegations on standsInFor.toUser = $self.user
  }
  where roles like '%"Buyer"%' or roles like '%"ApproverHigh"%'
  actions {
    /** The user's own limit instead of that of the roles; locations joined by commas, empty for all. */
    action setLimit(maxOrderValue : Decimal(19, 2), maxDayValue : Decimal(19, 2), currency : String(3), locations : String(5000)) returns Approvers;
    /** The limits of the roles count again, at all locations. */
    action clearLimit() returns Approvers;
    action addDeputy(toUser : String(255), validFrom : Timestamp, validTo : Timestamp) returns Approvers;
    /** The person has left: revokes the keys that act as them, and ends the delegations from and to them. */
    action removePerson();
  };

  @readonly
  entity ApprovingRoles as projection on restock.ApprovingRoles { key code as role, name };
}

// Personal data of those who use the service.
extend service AdminService with {
  /** The name is that of the metadata as it was published. */
  type PrivacyService_Erasure {
    pseudonym : String not null;         // stands in the place of the id from now on
    rows      : Integer not null;        // deleted or changed
    entries   : Integer not null;        // of the audit trail, in which the id was replaced
  }

  /** All that is stored of a person, as JSON. */
  @requires: 'Admin'
  action exportPerson(user : String(255)) returns LargeString;
  /** Deletes what is about a person, and replaces the id by a pseudonym elsewhere, in the audit trail too. */
  @requires: 'Admin'
  action erasePerson(user : String(255)) returns PrivacyService_Erasure;
}

annotate AdminService.UserLimits with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.RoleLimits with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.Approvers with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.ExchangeRates with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.Delegations with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
