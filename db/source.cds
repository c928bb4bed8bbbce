namespace restock;

using { restock.Code, restock.Json } from './types';
using { restock.SourceTypes, restock.SourceStatuses, restock.SyncModes, restock.SyncStatuses, restock.SyncPhases } from './code-lists';

/** One connected ERP. */
entity Sources {
  key ID            : Integer;
      type          : String(30);
      toType        : Association to SourceTypes on toType.code = type;
      account       : String(500);
      role          : String(200);
      baseUrl       : String(500);
      clientId      : String(200);
      options       : Json;
      destination   : String(200);     // of SAP BTP, where it and no consent opens the source
      status        : SourceStatus default 'pending_consent';
      toStatus      : Association to SourceStatuses on toStatus.code = status;
      neededRights  : Json;
      grantedRights : Json;
      checks        : Json;            // which streams answered when they were last tried
      checkedAt     : Timestamp;
      problem       : Json;            // why its last consent failed or is no longer valid
      consentEndsAt : Timestamp;       // when the ERP ends the consent, whatever is read; null where it does not
      consentToldAt : Timestamp;       // when it was told that it ends
      createdAt     : Timestamp;
      createdBy     : String(255);
      fullSchedule        : String(100);   // cron expressions in its time zone or `off`; null takes the configured one
      incrementalSchedule : String(100);
      watchedState  : String(64);      // what a watched folder looked like when a sync last began for it (srv/domain/sync/workers.ts)
      precedence    : Integer;         // of several sources with one pair the least leads (srv/base/database/leads.ts); null where nobody has said
      demo          : Boolean default false;   // the data that the service makes for itself
      stockHistoryAt : Json;           // the locations that its stock history names; null where that was not noted
      dataAsOf      : Date;            // demand is complete up to the day before
      staleSince    : Date;            // of the data that all pairs were calculated from, where they were too old to order by
      calculateAll  : Boolean default false;   // the next sync learns, forecasts and calculates all: a full one did not end
      proposedOn    : Date;            // all pairs were calculated on this day; later that day those that are due
      proposedDays  : String(20);      // which locations had another day then, and which (srv/base/database/proposal-marks.ts); null for none
      consent       : Association to one Consents on consent.source = $self;
      syncs         : Association to many Syncs on syncs.source = $self;
      unfinished    : Association to one Syncs on unfinished.activeFor = $self.ID;   // the sync that is queued or running
      lastSync      : Association to one LastSyncs on lastSync.source = $self;
}

type SourceStatus : String(30) enum { pending_consent; connected; reconsent_required; failing; };

/** The consent that was last asked for: what the browser must bring back, once and in time. */
entity Consents {
  key source      : Association to Sources;
      ticketHash  : String(64);        // SHA-256, hex, of what its page's address holds
      stateHash   : String(64);
      browserHash : String(64);        // of the cookie of the browser that began it; null until one has
      redirectUri : String(1000);
      clientId    : String(200);       // its secret stands beside the verifier among the secrets
      scopes      : Json;              // those asked for
      requestedBy : String(255);
      expiresAt   : Timestamp;
      usedAt      : Timestamp;         // when the browser came back
      endedAt     : Timestamp;         // when it was known what came of it
}

annotate Consents with @assert.unique: { state: [stateHash] };

/** What opens a source, encrypted by AES-256-GCM; bound to its source and name. */
entity Secrets {
  key source     : Association to Sources;
  key name       : String(30);         // client_secret, consent, tokens
      keyId      : String(16);         // the key that opens it
      sealed     : LargeString;        // base64 of nonce, ciphertext and tag
      version    : Integer;            // grows with each change
      // The instance that renews it, until when.
      owner      : String(36);
      leaseUntil : Timestamp;
}

/** One execution of a synchronisation: read, forecast, propose. */
entity Syncs {
  key ID             : Integer;
      source         : Association to Sources;
      mode           : String(20) enum { incremental; full; };
      toMode         : Association to SyncModes on toMode.code = mode;
      status         : SyncStatus default 'queued';
      toStatus       : Association to SyncStatuses on toStatus.code = status;
      phase          : String(40);
      toPhase        : Association to SyncPhases on toPhase.code = phase;
      phases         : Json;          // those begun, each with its start
      done           : Int64 default 0;
      total          : Int64;
      unit           : String(20);
      rowsRead       : Integer default 0;
      upserted       : Integer default 0;
      unchanged      : Integer default 0;
      quarantined    : Integer default 0;
      deleted        : Integer default 0;
      issues         : Json;
      notes          : Json;          // what concerns no proposal
      createdAt      : Timestamp;
      startedAt      : Timestamp;
      finishedAt     : Timestamp;
      // The instance that runs it, until when. Whoever finds the lease expired may take the run over.
      owner          : String(100);
      leaseUntil     : Timestamp;
      turn           : Integer default 0;   // how often an instance has taken it up: what an earlier turn has handed out counts no more
      cancelRequested: Boolean default false;
      // One unfinished sync a source: equals the source's ID until the end, null afterwards.
      activeFor      : Integer;
      // How often in a row the process that ran it ended without saying so, at the same place; where that was.
      attempts       : Integer default 0;
      advances       : Integer default 0;   // work that no later attempt does again: pages, chunks, phases
      stuckAt        : String(60);
      readToEnd      : Json;                // streams that one of its attempts has read to their end
      others         : Json;                // sources whose pairs it has made change hands, to be forecast and proposed too
}

annotate Syncs with @assert.unique: { active: [activeFor] };

/** Of each source the sync that was asked for last. */
entity LastSyncs as select from Syncs { ID, source, status, toStatus, finishedAt }
  where ID in (select from Syncs { max(ID) as ID } group by source.ID);

type SyncStatus : String(20) enum { queued; running; succeeded; partial; failed; cancelled; };

/** The chunks of a run that are done, in the transaction of what they did (srv/base/work/chunks.ts); deleted with its end. */
entity RunChunks {
  key sync   : Integer;
  key turn   : Integer;
  key step   : String(40);     // the step and its source, such as `forecast src_1`
  key place  : Integer;        // of the chunk in its step
      result : LargeString;    // JSON
      fault  : String(1000);   // why it cannot be done; absent where it is
}

/** Whose turn it is to work on a source, where that must not be done twice at once (srv/base/work/source-turn.ts). */
entity SourceTurns {
  key name       : String(60);     // the source and what is done, such as `src_1 proposals`
      owner      : String(60);
      leaseUntil : Timestamp;
}

/** Where a stream goes on at the next incremental sync; saved in the transaction of its rows. */
entity StreamStates {
  key source   : Association to Sources;
  key record   : String(30);
      cursor   : LargeString;
      read     : Integer;         // the stamp of a read that was begun and not ended
      whole    : Boolean;         // whether that read is one of all there is
      syncedAt : Timestamp;       // of a file: when it was written, if that was earlier
      owed     : String(20);      // what a sync that lacked it leaves to the one that has it: forecasts, proposals
}

/** Which generation of a snapshot (stock, open orders) readers see. */
entity Snapshots {
  key source     : Association to Sources;
  key record     : String(30);
      generation : Integer;
}

/** A row that could not be taken over, with the reason; gone after the next good read. */
entity QuarantinedRows {
  key ID      : UUID;
      source  : Association to Sources;
      sync    : Integer;           // Syncs.ID
      toSync  : Association to Syncs on toSync.ID = sync;
      record  : String(30);
      place   : String(200);       // e.g. stock.csv:17
      code    : String(50);
      target  : String(100);       // the field
      message : String(500);
      excerpt : String(500);       // the row as read, cut
      sku      : Code;             // what it is about, empty or null where it does not say
      location : Code;
      note     : String(30);       // why it concerns no proposal; null where it does
}

/** When recurring work is due next; moved on by the instance that queues the work. */
entity Schedules {
  key name       : String(100);
      expression : String(100);       // by which dueAt was told
      timeZone   : String(60);        // by whose clocks; null for UTC
      dueAt      : Timestamp;         // null for never
}

/** Numbers handed out in order: prop_1042, src_1, sync_7, series. */
entity Counters {
  key name : String(30);
      next : Integer;
}

/** The release that made or upgraded the tables: one row. A release older than `worksFrom` refuses to start on them. */
entity Releases {
  key ID         : Integer;
      version    : String(40);
      worksFrom  : String(40);
      deployedAt : Timestamp;
      model      : String(64);  // tells the model of the tables in a SQLite file
}
