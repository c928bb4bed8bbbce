using { restock } from '../../../db';

/**
 * Setup and monitoring over OData V4, for administrators; auditors read. Changes are delegated to the services
 * of each area. A secret is returned only once, by the action that creates it.
 */
@path: '/odata/v4/admin'
@requires: ['Admin', 'Auditor']
service AdminService {
  /** A connected ERP. DELETE removes it with all data read from it, and revokes its tokens. */
  @Capabilities: { InsertRestrictions.Insertable: false, UpdateRestrictions.Updatable: false }
  entity Sources as projection on restock.Sources {
    key ID,
        'src_' || ID as number : String(20),
        type, toType, account, role, baseUrl, clientId, destination, demo, status, toStatus,
        case when status in ('connected', 'failing') then true else false end as isOpen : Boolean,
        dataAsOf, checkedAt, createdAt, createdBy,
        virtual null as mayChange           : Boolean,       // by the user alone; an element of each row, because object pages read no other
        // Demand is complete up to the day before dataAsOf, so an age of 0 means: up to yesterday.
        case when dataAsOf is null then null when dataAsOf > $now then 0 else days_between(dataAsOf, $now) end as dataAgeDays : Integer,
        virtual null as dataAgeCriticality  : Integer,       // 1 too old to order by, 2 to be watched, 3 fresh
        virtual null as problemText         : String(1000),
        coalesce(precedence, 100) as precedence : Integer,
        virtual null as ledPairs            : Integer,       // that other sources lead
        case when consent.endedAt is null and consent.expiresAt > $now then consent.expiresAt end as consentExpiresAt : Timestamp,
        consentEndsAt,
        virtual null as rightsMissing       : Integer,
        virtual null as timeZone            : String(60),    // of its schedules, and of its locations of which nothing else says it
        virtual null as fullSchedule        : String(100),
        virtual null as fullScheduleText    : String(200),   // in words, with the zone of its clocks
        virtual null as fullNextAt          : Timestamp,
        virtual null as incrementalSchedule : String(100),
        virtual null as incrementalScheduleText : String(200),
        virtual null as incrementalNextAt   : Timestamp,
        lastSync.status as lastSyncStatus,
        lastSync.toStatus as toLastSyncStatus,
        lastSync.finishedAt as lastSyncAt,
        unfinished.ID as syncing,
        syncs   : redirected to Syncs,
        quarantined : Association to many QuarantinedRows on quarantined.source = $self,
        rights  : Association to many Rights on rights.source = $self.ID,
        streams : Association to many Streams on streams.source = $self.ID
  }
  actions {
    /** Tests access to every stream now. */
    action check() returns Sources;
    /** Requests consent again, or tries another client; values left out stay as they were. */
    action consentAgain(clientId : String(200), clientSecret : String(4000)) returns Consent;
    /** Removes an attempt to connect that nobody has consented to. */
    action giveUp();
    action syncNow(mode : String(20)) returns Syncs;
    /** Cron expressions of five fields by the clocks of the source's time zone; `off` is never, empty is the configured schedule. */
    action setSchedules(full : String(100), incremental : String(100)) returns Sources;
    /** The least leads where several have one SKU at one location, from the next sync on. */
    action setPrecedence(precedence : Integer) returns Sources;
  };

  /** The page at which somebody must consent to a new connection; no address where the source is connected. */
  type Consent {
    source           : Integer;
    status           : String(30);
    authorizationUrl : String(5000);
    expiresAt        : Timestamp;
  }

  /** A field that a kind of ERP is asked for. */
  @readonly @cds.persistence.skip
  entity ConnectionFields {
    key type       : String(30);
    key name       : String(100);
        position   : Integer;
        isOption   : Boolean;
        isRequired : Boolean;
        isMain     : Boolean;          // asked for at once
        kind       : String(10);       // text, secret, number, choice, flag
        label      : String(200);
        hint       : String(500);
        choices    : array of { value : String(100); name : String(200); };
        least      : Double;
        most       : Double;
        preset     : String(500);
  }

  /** What a connection could read; nothing of it is stored. */
  type ConnectionTest {
    needsConsent : Boolean;
    isReadable   : Boolean;            // all that forecasts and proposals need
    summary      : String(500);
    streams      : array of { name : String(100); status : String(20); statusText : String(100); message : String(1000); };
    rights       : array of { name : String(200); granted : Boolean; };
  }

  action testConnection(type : String(30), account : String(500), role : String(200), baseUrl : String(500), clientId : String(200), clientSecret : String(4000), options : array of Option) returns ConnectionTest;

  type Option { name : String(100); value : String(1000); }

  action connect(type : String(30), account : String(500), role : String(200), baseUrl : String(500), clientId : String(200), clientSecret : String(4000), options : array of Option) returns Consent;

  /** A right that a source needs. */
  @readonly @cds.persistence.skip
  entity Rights {
    key source             : Integer;
    key name               : String(200);
        granted            : Boolean;
        grantedCriticality : Integer;
  }

  /** Result of the last access test of a stream. */
  @readonly @cds.persistence.skip
  entity Streams {
    key source            : Integer;
    key name              : String(50);
        nameText          : String(100);
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
        virtual null as unitText       : String(50),
        rowsRead, upserted, unchanged, quarantined, deleted,
        createdAt, startedAt, finishedAt,
        virtual null as mayChange      : Boolean,
        case when status in ('succeeded', 'partial') then 100 when total > 0 then floor(100 * done / total) else 0 end as percent : Integer,   // of the current phase
        virtual null as ratePerSecond  : Integer,            // rows in the reading phase, series in later ones
        virtual null as estimatedEndAt : Timestamp,
        virtual null as issueCount     : Integer,
        issues : Association to many SyncIssues on issues.sync = $self.ID
  }
  actions {
    action cancel() returns Syncs;
  };

  /** A problem of a sync, or a note about what no proposal needs; at most a hundred of each are kept. */
  @readonly @cds.persistence.skip
  entity SyncIssues {
    key sync    : Integer;
    key line    : Integer;
        code    : String(50);
        stream  : String(50);
        streamText : String(100);
        place   : String(200);
        message : String(1000);
        impact  : String(500);           // what it means for proposals
        remedy  : String(500);           // who can mend it
        isNote  : Boolean;
  }

  /** A record that could not be used, with the reason; removed when a later read accepts it. */
  @readonly
  entity QuarantinedRows as projection on restock.QuarantinedRows {
    *, source.account as account, source.type as type,
    'sync_' || sync as number : String(20),
    virtual null as recordText : String(100)
  } excluding { note } where note is null;
}

// Auditors read everything that administrators read, and change nothing.
annotate AdminService.connect with @requires: 'Admin';
annotate AdminService.testConnection with @requires: 'Admin';
annotate AdminService.Sources with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
annotate AdminService.Syncs with @restrict: [ { grant: 'READ' }, { grant: '*', to: 'Admin' } ];
