using { restock } from '../../db';

/**
 * Installing, connecting and watching, over OData V4: for administrators; auditors read. Everything is
 * done by the services behind it. No secret is answered, but those shown once when they are made.
 */
@path: '/odata/v4/admin'
@requires: ['Admin', 'Auditor']
service AdminService {
  /** One connected ERP. DELETE forgets it and what was read from it; its tokens are revoked and wiped. */
  @Capabilities: { InsertRestrictions.Insertable: false, UpdateRestrictions.Updatable: false }
  entity Sources as projection on restock.Sources {
    key ID,
        'src_' || ID as number : String(20),
        type, toType, account, role, baseUrl, clientId, destination, demo, status, toStatus,
        case when status in ('connected', 'failing') then true else false end as isOpen : Boolean,
        dataAsOf, checkedAt, createdAt, createdBy,
        virtual null as mayChange           : Boolean,       // whoever asks: object pages read it of their own row alone
        // Demand is complete up to the day before dataAsOf: today's is no day old.
        case when dataAsOf is null then null when dataAsOf > $now then 0 else days_between(dataAsOf, $now) end as dataAgeDays : Integer,
        virtual null as problemText         : String(1000),
        case when consent.endedAt is null and consent.expiresAt > $now then consent.expiresAt end as consentExpiresAt : Timestamp,
        virtual null as rightsMissing       : Integer,
        virtual null as fullSchedule        : String(100),
        virtual null as fullNextAt          : Timestamp,
        virtual null as incrementalSchedule : String(100),
        virtual null as incrementalNextAt   : Timestamp,
        virtual null as lastSyncStatus      : String(20),
        virtual null as lastSyncStatusText  : String(100),
        virtual null as lastSyncAt          : Timestamp,
        unfinished.ID as syncing,
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

  /** One run of reading, forecasting and proposing. */
  @readonly
  @cds.redirection.target
  entity Syncs as projection on restock.Syncs {
    key ID,
        'sync_' || ID as number : String(20),
        source, mode, toMode, status, toStatus,
        case when status in ('queued', 'running') then true else false end as isUnfinished : Boolean,
        phase, toPhase, done, total, unit,
        rowsRead, upserted, unchanged, quarantined, deleted,
        createdAt, startedAt, finishedAt,
        virtual null as mayChange      : Boolean,
        case when status in ('succeeded', 'partial') then 100 when total > 0 then floor(100 * done / total) end as percent : Integer,   // of the present phase
        virtual null as ratePerSecond  : Integer,            // rows while they are read, then series
        virtual null as estimatedEndAt : Timestamp,
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
}
