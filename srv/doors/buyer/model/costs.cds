// What a stockout and stock cost, in the words of a planner, and what that buys.
using { BuyerService } from '../buyer-service';
using from './simulation';

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
