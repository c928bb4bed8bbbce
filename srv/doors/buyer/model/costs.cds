// What a stockout and stock cost, in the words of a planner, and what that buys.
using { BuyerService } from '../buyer-service';

extend service BuyerService with {
  /** Costs that hold for all pairs or a group, unless a more specific rule says others. */
  type Costs {
    stockoutCostShare        : Double;     // of the unit cost, for a unit short
    carryingCostSharePerYear : Double;     // of the unit cost, for a unit kept a year
    unmetDemand              : String(20); // backordered or lost
    weeks                    : Double;     // a unit short costs as much as carrying one so long
    text                     : String(300);
  }

  type CostsOfGroup {
    code  : String(100);
    text  : String(300);
    pairs : Integer;
    costs : String(300);                   // in a sentence; null where no rule can say them
    buys  : BuyerService.SimulationPoint;
  }

  type CostsStatement {
    isSet     : Boolean;
    question  : String(500);               // as long as nobody has said the costs
    costs     : BuyerService.Costs;
    currency  : String(3);
    pairs     : Integer;
    buys      : BuyerService.SimulationPoint;
    groups    : many BuyerService.CostsOfGroup;
    maySet    : Boolean;
  }

  type CostStep {
    term    : String(100);
    formula : String(200);
    value   : Double;
  }

  type CostsPreview {
    costs    : BuyerService.Costs;
    steps    : many BuyerService.CostStep;
    currency : String(3);
    pairs    : Integer;
    now      : BuyerService.SimulationPoint;
    then     : BuyerService.SimulationPoint;
  }

  type PastRatio {
    code  : String(100);
    text  : String(300);
    pairs : Integer;
    weeks : Double;                        // null where it cannot be told
    low   : Double;
    high  : Double;
    note  : String(300);                   // what it is found from, or why it cannot be told
  }

  type PastCosts {
    fromDay : Date;
    toDay   : Date;
    ratios  : many BuyerService.PastRatio;              // all first
  }

  /** The costs in force, and the service and stock that they buy; `by`: abc or group. */
  function costs(by : String(20)) returns CostsStatement;
  /** The ratio of costs by which stock was kept in the past year. It sets nothing. */
  function pastCosts(by : String(20)) returns PastCosts;
  /** What a planner's words mean for costs, stock and service. Percents: 30 is 30 %. It changes nothing. */
  function previewCosts(
    skuGroup : String(100), abcClass : String(1), unmetDemand : String(20), marginPercent : Double, latePercent : Double, shortPerUnit : Double,
    weeks : Double, storagePercent : Double, interestPercent : Double, writeOffPercent : Double, writeOffAfterDays : Double
  ) returns CostsPreview;
  /** Sets them in the ordering rule for everything, for the group or for the ABC class. */
  action setCosts(
    skuGroup : String(100), abcClass : String(1), unmetDemand : String(20), marginPercent : Double, latePercent : Double, shortPerUnit : Double,
    weeks : Double, storagePercent : Double, interestPercent : Double, writeOffPercent : Double, writeOffAfterDays : Double
  ) returns Costs;
}

annotate BuyerService.setCosts with @requires: 'Admin';

// Service against stock value, for those who decide about ordering rules.
extend service BuyerService with {
  type SimulationPoint {
    target         : Double;             // null: each pair by its own rules
    stockValue     : Decimal(19, 2);
    stockError     : Decimal(19, 2);     // standard error; 0 where no pair was left out
    fillRate       : Decimal(9, 4);      // percent
    stockoutChance : Decimal(9, 4);      // percent
    shortPerYear   : Decimal(19, 2);
  }

  type SimulationGroup {
    code   : String(100);
    text   : String(300);
    pairs  : Integer;
    rules  : SimulationPoint;
    asked  : SimulationPoint;            // with the target asked for
    target : Double;                     // that the budget is best spent on
    spread : SimulationPoint;            // with that target
    curve  : many SimulationPoint;
  }

  type Simulation {
    asOf        : Date;
    currency    : String(3);
    changeDays  : Integer;
    pairs       : Integer;
    simulated   : Integer;
    withoutCost : Integer;
    withoutData : Integer;
    onHandValue : Decimal(19, 2);
    today       : SimulationPoint;
    rules       : SimulationPoint;
    asked       : SimulationPoint;
    curve       : many SimulationPoint;
    groups      : many SimulationGroup;
    budgetTarget : Double;
    budgetPoint  : SimulationPoint;      // with the highest target for all that the budget pays
    budgetSpread : SimulationPoint;      // with a target a group
    maySet      : Boolean;               // ordering rules
  }

  /**
   * What another service target (0.5 to 0.99), lead time (days more or less) or budget of stock would mean in the long
   * run; `by`: abc, supplier, group or location. It changes nothing.
   */
  function simulate(
    target : Double, changeDays : Integer, budget : Decimal(19, 2), by : String(20),
    supplier : String(100), location : String(100), skuGroup : String(100)
  ) returns Simulation;
}

// What a budget of money or units is best spent on, for the dialog of the app.
extend service BuyerService with {
  /** A part of a proposal: what the budget pays of it, or what it does not. */
  type BudgetPart {
    ID               : Integer;
    number           : String(20);
    version          : Integer;        // as it was weighed: what is approved is what was shown
    sku              : String(100);
    skuName          : String(200);
    location         : String(100);
    locationName     : String(200);
    supplier         : String(100);
    orderBy          : Date;
    quantity         : Integer64;
    proposedQuantity : Integer64;
    value            : Decimal(19, 2);
    valueAtRisk      : Decimal(19, 2); // cost of waiting with this quantity; null where it is unknown
  }

  /** What the budget does not pay, the rest of cut lines included; `lines`: of which nothing is paid. */
  type BudgetRest {
    lines       : Integer;
    value       : Decimal(19, 2);
    valueAtRisk : Decimal(19, 2);
  }

  type FilledBudget {
    taken         : many BudgetPart;   // what protects most for its money, or its units, first
    rest          : many BudgetPart;   // what costs most to wait for first; no more than 200
    notTaken      : BudgetRest;
    value         : Decimal(19, 2);
    units         : Integer64;
    currency      : String(3);
    leftValue     : Decimal(19, 2);    // null where money was not limited
    leftUnits     : Integer64;
    otherCurrency : Integer;           // lines that could not be weighed
    withoutCost   : Integer;
    mayApprove    : Boolean;
  }

  /** What is open at a supplier, in one currency. */
  type OpenSupplier {
    supplier       : String(100);
    supplierName   : String(200);
    currency       : String(3);
    lines          : Integer;
    value          : Decimal(19, 2);
    containerUnits : Integer;          // of its orders, where they all have the same
  }

  /** Which pending purchases a budget is best spent on. It decides nothing. */
  function fillBudget(supplier : String(100), currency : String(3), budget : Decimal(19, 2), units : Integer) returns FilledBudget;

  /** Suppliers with pending purchases. */
  function openSuppliers() returns many OpenSupplier;
}

annotate BuyerService.simulate with @requires: ['ApproverHigh', 'Admin'];
