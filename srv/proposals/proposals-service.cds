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
    action approve(quantity : Int64, comment : String, expectedVersion : Integer) returns Proposal;
    /** Rejects; a method `reject` every service of CAP has already, with another meaning. */
    action decline(reason : String, comment : String) returns Proposal;
    action snooze(until : Timestamp) returns Proposal;
    action cancel(reason : String, comment : String) returns Proposal;

    // Steps of the service itself, which nobody calls.
    action requestSecondApproval();
    action supersede();
    action expire();
    action wake();
    action markOrdered();
  }

  type Page {
    data : array of Proposal;
    next : String;                       // the position after the last row, null at the end
  }

  /** A row of restock.Proposals with numbers as numbers, money as decimal strings. */
  type Proposal { ID : Integer; }

  type Filter {
    status       : array of String;
    location     : String;
    sku          : String;
    supplier     : String;
    updatedSince : Timestamp;
    minValue     : String;
  }

  function list(filter : Filter, sort : String, after : String, limit : Integer) returns Page;
  function find(ID : Integer) returns Proposal;
  function history(ID : Integer, after : String, limit : Integer) returns Page;
  function blocked(after : String, limit : Integer) returns Page;

  /** The sum behind a proposal line by line, and each decision about it with its sum of then. */
  function evidence(ID : Integer) returns { proposal : Proposal; };

  /** What edits and rejections were worth, held against the demand that followed. Days, `to` inclusive. */
  function valueReport(![from] : Date, to : Date) returns { decided : Integer; };

  type Risk { ID : Integer; }

  /** What no order, the proposed and another quantity would mean for the proposal's pair, as it is now. */
  function risk(ID : Integer, quantity : Int64) returns Risk;

  type Outlook { ID : Integer; }

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
