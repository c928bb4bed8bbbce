// What other service targets, lead times and budgets would mean for stock and service, before a rule is set.
using { ProposalsService } from './reports';

extend service ProposalsService with {
  /** What a target leads to in the long run. Money is in the account's currency. */
  type SimulationPoint {
    target         : Double;             // null: each pair by its own rules
    stockValue     : Double not null;    // mean stock on hand
    stockError     : Double not null;    // its standard error; 0 where no pair was left out of the sample
    fillRate       : Double;             // percent of demand, in money, that finds stock; null without demand
    stockoutChance : Double not null;    // percent, from one order's arrival to the next one's, mean of the pairs
    shortPerYear   : Double not null;    // demand that finds no stock
  }

  type SimulationGroup {
    code   : String not null;            // empty: all others, or those that name none
    source : Integer;                    // of its first pair, for its name
    pairs  : Integer not null;
    rules  : SimulationPoint not null;
    curve  : array of SimulationPoint not null;
    target : Double;                     // that the budget is best spent on; null without a budget
  }

  type SimulationBudget {
    target    : Double;                  // the highest one for all that the budget pays; null: not even the lowest
    atTarget  : SimulationPoint;
    spread    : SimulationPoint;         // with a target a group, as `groups` have them
  }

  type Simulation {
    asOf        : Date not null;
    currency    : String not null;
    changeDays  : Integer not null;
    pairs       : Integer not null;      // that could be simulated
    simulated   : Integer not null;      // fewer where they are a sample
    withoutCost : Integer not null;      // no unit cost, or no rate of its currency: in no sum
    withoutData : Integer not null;      // blocked, not forecast yet, or phased out
    onHandValue : Double not null;       // what is on hand now
    today       : SimulationPoint not null;     // rules and lead times as they are
    rules       : SimulationPoint not null;     // rules as they are, lead times as asked
    asked       : SimulationPoint;              // null without a target
    curve       : array of SimulationPoint not null;
    groups      : array of SimulationGroup not null;
    budget      : SimulationBudget;             // null without a budget
  }

  /**
   * `target`: 0.5 to 0.99; `changeDays`: added to each lead time; `budget`: of mean stock, in the account's currency;
   * `by`: abc, supplier, group or location. It changes nothing.
   */
  function simulate(
    target : Double, changeDays : Integer, budget : Double, by : String,
    supplier : String, location : String, skuGroup : String
  ) returns Simulation;
}
