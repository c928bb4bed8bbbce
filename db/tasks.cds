namespace restock;

using { restock.Code, restock.Json } from './types';
using { restock.TaskStatuses } from './code-lists';
using { restock.Proposals } from './proposals';
using { restock.Sources } from './source';

/**
 * What the task lists of ERPs are shown of the proposals. Only srv/doors/tasks writes it, and always under
 * the lock of TaskFeed: who has read up to (stamp, place) has missed nothing.
 */
entity Tasks {
  key localId     : String(64);          // prop_1042, order_7
      stamp       : Int64;               // when it was last changed, ms since 1970 in UTC: modifiedAt
      place       : String(128);         // localId in hex: sorts by its bytes whatever the collation
      fingerprint : String(64);          // of everything below: only what differs gets a new stamp
      status      : String(20);          // as SAP Task Center names them
      toStatus    : Association to TaskStatuses on toStatus.code = status;
      priority    : String(10);
      proposal    : Integer;             // of an order null: see TaskLines
      toProposal  : Association to Proposals on toProposal.ID = proposal;
      source      : Integer;
      toSource    : Association to Sources on toSource.ID = source;
      sku         : Code;
      location    : Code;
      supplier    : Code;
      fromLocation : Code;               // the giving location of a transfer
      lines       : Integer;
      quantity    : Int64;
      value       : Decimal(19, 2);
      currency    : String(3);
      orderBy     : Date;
      neededBy    : Date;
      daysOfSupply : Integer;            // at the median of demand; null where there is none
      subject     : String(255);         // in English
      audience    : String(64);          // TaskAudiences.ID
      toAudience  : Association to TaskAudiences on toAudience.ID = audience;
      processor   : String(255);         // who has claimed it
      createdAt   : Timestamp;
      dueAt       : Timestamp;
      resumeAt    : Timestamp;           // when a snoozed task returns
      completedAt : Timestamp;
      completedBy : String(255);
      openKey     : String(320);         // of an open order: its supplier; null afterwards
      terms       : String(64);          // what is decided about, SHA-256 of the terms of its proposals
}

/** Version 0.1 called `daysOfSupply` so. No longer read or written: CAP drops no column on PostgreSQL. */
extend Tasks with { coverage : Integer; }

annotate Tasks with @assert.unique: {
  feed: [stamp, place], ofProposal: [proposal, localId], open: [openKey],
};

/** Who may work on a task; as few rows as there are different answers to that. */
entity TaskAudiences {
  key ID     : String(64);               // SHA-256 of the rest, hex
      groups : String(5000);             // JSON array of group names
      users  : String(5000);             // JSON array of user ids
      recipients : Json;                 // groups and users that Task Center is given instead; null for the same
}

/** The proposals of a task that is a whole order to a supplier. */
entity TaskLines {
  key task     : String(64);             // Tasks.localId
      toTask   : Association to Tasks on toTask.localId = task;
  key proposal : Integer;                // Proposals.ID
      toProposal : Association to Proposals on toProposal.ID = proposal;
      excluded : Boolean default false;  // decided apart from the order
      quantity : Int64;                  // instead of the proposed one; null for that
}

annotate TaskLines with @assert.unique: { ofProposal: [proposal, task] };

/**
 * What an inbox was last shown of a task that is open: Task Center what it has read (no user), a person what they have
 * opened. What is decided must be what was shown.
 */
entity TaskViews {
  key task : String(64);
      toTask : Association to Tasks on toTask.localId = task;
  key door : String(20);
  key user : String(255);                // empty for Task Center itself
      terms : String(64);                // Tasks.terms
      shown : Json;                      // the numbers, for whoever is told what has changed
}

/** What somebody wrote about a task in the ERP's inbox. */
entity TaskComments {
  key ID   : UUID;
      task : String(64);
      toTask : Association to Tasks on toTask.localId = task;
      at   : Timestamp;
      author : String(255);
      via  : String(20);
      text : String(1000);
}

annotate TaskComments with @assert.unique: { ofTask: [task, at, ID] };

/** One row, which every change of a task locks until it is committed. */
entity TaskFeed {
  key ID       : Integer;
      stamp    : Int64;                  // the last that was given
      position : String(60);             // the place in the events up to which tasks were made
      settings : String(64);             // what the tasks were made by, SHA-256
      walk     : Integer;                // the last proposal seen while all are made anew; null otherwise
      orders   : Integer;                // the number of the last task that is an order
      secret   : String(64);             // hex: what tokens against forged requests are signed with
}

/** How SAP's identity service names a person whom we know by another id. */
entity GlobalUsers {
  key globalId : String(255);
      user     : String(255);
      seenAt   : Timestamp;
}

annotate GlobalUsers with @assert.unique: { ofUser: [user, globalId] };

/** When somebody was last written to about open tasks. */
entity TaskDigests {
  key user     : String(255);
      day      : Date;
      sentAt   : Timestamp;
      urgentAt : Timestamp;
}
