namespace restock;

using { restock.Code, restock.Days, restock.Money, restock.Units } from './types';
using { restock.PolicyLevels } from './code-lists';

/** What a rule may say about how pairs are replenished; null says nothing. */
aspect PolicyValues {
  reviewPeriodDays         : Days;
  stockoutCostShare        : Double;   // of the unit cost, lost with a unit that is short
  carryingCostSharePerYear : Double;   // of the unit cost, for a unit kept a year
  unmetDemand              : String(20); // backordered or lost: what becomes of demand that finds no stock
  targetQuantile           : Double;   // instead of the costs
  leadTimeDays             : Days;
  leadTimeDeviationDays    : Double;   // standard deviation
  moq                      : Units;
  lotSize                  : Units;
  maximumOrder             : Units;
  maximumStock             : Units;
  shelfLifeDays            : Days;
  priceBreaks              : String(2000); // prices by quantity, ascending: `200=1.95,600=1.94`
  minimumOrderValue        : Money;    // of a supplier's order, in the currency of its lines
  minimumOrderQuantity     : Units;    // of a supplier's order
  freeFreightFrom          : Money;    // likewise: the supplier bears the freight from there on
  freightCost              : Money;    // what an order below costs
  orderCost                : Money;    // of a supplier's order, whatever its lines
  ordersByLocation         : Boolean;  // true: a supplier's order is one location's; else it holds all locations
  containerUnits           : Units;    // a supplier's order fills whole containers
  orderDays                : many Integer; // weekdays, 1 = Monday … 7
  responsible              : String(255);  // the buyer whose work the lines are; gives no right to decide about them
  teamLead                 : String(255);  // who is told of due lines that nobody decided, and whose team the buyer is in
}

/**
 * Rules of one's own, beside the ERP's planning data; a level and what it names is one rule.
 * What a level does not name is empty. docs/decisions/0031-policy-precedence.md says which rule wins.
 */
entity Policies : PolicyValues {
  key level     : String(20);
      toLevel   : Association to PolicyLevels on toLevel.code = level;
  key skuGroup  : Code default '';
  key supplier  : Code default '';
  key sku       : Code default '';
  key location  : Code default '';
      updatedAt : Timestamp;
      updatedBy : String(255);
}
