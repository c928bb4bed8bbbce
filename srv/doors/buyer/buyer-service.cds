using { restock } from '../../../db';

/**
 * What buyers see and decide, over OData V4. Lists are read as they are stored, never computed;
 * decisions go through ProposalsService, the one state machine.
 */
@path: '/odata/v4/buyer'
@requires: ['Viewer', 'Buyer', 'ApproverHigh', 'Admin', 'Auditor']
service BuyerService {

  /** Proposals of the locations and groups that the user's attributes name; all where they name none. */
  @readonly @cds.redirection.target
  entity Proposals as select from restock.Proposals as own {
    *,
    'prop_' || own.ID as number : String(20),
    own.source.ID as source : Integer,
    own.supplier as supplierOrder : String(500),   // sorted by the supplier's code; shown with its open value and minimum (supplier-orders.ts)
    // The calculation as single elements: a table cannot show a structured one.
    own.calculation.quantity as calculatedQuantity,
    case when own.calculation.p50 > 0 and own.calculation.onHand > 0
         then floor(own.calculation.onHand * own.calculation.horizonDays / own.calculation.p50)
         when own.calculation.p50 > 0 then 0 end as daysOfSupply : Integer,
    virtual null as isSmall : Boolean,             // pending, and waiting with it costs less than a line is worth (filters.ts)
    virtual null as needsThought : Boolean,        // much of its value is uncertain, or has changed (filters.ts)
    virtual null as thoughtMark : Integer,         // the same as a criticality, for the mark of its row
    virtual null as responsible : String(255),     // as the ordering rules name it (assigned.ts)
    virtual null as isMine : Boolean,              // the responsible buyer is the user, or whom the user stands in for
    virtual null as isTeams : Boolean,             // or of their team
    virtual null as isForMe : Boolean,             // the user is told of it, and has neither answered nor decided
    virtual null as isDueToday : Boolean,          // pending, and to be ordered by the present day of its location (filters.ts)
    own.calculation.onHand as onHand,
    own.calculation.onOrder as onOrder,
    own.calculation.openProposals as openProposals,
    own.calculation.p10 as p10,
    own.calculation.p50 as p50,
    own.calculation.p90 as p90,
    own.calculation.horizonDays as horizonDays,
    own.calculation.leadTimeDays as leadTimeDays,
    own.calculation.reviewPeriodDays as reviewPeriodDays,
    own.calculation.targetQuantile as targetQuantile,
    own.calculation.targetStock as targetStock,
    own.calculation.netRequirement as netRequirement,
    own.calculation.moq as moq,
    own.calculation.lotSize as lotSize,
    // Lists of codes are joined by a comma for people: OData filters no element of a list.
    replace(replace(replace(cast(own.calculation.drivers as String(1000)), '[', ''), ']', ''), '"', '') as drivers : String(500),
    replace(replace(replace(cast(own.exceptions as String(1000)), '[', ''), ']', ''), '"', '') as exceptions : String(500),
    own.calculation.further as further,
    // Names in the master data: looked up for the rows that are read, so that lists and counts need no join (names.ts).
    virtual null as skuName : String(200),
    virtual null as unit : String(20),
    virtual null as orderedAs : String(60) @title: '{i18n>orderedAs}',   // the quantity in the unit of the supplier
    virtual null as contract : String(500) @title: '{i18n>contract}',    // the one that it calls off from, and what that has left
    virtual null as skuGroup : String(100),
    virtual null as locationName : String(200),
    virtual null as supplierName : String(200),    // of a transfer where it comes from
    virtual null as dataAsOf : Date,               // of its source
    virtual null as exceptionsText : String(1000),
    virtual null as driversText : String(1000),
    virtual null as skuText : String(350),         // the code without leading zeros, and the name
    virtual null as locationText : String(350),    // likewise
    virtual null as forecastText : String(100),    // P50 (P10–P90)
    // Why it is not what it was a day ago; null where it is (what-changed.ts).
    own.numbersBefore as changed : String(500) @title: '{i18n>changedSince}',
    virtual null as buys : String(300) @title: '{i18n>buys}',   // what the order does, computed where it is asked for by name
    virtual null as censoredShare : String(100) @title: '{i18n>censoredShare}',   // computed where it is asked for by name
    virtual null as missingData : String(500) @title: '{i18n>missingData}',       // likewise
    virtual null as forecastAdjusted : String(1000) @title: '{i18n>forecastAdjusted}',   // null where no planner says anything
    virtual null as measuredLeadTime : String(200) @title: '{i18n>measuredLeadTime}',
    // What the status allows by srv/domain/proposals/flows.cds; false for users who may not decide (computed-elements.ts).
    virtual null as canApprove : Boolean,
    virtual null as canReject : Boolean,
    virtual null as canSnooze : Boolean,
    virtual null as canCancel : Boolean,
    virtual null as canAdjust : Boolean,           // the forecast, whatever the status
    formula : Association to many FormulaLines on formula.proposal = $self.ID,
    similar : Association to many Decisions on similar.series = $self.series and similar.ID != $self.ID,
  }
  // Internal elements, and associations that lead past the restrictions of rows (filters.ts).
  excluding { calculation, asOf, basis, touched, lapsed, openKey, formerTerms, numbersBefore, firstApproverFor, toSeries, successor, decisions }
  actions {
    // `version` is the one that was shown: where quantity, value, supplier, order-by day or exceptions are others
    // by now, nothing is decided (srv/domain/proposals/stored/terms.ts).
    /** An empty `quantity`, or 0, approves the proposed one. */
    action approve(quantity : Integer64, comment : String(1000), version : Integer) returns Proposals;
    action decline(reason : String(50), comment : String(1000), version : Integer) returns Proposals;
    action snooze(until : Date, version : Integer) returns Proposals;
    action cancel(reason : String(50), comment : String(1000), version : Integer) returns Proposals;
    /** Whom the text names by @name is told. It decides nothing. */
    action addComment(text : String(1000)) returns Proposals;
    /** Stockout risk and days of supply of no order, of the proposed quantity and of another one, by today's stock. */
    function risk(quantity : Integer64) returns Risk;
    /** Past weeks, 12 unless more are asked for, 52 at most, and future ones; none while the pair has no forecast. */
    function outlook(weeks : Integer) returns many OutlookWeek;
    /** What the forecast takes otherwise than it was booked, the latest 100 days, the latest first; none while the pair has no forecast. */
    function cleaning() returns many CleanedDay;
    /** From the demand of the same days a year ago to the P50 of now; none while the pair has no forecast. */
    function bridge() returns many BridgeStep;
  };

  // The same decisions about up to 1,000 proposals. `proposals` lists their numbers, joined by commas; 12@7 is number 12
  // as version 7 showed it, 12@7:48 approves a quantity of 48. Each proposal is decided by itself; each refusal is a
  // message. They return how many were decided.
  action approveMany(proposals : LargeString, comment : String(1000)) returns Integer;
  action declineMany(proposals : LargeString, reason : String(50), comment : String(1000)) returns Integer;
  action snoozeMany(proposals : LargeString, until : Date) returns Integer;
  /** Passes undecided lines, their numbers joined by commas, on to somebody who may approve them. It decides nothing. */
  action passOn(proposals : LargeString, to : String(255), comment : String(1000)) returns Integer;
  /** What is to be known before many are decided, as they are listed for that. It decides nothing. */
  action lookBefore(proposals : LargeString) returns {
    lowConfidence : Integer;
    noDemand      : Integer;             // with a forecast of 0
    thought       : Integer;             // that need thought
    second        : Integer;             // that another person must approve too
    refused       : Integer;             // that this user may not approve
    refusal       : String(500);         // why, of the first
  };
  action cancelMany(proposals : LargeString, reason : String(50), comment : String(1000)) returns Integer;

  type QuantityRisk {
    quantity            : Integer64;
    stockoutProbability : Double;
    stockoutBeforeArrival : Double;      // no quantity of this order mends it
    stockoutAfterArrival  : Double;
    stockoutDay         : Date;          // null: not within a year
    daysOfSupplyP50     : Integer;
    daysOfSupplyP90     : Integer;
    value               : Decimal(19, 2);
  }

  type Risk {
    asOf     : Date;
    currency : String(3);
    none     : QuantityRisk;
    proposed : QuantityRisk;
    asked    : QuantityRisk;
  }

  /** The calculation of the quantity, line by line. */
  @readonly @cds.persistence.skip
  entity FormulaLines {
    key proposal : Integer;
    key line     : Integer;
        term     : String(50);
        termText : String(100);
        how      : String(300);
        value    : Double;
  }

  /** A past week with its demand, or a future one with expected demand and stock. */
  type OutlookWeek {
    date       : Date;               // the week's last day
    isForecast : Boolean;
    demand     : Double;             // of the week; the median of a future one
    days       : Integer;            // of a past one with known demand: less than 7 where the data end within it
    promoted   : Integer;            // days with a promotion; of a future week planned ones
    demandBefore : Double;           // of a future one, by the forecast alone where planners say something else; null else
    demandP10  : Double;             // of the week by itself
    demandP90  : Double;
    arriving   : Double;             // open orders due in the week
    arrivesOn  : Date;               // the first day on which one does
    stockP10   : Double;             // at the end of the week, without this order; at P90 of demand
    stockP50   : Double;
    stockP90   : Double;             // at P10 of demand
    stockWithOrder : Double;         // the median, with this order
    outOfStock : Integer;            // days of a past week that the forecast does not take as they were
    closed     : Integer;
    outliers   : Integer;
    returns    : Integer;
    cleaning   : String(200);        // the same in words; null for none
  }

  type CleanedDay {
    date   : Date;
    booked : Double;                 // below 0: returns
    taken  : Double;                 // instead; null: the day is left out
    reason : String(300);
  }

  /** A step of a waterfall, on a scale from the least to the greatest of its sums. */
  type BridgeStep {
    code       : String(50);
    name       : String(100);
    amount     : Double;
    amountText : String(30);         // with its sign, of a step that is no total
    ![from]    : Double;
    to         : Double;
    least      : Double;
    most       : Double;
    isTotal    : Boolean;
  }

  /** Changes of a proposal. */
  @readonly
  entity Events as projection on restock.ProposalEvents {
    key ID, proposal, version, at, actor, onBehalfOf, via, event, quantity, comment, toEvent, toVia
  };

  /** Former decisions about the same SKU and location. */
  @readonly
  entity Decisions as select from restock.Proposals {
    *, 'prop_' || ID as number : String(20), source.ID as source : Integer, calculation.quantity as calculatedQuantity,
    calculation.horizonDays as horizonDays, calculation.p10 as p10, calculation.p50 as p50, calculation.p90 as p90,
    virtual null as whatCame : String(300)       // demand since, beside the forecast
  }
  excluding {
    calculation, exceptions, basis, touched, lapsed, openKey, formerTerms, numbersBefore, firstApproverFor, toSeries, successor, decisions,
    events
  }
  where decidedAt is not null;

  /** Pairs of SKU and location without a proposal, and the missing value. */
  @readonly
  entity Blocked as select from restock.BlockedPairs as own
    left join restock.Skus on Skus.source.ID = own.source.ID and Skus.sku = own.sku
  {
    key own.series, key own.missing, own.source.ID as source : Integer, own.sku, Skus.name as skuName, Skus.skuGroup, own.location, own.reason, own.facts, own.toMissing,
    virtual null as skuText : String(350)
  };

  /** What no order can mend, at the locations and of the groups that the user sees. */
  @readonly
  entity Exceptions as select from restock.Exceptions as own
    left join restock.Skus      on Skus.source.ID = own.source.ID and Skus.sku = own.sku
    left join restock.Locations on Locations.source.ID = own.source.ID and Locations.location = own.location
    left join restock.Suppliers on Suppliers.source.ID = own.source.ID and Suppliers.supplier = own.supplier
  {
    key own.ID,
    'exc_' || own.ID as number : String(20),
    own.source.ID as source : Integer,
    own.series, own.kind, own.toKind, own.sku, own.location, own.supplier, own.document,
    own.quantity, own.promisedOn, own.wantedOn, own.value, own.valueAtRisk, own.currency, own.message, own.facts,
    own.createdAt, own.updatedAt, own.settledAt, own.settledBy, own.comment,
    Skus.name as skuName,
    Locations.name as locationName,
    Suppliers.name as supplierName,
    case when own.settledAt is null then false else true end as isSettled : Boolean,
    virtual null as skuText : String(350),
    virtual null as supplierText : String(350),
    virtual null as canSettle : Boolean,
  }
  actions {
    /** Off the list of open ones, for as long as it holds. */
    action settle(comment : String(1000)) returns Exceptions;
  };

  type Overview {
    user           : String(255);
    roles          : String(500);
    mayDecide      : Boolean;
    pending        : Integer;        // as lists show them: small lines apart
    due            : Integer;        // the same
    small          : Integer;        // rows of small lines, one for each supplier
    stockoutBeforeArrival : Integer;
    awaitingSecond : Integer;
    blocked        : Integer;
    dataAsOf       : Date;           // the oldest of the connected sources
    dataAgeDays    : Integer;
    isDataStale    : Boolean;
    isSyncing      : Boolean;
    failingSources : Integer;
  }

  /** The user, the number of open proposals, and the age of the data. */
  function overview() returns Overview;

  @readonly entity Skus as select distinct key sku, name from restock.Skus;
  @readonly entity SkuGroups as select distinct key skuGroup from restock.Skus where skuGroup is not null;
  @readonly entity ProposalExceptions as projection on restock.ProposalExceptions;
  // Those of proposals: a source may have no master data of them.
  @readonly entity Locations as select from restock.Proposals as own
    left join restock.Locations as named on named.source.ID = own.source.ID and named.location = own.location
    distinct { key own.location, named.name };
  @readonly entity Suppliers as select from restock.Proposals as own
    left join restock.Suppliers as named on named.source.ID = own.source.ID and named.supplier = own.supplier
    distinct { key own.supplier, named.name } where own.supplier is not null;
}

// Roles by action. The rows that a user sees follow from attributes of the user: filters.ts.
annotate BuyerService.Proposals with @restrict: [
  { grant: ['READ', 'risk', 'outlook', 'cleaning', 'bridge', 'rules', 'whatIf', 'alternatives', 'movements'] },
  { grant: ['approve', 'decline', 'snooze', 'cancel', 'adjustForecast', 'addComment'], to: ['Buyer', 'ApproverHigh'] },
];
annotate BuyerService.Exceptions with @restrict: [
  { grant: 'READ' },
  { grant: 'settle', to: ['Buyer', 'ApproverHigh'] },
];
annotate BuyerService.approveMany with @requires: ['Buyer', 'ApproverHigh'];
annotate BuyerService.declineMany with @requires: ['Buyer', 'ApproverHigh'];
annotate BuyerService.passOn with @requires: ['Buyer', 'ApproverHigh'];
annotate BuyerService.snoozeMany with @requires: ['Buyer', 'ApproverHigh'];
annotate BuyerService.lookBefore with @requires: ['Buyer', 'ApproverHigh'];
annotate BuyerService.cancelMany with @requires: ['Buyer', 'ApproverHigh'];
