using { restock } from '../../db';

/**
 * Installing, connecting and watching, over OData V4: for administrators; auditors read. Everything is
 * done by the services behind it. No secret is answered, but those shown once when they are made.
 */
@path: '/odata/v4/admin'
@requires: ['Admin', 'Auditor']
service AdminService {

  // ---- Sources -----------------------------------------------------------------------------------

  /** One connected ERP. DELETE forgets it and what was read from it; its tokens are revoked and wiped. */
  @Capabilities: { InsertRestrictions.Insertable: false, UpdateRestrictions.Updatable: false }
  entity Sources as projection on restock.Sources {
    key ID,
        'src_' || ID as number : String(20),
        type, account, role, baseUrl, clientId, destination, demo, status,
        case status when 'connected' then 3 when 'pending_consent' then 2 else 1 end as statusCriticality : Integer,
        case when status in ('connected', 'failing') then true else false end as isOpen : Boolean,
        dataAsOf, checkedAt, createdAt, createdBy,
        virtual null as mayChange           : Boolean,       // whoever asks
        virtual null as dataAgeDays         : Integer,
        virtual null as statusText          : String(100),
        virtual null as ageCriticality      : Integer,
        virtual null as problemCode         : String(50),
        virtual null as problemText         : String(1000),
        virtual null as isWithoutProblem    : Boolean,
        virtual null as consentExpiresAt    : Timestamp,
        virtual null as isWithoutConsent    : Boolean,
        virtual null as typeText            : String(50),
        virtual null as rightsNeeded        : Integer,
        virtual null as rightsMissing       : Integer,
        virtual null as streamsChecked      : Integer,
        virtual null as streamsAtFault      : Integer,
        virtual null as fullSchedule        : String(100),
        virtual null as fullIsDefault       : Boolean,
        virtual null as fullNextAt          : Timestamp,
        virtual null as incrementalSchedule : String(100),
        virtual null as incrementalIsDefault: Boolean,
        virtual null as incrementalNextAt   : Timestamp,
        virtual null as lastSync            : Integer,
        virtual null as lastSyncStatus      : String(20),
        virtual null as lastSyncStatusText  : String(100),
        virtual null as lastSyncAt          : Timestamp,
        virtual null as syncing             : Integer,       // the sync that is unfinished
        virtual null as isIdle              : Boolean,
        syncs   : redirected to Syncs,
        quarantined : Association to many QuarantinedRows on quarantined.source = $self,
        rights  : Association to many Rights on rights.source = $self.ID,
        streams : Association to many Streams on streams.source = $self.ID
  }
  actions {
    /** Tries every stream now. */
    action check() returns Sources;
    /** Asks for the consent again, or tries another client; what is left out is as it was. */
    action consentAgain(clientId : String(200), clientSecret : String(4000)) returns Consent;
    action syncNow(mode : String(20)) returns Syncs;
    /** Cron of five fields in UTC, `off` for never, empty for the configured one. */
    action setSchedules(full : String(100), incremental : String(100)) returns Sources;
  };

  /** What is left to do to open a source: a page to consent at, or nothing. */
  type Consent {
    source           : Integer;
    status           : String(30);
    authorizationUrl : String(5000);
    expiresAt        : Timestamp;
  }

  type Option { name : String(100); value : String(1000); }

  action connect(type : String(30), account : String(500), role : String(200), baseUrl : String(500), clientId : String(200), clientSecret : String(4000), options : array of Option) returns Consent;

  /** Rights that a source needs. */
  @readonly @cds.persistence.skip
  entity Rights {
    key source             : Integer;
    key name               : String(200);
        granted            : Boolean;
        grantedCriticality : Integer;
  }

  /** What became of a stream when it was last tried. */
  @readonly @cds.persistence.skip
  entity Streams {
    key source            : Integer;
    key name              : String(50);
        status            : String(20);  // ok, absent, forbidden, failed
        statusText        : String(100);
        statusCriticality : Integer;
        message           : String(1000);
  }

  @readonly @cds.persistence.skip
  entity SourceTypes { key code : String(30); name : String(100); }

  // ---- Syncs -------------------------------------------------------------------------------------

  /** One run of reading, forecasting and proposing. */
  @readonly
  @cds.redirection.target
  entity Syncs as projection on restock.Syncs {
    key ID,
        'sync_' || ID as number : String(20),
        source, mode, status,
        case status when 'succeeded' then 3 when 'partial' then 2 when 'failed' then 1 when 'running' then 5 else 0 end as statusCriticality : Integer,
        case when status in ('queued', 'running') then true else false end as isUnfinished : Boolean,
        phase, done, total, unit,
        rowsRead, upserted, unchanged, quarantined, deleted,
        createdAt, startedAt, finishedAt,
        virtual null as mayChange      : Boolean,
        virtual null as percent        : Integer,            // of the present phase
        virtual null as modeText       : String(100),
        virtual null as statusText     : String(100),
        virtual null as phaseText      : String(100),
        virtual null as ratePerSecond  : Integer,            // rows while they are read, then series
        virtual null as estimatedEndAt : Timestamp,
        virtual null as secondsLeft    : Integer,
        virtual null as issueCount     : Integer,
        issues : Association to many SyncIssues on issues.sync = $self.ID
  }
  actions {
    action cancel() returns Syncs;
  };

  /** What did not go as it should, a hundred at most a sync. */
  @readonly @cds.persistence.skip
  entity SyncIssues {
    key sync    : Integer;
    key line    : Integer;
        code    : String(50);
        stream  : String(50);
        place   : String(200);
        message : String(1000);
  }

  /** A row that could not be taken over, with the reason; gone after the next good read. */
  @readonly
  entity QuarantinedRows as projection on restock.QuarantinedRows {
    *, source.account as account, source.type as type
  };

  @readonly @cds.persistence.skip
  entity SyncModes { key code : String(20); name : String(100); }

  @readonly @cds.persistence.skip
  entity SourceStatuses { key code : String(30); name : String(100); }
  @readonly @cds.persistence.skip
  entity SyncStatuses { key code : String(30); name : String(100); }
  @readonly @cds.persistence.skip
  entity KeyStates { key code : String(30); name : String(100); }
  @readonly @cds.persistence.skip
  entity WebhookStatuses { key code : String(30); name : String(100); }

  // ---- Rules -------------------------------------------------------------------------------------

  // Days are entered as Double: the dialogs of the apps send 0 for an integer that was left empty.

  /** How pairs are replenished where the ERP does not say, or is overruled. */
  @Capabilities: { InsertRestrictions.Insertable: false, UpdateRestrictions.Updatable: false }
  entity Policies as projection on restock.Policies {
    *,
    case level when 'sku+location' then 1 when 'sku' then 2 when 'supplier' then 3 when 'group' then 4 when 'location' then 5 else 6 end as precedence : Integer,
    virtual null as levelText : String(100),
    virtual null as mayChange : Boolean
  }
  actions {
    @(cds.odata.bindingparameter.collection)
    action setRule(
      level : String(20), skuGroup : restock.Code, supplier : restock.Code, sku : restock.Code, location : restock.Code,
      leadTimeDays : Double, leadTimeDeviationDays : Double, reviewPeriodDays : Double, targetQuantile : Double,
      stockoutCostShare : Double, carryingCostSharePerYear : Double, moq : Double, lotSize : Double,
      maximumOrder : Double, maximumStock : Double, shelfLifeDays : Double,
      minimumOrderValue : Decimal(19, 4), containerUnits : Double, orderDays : String(20)
    ) returns Policies;
    /** Says this in place of what the rule said before. */
    action change(
      leadTimeDays : Double, leadTimeDeviationDays : Double, reviewPeriodDays : Double, targetQuantile : Double,
      stockoutCostShare : Double, carryingCostSharePerYear : Double, moq : Double, lotSize : Double,
      maximumOrder : Double, maximumStock : Double, shelfLifeDays : Double,
      minimumOrderValue : Decimal(19, 4), containerUnits : Double, orderDays : String(20)
    ) returns Policies;
  };

  @readonly @cds.persistence.skip
  entity PolicyLevels { key code : String(20); name : String(100); }

  /** Pairs that cannot be proposed, and what is missing. */
  @readonly
  entity BlockedPairs as select from restock.BlockedPairs as own
    left join restock.Skus     on Skus.source.ID = own.source.ID and Skus.sku = own.sku
    left join restock.Planning on Planning.source.ID = own.source.ID and Planning.sku = own.sku and Planning.location = own.location
  {
    key own.series,
    key own.missing,
        own.source.ID as source : Integer,
        own.sku,
        Skus.name as skuName,
        Skus.skuGroup,
        coalesce(Planning.supplier, Skus.supplier) as supplier : restock.Code,
        own.location,
        own.reason,
        case own.missing when 'lead_time' then true else false end as isMendable : Boolean,
        virtual null as missingText : String(100)
  }
  actions {
    /** Writes the lead time into the rule of this level, whose other values stay as they are. */
    action setLeadTime(leadTimeDays : Double, level : String(20)) returns Policies;
  };

  // ---- Other systems -----------------------------------------------------------------------------

  /** Keys of /v1. */
  @readonly
  entity ApiKeys as select from restock.ApiKeys {
    key ID, name, scopes, actsAs, maxOrderValue, createdAt, createdBy, expiresAt, revokedAt, rotatedTo,
    case when revokedAt is not null then 'revoked' when expiresAt < $now then 'expired'
         when rotatedTo is not null then 'rotated' else 'valid' end as state : String(10),
    case when revokedAt is not null then 1 when expiresAt < $now then 1
         when rotatedTo is not null then 2 else 3 end as stateCriticality : Integer,
    case when revokedAt is null and expiresAt > $now then true else false end as isUsable : Boolean,
    virtual null as stateText : String(100)
  }
  actions {
    /** Issues a key; 180 days unless said otherwise. */
    @(cds.odata.bindingparameter.collection)
    action issue(name : String(100), scopes : array of String(50), actsAs : String(255), maxOrderValue : Decimal(19, 2), expiresInDays : Double) returns NewKey;
    action rotate() returns NewKey;
    action revoke() returns ApiKeys;
  };

  /** The only time that the key is answered. */
  type NewKey {
    ID              : String(20);
    ![key]          : String(100);
    expiresAt       : Timestamp;
    oldKeyExpiresAt : Timestamp;
  }

  @readonly @cds.persistence.skip
  entity Scopes { key code : String(50); name : String(100); }

  /** Where events are sent to. */
  @Capabilities: { InsertRestrictions.Insertable: false, UpdateRestrictions.Updatable: false }
  entity Webhooks as projection on restock.Webhooks {
    key ID, 'wh_' || ID as number : String(20), url, types, status, disabledReason, failingSince, createdAt, createdBy,
    case status when 'active' then case when failingSince is null then 3 else 2 end else 1 end as statusCriticality : Integer,
    case status when 'active' then true else false end as isActive : Boolean,
    virtual null as statusText : String(100),
    virtual null as disabledReasonText : String(100),
    virtual null as mayChange : Boolean,
    deliveries : Association to many Deliveries on deliveries.webhook = $self.ID
  }
  actions {
    @(cds.odata.bindingparameter.collection)
    action add(url : String(2000), types : array of String(40)) returns NewSecret;
    /** For a day calls are signed with the old secret too. */
    action rotate() returns NewSecret;
    action activate() returns Webhooks;
    action disable() returns Webhooks;
  };

  /** The only time that the secret is answered. */
  type NewSecret {
    ID           : Integer;
    secret       : String(100);
    oldExpiresAt : Timestamp;
  }

  /** An event on its way to a webhook, and what became of it. */
  @readonly
  entity Deliveries as projection on restock.WebhookDeliveries {
    key webhook, key ![event], type, status, attempts, nextAttemptAt, lastAttemptAt, responseStatus, problem,
    case status when 'succeeded' then 3 when 'failed' then 1 else 5 end as statusCriticality : Integer,
    virtual null as statusText : String(100)
  }
  actions {
    /** Sends it once more, now. */
    action replay() returns Deliveries;
  };

  @readonly @cds.persistence.skip
  entity EventTypes { key code : String(40); name : String(100); }

  // ---- Who may approve ---------------------------------------------------------------------------

  /** Up to which value somebody may approve, and where. */
  @Capabilities: { InsertRestrictions.Insertable: false, UpdateRestrictions.Updatable: false }
  entity UserLimits as projection on restock.UserLimits {
    key user, maxOrderValue, locations, changedAt, changedBy
  }
  actions {
    @(cds.odata.bindingparameter.collection)
    action setUserLimit(user : String(255), maxOrderValue : Decimal(19, 2), locations : array of String(100)) returns UserLimits;
  };

  @Capabilities: { InsertRestrictions.Insertable: false, UpdateRestrictions.Updatable: false }
  entity RoleLimits as projection on restock.RoleLimits {
    key role, maxOrderValue, changedAt, changedBy
  }
  actions {
    @(cds.odata.bindingparameter.collection)
    action setRoleLimit(role : String(50), maxOrderValue : Decimal(19, 2)) returns RoleLimits;
  };

  /** During an absence `toUser` may approve up to the limit of `fromUser`. */
  @readonly
  entity Delegations as select from restock.Delegations {
    *,
    case when endedAt is not null then 'ended' when validTo <= $now then 'over'
         when validFrom > $now then 'coming' else 'holds' end as state : String(10),
    case when endedAt is not null or validTo <= $now then 0 when validFrom > $now then 5 else 3 end as stateCriticality : Integer,
    case when endedAt is null and validTo > $now then true else false end as isEndable : Boolean,
    virtual null as stateText : String(100)
  }
  actions {
    @(cds.odata.bindingparameter.collection)
    action delegate(fromUser : String(255), toUser : String(255), validFrom : Timestamp, validTo : Timestamp) returns Delegations;
    /** Now, before its time. */
    action end() returns Delegations;
  };

  /** People who may be named: who have signed in, in development those configured. */
  @readonly @cds.persistence.skip
  entity Approvers { key user : String(255); roles : String(500); }

  @readonly @cds.persistence.skip
  entity ApprovingRoles { key role : String(50); }

  // ---- Watching ----------------------------------------------------------------------------------

  /** Administrative acts. */
  @readonly
  entity AuditLog as projection on restock.AuditLog {
    key ID, at, actor, via, action, object, detail, seq
  };

  /** What of a source is forecast, and how sure the forecasts are by a sample of them. */
  @readonly @cds.persistence.skip
  entity ForecastQuality {
    key source        : Integer;
        number        : String(20);
        account       : String(500);
        asOf          : Date;
        engineVersion : String(20);
        series        : Integer;
        forecasts     : Integer;
        waiting       : Integer;         // series whose demand has changed since
        windows       : Integer;         // past windows that the weights of the methods were learnt from
        sampled       : Integer;         // forecasts that these shares were counted from
        highShare     : Decimal(5, 1);   // per cent
        mediumShare   : Decimal(5, 1);
        lowShare      : Decimal(5, 1);
  }

  /** One row: whether everything works. */
  @readonly @cds.persistence.skip @odata.singleton
  entity Health {
    key ID             : Integer;
        version        : String(20);
        engineVersion  : String(20);
        database       : String(20);
        answeredInMs   : Integer;
        startedAt      : Timestamp;
        sources        : Integer;
        sourcesAtFault : Integer;
        dataAsOf       : Date;           // the oldest of the connected sources
        dataAgeDays    : Integer;
        unfinishedSyncs: Integer;
        lastSync       : Integer;
        lastSyncStatus : String(20);
        lastSyncStatusText : String(100);
        lastSyncAt     : Timestamp;
        quarantined    : Integer;
        blocked        : Integer;
        queued         : Integer;
        queueFailed    : Integer;        // given up after all attempts
        deliveriesWaiting : Integer;
        deliveriesFailed  : Integer;
        auditSeq       : Integer;
        auditHash      : String(64);
        auditSealedAt  : Timestamp;
        auditWaiting   : Integer;        // entries that are not sealed yet
        user           : String(255);
        mayChange      : Boolean;
  }

  type Verification {
    valid   : Boolean;
    entries : Integer;
    problem : String(50);
    seq     : Integer;
    object  : String(255);
  }

  /** Walks the whole audit trail. */
  action verifyAudit() returns Verification;
}
