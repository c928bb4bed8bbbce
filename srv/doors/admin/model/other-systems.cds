// API keys and webhooks.
using { restock } from '../../../../db';
using { AdminService } from '../admin-service';

extend service AdminService with {
  /** Keys of /v1. */
  @readonly
  entity ApiKeys as select from restock.ApiKeys {
    // Lists are joined by commas: OData cannot filter an element of a list.
    key ID, name, replace(replace(replace(replace(cast(scopes as String(1000)), '[', ''), ']', ''), '"', ''), ',', ', ') as scopes : String(500), actsAs, maxOrderValue, currency, createdAt, createdBy, expiresAt, confirmedAt, lapsedAt, revokedAt, rotatedTo,
    status as state,
    case when revokedAt is null and expiresAt > $now then true else false end as isUsable : Boolean,
    toState : Association to restock.ApiKeyStates on toState.code = $self.state
  }
  actions {
    /** Issues a key, which is valid for 180 days by default. */
    @(cds.odata.bindingparameter.collection)
    action issue(name : String(100), scopes : array of String(50), actsAs : String(255), maxOrderValue : Decimal(19, 2), currency : String(3), expiresInDays : Double) returns NewKey;
    action rotate() returns NewKey;
    action revoke() returns ApiKeys;
  };

  /** Contains the key, which cannot be read later. */
  type NewKey {
    ID              : String(20);
    ![key]          : String(100);
    expiresAt       : Timestamp;
    oldKeyExpiresAt : Timestamp;
  }

  @readonly
  entity Scopes as projection on restock.ApiKeyScopes;

  /** An address that events are sent to. */
  @Capabilities: { InsertRestrictions.Insertable: false, UpdateRestrictions.Updatable: false }
  entity Webhooks as projection on restock.Webhooks {
    key ID, 'wh_' || ID as number : String(20), url,
    replace(replace(replace(replace(cast(types as String(2000)), '[', ''), ']', ''), '"', ''), ',', ', ') as types : String(1000), status, toStatus, disabledReason, toDisabledReason, failingSince, createdAt, createdBy,
    case status when 'active' then case when failingSince is null then 3 else 2 end else 1 end as statusCriticality : Integer,
    case status when 'active' then true else false end as isActive : Boolean,
    virtual null as typesText : String(1000),
    virtual null as mayChange : Boolean,
    deliveries : Association to many Deliveries on deliveries.webhook = $self.ID
  }
  actions {
    @(cds.odata.bindingparameter.collection)
    action add(url : String(2000), types : array of String(40)) returns NewSecret;
    /** Issues a new secret; for a day, events are signed with the old one too. */
    action rotate() returns NewSecret;
    action activate() returns Webhooks;
    action disable() returns Webhooks;
  };

  /** Contains the secret, which cannot be read later. */
  type NewSecret {
    ID           : Integer;
    secret       : String(100);
    oldExpiresAt : Timestamp;
  }

  /** An event for a webhook, with the state of its delivery. */
  @readonly
  entity Deliveries as projection on restock.WebhookDeliveries {
    key webhook, key ![event], type, status, toStatus, attempts, nextAttemptAt, lastAttemptAt, responseStatus, problem
  }
  actions {
    /** Sends the event again now. */
    action replay() returns Deliveries;
  };

  @readonly
  entity EventTypes as projection on restock.EventTypes;
}

annotate AdminService.ApiKeys with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.Webhooks with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.Deliveries with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
