// What decisions were worth, what a quantity would mean, and what a budget is best spent on.
using { ProposalsService } from './proposals-service';

extend service ProposalsService with {
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
    stockoutBeforeArrival : Double not null;
    stockoutAfterArrival  : Double not null;
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

  type Week {
    date   : Date not null;              // its last day
    demand : Double not null;
  }

  /** Days that the forecast does not take as they were. */
  type PastWeek : Week {
    outOfStock : Integer not null;
    closed     : Integer not null;
    outliers   : Integer not null;
    returns    : Integer not null;       // taken off the sales before them
  }

  /** `demand` is the week's own part of P50; the quantiles are of the demand from today to the week's end. */
  type WeekAhead : Week {
    p10      : Double not null;
    p50      : Double not null;
    p90      : Double not null;
    before   : Double;                   // the week's median by the forecast alone; null where planners say nothing else
    arriving : Double not null;          // open orders due in the week; what is overdue or undated counts as there today
    supply   : Double;                   // stock at the week's end but for demand; null where the stock is not known
  }

  /** A day that the forecast does not take as it was booked. */
  type CleanedDay {
    date    : Date not null;
    booked  : Double not null;           // below 0: returns
    taken   : Double;                    // instead; null: the day is left out
    reasons : array of String not null;  // of restock.CleaningReasons
  }

  type Cleaning {
    ID   : Integer not null;
    asOf : Date;                         // of the forecast; null where there is none
    days : array of CleanedDay not null;
  }

  /** What the forecast of the proposal's pair takes otherwise than it was booked, and why; ascending. */
  function cleaning(ID : Integer) returns Cleaning;

  type Outlook {
    ID           : Integer not null;
    asOf         : Date not null;
    leadTimeDays : Double;
    past         : array of PastWeek not null;
    ahead        : array of WeekAhead not null;
  }

  /** Past weeks of the proposal's pair with their demand, and what weeks ahead make of its stock. */
  function outlook(ID : Integer) returns Outlook;

  /** What would be proposed; quantity 0 for no order. */
  type WhatIf {
    ID             : Integer not null;
    quantity       : Integer64 not null;
    value          : String;
    currency       : String;
    orderBy        : Date;
    urgency        : String;
    leadTimeDays   : Double not null;
    targetQuantile : Double not null;
    p50            : Double not null;
    targetStock    : Double not null;
    netRequirement : Double not null;
  }

  /** With another lead time, service target or demand, each null for as it is; by today's numbers. */
  function whatIf(
    ID : Integer, leadTimeDays : Double, targetQuantile : Double, demandPercent : Double, demandDays : Integer
  ) returns WhatIf;

  /** Another way to meet the need: a location that has more than it needs, or another supplier. */
  type Alternative {
    kind         : String not null;      // transfer, supplier
    code         : String not null;      // of the location or the supplier
    quantity     : Integer64;            // that the location can give
    unitCost     : String;               // at the proposed quantity, where the ERP has a price
    leadTimeDays : Double;               // as receipts say
    receipts     : Integer;
    shareLate    : Double;
    lastOn       : Date;                 // of the last receipt
  }

  /** `locations`: those that the user sees; null for all. */
  function alternatives(ID : Integer, locations : array of String) returns array of Alternative;

  /** Something that has come, is to come (quantity above 0) or is to go (below 0). */
  type Movement {
    kind     : String not null;          // receipt, open_order, customer_order, reservation
    date     : Date;
    due      : Date;                     // as promised
    document : String not null;
    supplier : String;
    quantity : Double not null;
  }

  /** Of the proposal's pair, by day: receipts of the last 90 days, open orders, customer orders and reservations. */
  function movements(ID : Integer) returns array of Movement;

  /** A step of a waterfall; `from` and `to` are the sums before and after it, of a total 0 and itself. */
  type BridgeStep {
    code    : String not null;           // of restock.BridgeSteps
    amount  : Double not null;
    ![from] : Double not null;
    to      : Double not null;
    isTotal : Boolean not null;
  }

  type Bridge {
    ID          : Integer not null;
    horizonDays : Integer not null;
    asOf        : Date;                  // null where there is no forecast
    steps       : array of BridgeStep not null;
  }

  /** What leads from the demand of the same days a year ago to the P50 of now, over the proposal's horizon. */
  function bridge(ID : Integer) returns Bridge;

  /** A part of a proposal: what a budget pays of it, or what it does not. */
  type BudgetLine {
    ID               : Integer not null;
    version          : Integer not null; // of the proposal as it was weighed
    source           : Integer;
    supplier         : String;
    orderBy          : Date;
    sku              : String not null;
    location         : String not null;
    quantity         : Integer64 not null;
    proposedQuantity : Integer64 not null;
    value            : String not null;
    valueAtRisk      : String;           // in proportion to the quantity; null where it is unknown
  }

  /** What the budget does not pay, the rest of cut lines included; `lines`: of which nothing is paid. */
  type NotTaken {
    lines       : Integer not null;
    value       : String not null;
    valueAtRisk : String not null;
  }

  /** Lines that could not be weighed. */
  type LeftOut {
    otherCurrency : Integer not null;
    withoutCost   : Integer not null;
  }

  type Budget {
    data      : array of BudgetLine not null;
    rest      : array of BudgetLine not null;   // not paid, what costs most to wait for first; no more than 200
    value     : String not null;
    units     : Integer64 not null;
    currency  : String;                  // null where no line has one
    leftValue : String;                  // null where money was not limited
    leftUnits : Integer64;
    notTaken  : NotTaken not null;
    leftOut   : LeftOut not null;
  }

  /** Which pending proposals a budget of money (decimal string) or units is best spent on. It decides nothing. */
  function budget(
    supplier : String, location : String, currency : String, budget : String, units : Integer
  ) returns Budget;

  /** Which order: of one ERP connection, supplier and currency and, where it is ordered apart, of one location. */
  type OrderKey {
    source   : Integer;
    supplier : String not null;
    location : String;                   // null: of all locations that are not ordered apart
    currency : String;
  }

  /** What is open of an order; money as decimal strings. */
  type OpenOrder : OrderKey {
    lines       : Integer not null;
    value       : String not null;       // of lines whose cost is known
    dueLines    : Integer not null;      // their last order day is today or has passed
    dueValue    : String not null;
    valueAtRisk : String not null;       // of what is due
    orderBy     : Date;                  // the first of the last order days
  }

  /** Orders with pending purchases, what costs most to wait for first. */
  function openOrders() returns array of OpenOrder;

  type WorkbenchLine {
    ID           : Integer not null;
    isChosen     : Boolean not null;
    quantity     : Integer64 not null;   // as chosen, else as proposed
    unitCost     : String;               // at that quantity
    value        : String;
    valueAtRisk  : String;               // in proportion to the quantity; null where it is unknown
    breakFrom    : Integer64;            // the next price break; null where there is none
    breakCost    : String;
    approval     : String;               // if it is approved after those above: only, first (of two), second; null where it is refused
    refusal      : String;               // a key of _i18n/messages.json with its facts, JSON
  }

  type OrderGoal {
    kind       : String not null;        // minimum_value, minimum_quantity, free_freight, container
    required   : Double not null;
    reached    : Double not null;
    missing    : Double not null;
    containers : Integer;                // those that are begun
  }

  type OrderSuggestion {
    action      : String not null;       // add, drop
    why         : String not null;       // the kind of a goal, or waiting
    lines       : array of Integer not null;
    value       : Double not null;
    units       : Double not null;
    valueAtRisk : Double not null;       // averted by adding, borne by dropping
    saving      : Double;                // of freight
    isEnough    : Boolean not null;
  }

  type SupplierOrder : OrderKey {
    total        : Integer not null;     // lines that are open; no more than 1,000 of them are answered
    lines        : array of WorkbenchLine not null;   // what costs most to wait for first
    chosen       : Integer not null;
    units        : Double not null;      // of the chosen lines
    value        : Double not null;
    valueAtRisk  : Double not null;
    leftAtRisk   : Double not null;      // what waiting with the others costs
    goals        : array of OrderGoal not null;
    suggestions  : array of OrderSuggestion not null;
    orderBy      : Date;                 // the first of the last order days
    nextOrderDay : Date;                 // by the ordering rule; null where it names no days
    orderDayAfter : Date;
  }

  type ChosenLine {
    ID       : Integer not null;
    quantity : Integer64;                // null: as proposed
  }

  /**
   * The open lines of an order, what they come to and what would fill it.
   * `chosen`: which of them it holds; null: those that are due. It decides nothing.
   */
  function supplierOrder(
    source : Integer, supplier : String, location : String, currency : String, chosen : array of ChosenLine
  ) returns SupplierOrder;
}
