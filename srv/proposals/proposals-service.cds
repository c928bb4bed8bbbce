using { restock } from '../../db';

/**
 * The one state machine of proposals, behind every door: /v1, the apps, the ERP's inbox, the CLI.
 * Callers set the user and `via`; refusals are thrown as `Refusal` (srv/errors.ts).
 */
@protocol: 'none'
service ProposalsService {

  @readonly
  @singular: 'ProposalRow'
  entity Proposals as projection on restock.Proposals actions {
    /** With another quantity if need be. */
    action approve(quantity : Integer64, comment : Comment, expectedVersion : Integer) returns Proposal;
    /** Rejects; a method `reject` every service of CAP has already, with another meaning. */
    action decline(reason : Reason, comment : Comment) returns Proposal;
    action snooze(until : Timestamp) returns Proposal;
    action cancel(reason : Reason, comment : Comment) returns Proposal;

    // Steps of the service itself, which nobody calls.
    action requestSecondApproval();
    action supersede();
    action expire();
    action wake();
    action markOrdered();
  }

  type Comment : String(1000);

  /** Why a buyer does not want an order: the codes of restock.RejectionReasons. */
  type Reason : String(50) enum {
    not_needed; too_much; too_early; wrong_supplier; price; discontinued; other;
  };

  /**
   * A row of restock.Proposals with numbers as numbers, money as decimal strings, and in `calculation` all
   * that engine/proposal/types.ts has there.
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
    location     : String;
    sku          : String;
    supplier     : String;
    updatedSince : Timestamp;
    minValue     : String;               // decimal string
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
  }

  type BlockedPage {
    data : array of BlockedPair not null;
    next : Position;
  }

  function blocked(after : Position, limit : Integer) returns BlockedPage;

  /** A step of the sum: what it is called, what was put in, what came out. */
  type FormulaLine {
    term    : String not null;
    formula : String not null;
    value   : Double not null;
  }

  /** All that a decision was made from, as it was kept; complete in itself. */
  type KeptEvidence {
    formula       : Integer not null;    // which form of the sum it follows
    proposal      : Integer not null;
    version       : Integer not null;
    event         : String not null;
    at            : Timestamp not null;
    ![by]         : String not null;
    onBehalfOf    : String;
    via           : String not null;
    ![key]        : String;              // the API key that it came by
    ![from]       : String not null;     // the status before
    sku           : String not null;
    location      : String not null;
    supplier      : String;
    quantity      : Integer64 not null;  // what was decided about, after a buyer's edit
    unitCost      : String;
    value         : String;
    currency      : String;
    urgency       : String not null;
    reason        : String;
    comment       : String;
    basis         : Map;                 // of the calculation; null where it was made before this was kept
    calculation   : restock.Calculation not null;
    engineVersion : String not null;     // of the service at the moment of the decision
  }

  /** A decision with its sum done again from what was kept. */
  type DecisionEvidence : KeptEvidence {
    lines            : array of FormulaLine not null;
    replayedQuantity : Double not null;
  }

  type Evidence {
    proposal  : Proposal not null;
    basis     : Map;
    lines     : array of FormulaLine not null;
    decisions : array of DecisionEvidence not null;
  }

  /** The sum behind a proposal line by line, and each decision about it with its sum of then. */
  function evidence(ID : Integer) returns Evidence;

  /** How pairs would have fared with a quantity. */
  type Outcome {
    stockoutDays : Integer not null;     // days on which less was there than was wanted
    unitsShort   : Double not null;
    averageStock : Double not null;      // units at the end of the day
  }

  /** Average stock times unit cost; decimal strings. */
  type WorkingCapital {
    currency   : String not null;
    system     : String not null;
    buyer      : String not null;
    difference : String not null;
  }

  type ValueReport {
    ![from]        : Date not null;
    to             : Date not null;
    decided        : Integer not null;
    unchanged      : Integer not null;   // approved as calculated: system and buyer are one
    edited         : Integer not null;
    rejected       : Integer not null;   // rejected or cancelled: nothing was ordered
    evaluated      : Integer not null;   // edits and rejections whose days have passed
    tooRecent      : Integer not null;   // those whose days have not
    system         : Outcome not null;
    buyer          : Outcome not null;
    workingCapital : array of WorkingCapital not null;
  }

  /** What edits and rejections were worth, held against the demand that followed. Days, `to` inclusive. */
  function valueReport(![from] : Date, to : Date) returns ValueReport;

  type QuantityRisk {
    quantity            : Integer64 not null;
    stockoutProbability : Double not null;
    stockoutDay         : Date;          // null: not within a year
    daysOfSupplyP50     : Integer not null;
    daysOfSupplyP90     : Integer not null;
    value               : Double;
  }

  type Risk {
    ID       : Integer not null;
    asOf     : Date not null;
    currency : String;
    none     : QuantityRisk not null;
    proposed : QuantityRisk not null;
    asked    : QuantityRisk;
  }

  /** What no order, the proposed and another quantity would mean for the proposal's pair, as it is now. */
  function risk(ID : Integer, quantity : Int64) returns Risk;

  type PastWeek {
    date   : Date not null;              // its last day
    demand : Double not null;
  }

  /** `demand` is the week's own part of P50; the quantiles are of the demand from today to the week's end. */
  type WeekAhead : PastWeek {
    p10      : Double not null;
    p50      : Double not null;
    p90      : Double not null;
    arriving : Double not null;          // open orders due in the week; what is overdue or undated counts as there today
    supply   : Double;                   // stock at the week's end but for demand; null where the stock is not known
  }

  type Outlook {
    ID           : Integer not null;
    asOf         : Date not null;
    leadTimeDays : Double;
    past         : array of PastWeek not null;
    ahead        : array of WeekAhead not null;
  }

  /** Past weeks of the proposal's pair with their demand, and what weeks ahead make of its stock. */
  function outlook(ID : Integer) returns Outlook;

  /** A rule of one's own about how pairs are replenished; null says nothing. */
  type PolicyRule {
    level     : String;
    skuGroup  : String;
    supplier  : String;
    sku       : String;
    location  : String;
    reviewPeriodDays         : Integer;
    stockoutCostShare        : Double;
    carryingCostSharePerYear : Double;
    targetQuantile           : Double;
    leadTimeDays             : Integer;
    leadTimeDeviationDays    : Double;
    moq                      : Double;
    lotSize                  : Double;
    maximumOrder             : Double;
    maximumStock             : Double;
    shelfLifeDays            : Integer;
    minimumOrderValue        : String;
    containerUnits           : Double;
    orderDays                : array of Integer;
  }

  type PolicyFilter {
    level    : String;
    skuGroup : String;
    supplier : String;
    sku      : String;
    location : String;
  }

  type PolicyPage {
    data : array of PolicyRule;
    next : String;
  }

  function policies(filter : PolicyFilter, after : String, limit : Integer) returns PolicyPage;
  /** Sets a rule in place of what it said before, and recomputes what it concerns in the background. */
  action setPolicy(rule : PolicyRule) returns PolicyRule;
  action removePolicy(rule : PolicyFilter);

  /** Recomputes the open proposals and blocked pairs of a source from its newest forecasts and stock. */
  action refresh(source : Integer, sync : Integer) returns { proposed : Integer; blocked : Integer; };

  /** Supersedes the pending proposals of pairs that are gone, e.g. with their source. */
  action abandon(source : Integer);

  /** Lets proposals expire and wakes snoozed ones; repeated by the schedule. */
  action housekeeping();
}
