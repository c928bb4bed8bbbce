// What a budget of money or units is best spent on, for the dialog of the app.
using { BuyerService } from '../buyer-service';

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
