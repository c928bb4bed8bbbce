using { restock } from '../../../db';

/**
 * The one state machine of proposals, behind every door: /v1, the apps, the ERP's inbox, the CLI.
 * Callers set the user and `via`; refusals are thrown as `Refusal` (srv/base/errors.ts).
 */
@protocol: 'none'
service ProposalsService {

  @readonly
  @singular: 'ProposalRow'
  entity Proposals as projection on restock.Proposals actions {
    // Each may say which version its caller was shown. `expectedVersion`: any other is refused. `seenVersion`: refused
    // where the terms have changed since (srv/domain/proposals/stored/terms.ts).
    /** With another quantity if need be. */
    action approve(quantity : Integer64, comment : Comment, expectedVersion : Version, seenVersion : Version) returns Proposal;
    /** Rejects; a method `reject` every service of CAP has already, with another meaning. */
    action decline(reason : Reason, comment : Comment, expectedVersion : Version, seenVersion : Version) returns Proposal;
    action snooze(until : Timestamp, expectedVersion : Version, seenVersion : Version) returns Proposal;
    action cancel(reason : Reason, comment : Comment, expectedVersion : Version, seenVersion : Version) returns Proposal;

    // Steps of the service itself, which nobody calls.
    action requestSecondApproval();
    action supersede();
    action expire();
    action wake();
    action markOrdered();
  }

  type Comment : String(1000);

  type Version : Integer @assert.range: [1, 2147483647];

  /** Why a buyer does not want an order: the codes of restock.RejectionReasons. */
  type Reason : String(50) enum {
    not_needed; too_much; too_early; wrong_supplier; price; discontinued; other;
  };

  /**
   * A row of restock.Proposals with numbers as numbers, money as decimal strings, and in `calculation` all
   * that engine/proposal/calculation.ts has there.
   */
  type Proposal : projection on restock.Proposals {
    *, source.ID as source : Integer
  } excluding {
    source, urgencyRank,
    toSeries, toStatus, toUrgency, toConfidence, toReason, successor, events, decisions
  };

  /** The position after the last row of a page, null at the end. */
  type Position : String;

  type ProposalPage {
    data : array of Proposal not null;
    next : Position;
  }

  type Filter {
    status       : array of String;
    urgency      : array of String;
    location     : String;
    sku          : String;
    supplier     : String;
    updatedSince : Timestamp;
    minValue     : String;               // decimal string
    orderByUntil : Date;
    due          : Boolean;        // what must be ordered by the present day of its location
  }

  function list(filter : Filter, sort : String, after : Position, limit : Integer) returns ProposalPage;
  function find(ID : Integer) returns Proposal;

  type HistoryEntry {
    version    : Integer not null;
    at         : Timestamp not null;
    actor      : String not null;
    onBehalfOf : String;                 // whose right the actor used, by delegation
    via        : String not null;
    event      : String not null;
    quantity   : Integer64;
    comment    : String;
  }

  type HistoryPage {
    data : array of HistoryEntry not null;
    next : Position;
  }

  /** Oldest first. */
  function history(ID : Integer, after : Position, limit : Integer) returns HistoryPage;

  type BlockedPair {
    series   : Integer not null;
    missing  : restock.BlockedPairs:missing not null;
    sku      : String not null;
    location : String not null;
    reason   : String not null;
    source   : Integer not null;
    ledBy    : Integer;                  // the source that leads the pair
  }

  type BlockedPage {
    data : array of BlockedPair not null;
    next : Position;
  }

  function blocked(after : Position, limit : Integer) returns BlockedPage;

  /** A row of restock.Exceptions with numbers as numbers and money as a decimal string. */
  type Exception {
    ID         : Integer not null;
    source     : Integer not null;
    kind       : restock.Exceptions:kind not null;
    sku        : String not null;
    location   : String not null;
    supplier   : String;
    document   : String;                 // the ERP's order with its line; null where it is about no order
    quantity   : Double not null;
    promisedOn : Date;
    wantedOn   : Date;
    value      : String;
    currency   : String;
    message    : String not null;
    createdAt  : Timestamp not null;
    updatedAt  : Timestamp not null;
    settledAt  : Timestamp;
    settledBy  : String;
    comment    : String;
  }

  type ExceptionFilter {
    kind     : array of String;
    location : String;
    sku      : String;
    supplier : String;
    settled  : Boolean;                  // those that somebody has settled instead of the open ones
  }

  type ExceptionPage {
    data : array of Exception not null;
    next : Position;
  }

  /** The newest first. */
  function exceptions(filter : ExceptionFilter, after : Position, limit : Integer) returns ExceptionPage;
  function findException(ID : Integer) returns Exception;
  /** Takes it off the list of open ones for as long as it holds; settling again changes nothing. */
  action settleException(ID : Integer, comment : Comment) returns Exception;

  /**
   * Recomputes the open proposals and blocked pairs of a source from its newest forecasts and stock; `onlyMarked`: of the
   * pairs that a sync of another source has changed.
   */
  action refresh(source : Integer, sync : Integer, onlyMarked : Boolean) returns { proposed : Integer; blocked : Integer; };

  /** Calculates a pending proposal anew, after its numbers have been refused as stale. */
  action recalculate(ID : Integer);

  /** Supersedes the pending proposals of pairs that are gone, e.g. with their source. */
  action abandon(source : Integer);

  /** Lets proposals expire and wakes snoozed ones; repeated by the schedule. */
  action housekeeping();
}
