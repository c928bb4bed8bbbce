// Service against stock value, for those who decide about ordering rules.
using { BuyerService } from '../buyer-service';

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
