// What else a buyer may want to know of a proposal: with other inputs, other ways, what has moved, and who said what it was made from.
using { BuyerService } from '../buyer-service';

extend BuyerService.Proposals with actions {
  /** Which rule, or who else, gave each value that the quantity was calculated from. */
  function rules() returns many BuyerService.DecidingRule;
  /** What would be proposed with another lead time, service target (percent) or demand; what is absent stays as it is. */
  function whatIf(leadTimeDays : Double, targetPercent : Double, demandPercent : Double, demandDays : Integer) returns BuyerService.WhatIf;
  /** Other locations that could give, and other suppliers. */
  function alternatives() returns many BuyerService.Alternative;
  /** Receipts of the last 90 days, open orders, customer orders and reservations, by day. */
  function movements() returns many BuyerService.Movement;
}

extend service BuyerService with {
  type DecidingRule {
    name    : String(100);
    value   : String(100);
    giver   : String(300);               // in words
    address : String(500);               // of the ordering rule; null where there is none, or the user may not see rules
  }

  type WhatIf {
    quantity         : Integer64;        // 0: no order
    proposedQuantity : Integer64;
    value            : Decimal(19, 2);
    currency         : String(3);
    orderBy          : Date;
    text             : String(500);
  }

  type Alternative {
    kind     : String(100);              // in words
    name     : String(300);
    quantity : Integer64;                // that the location can give; null for a supplier
    text     : String(500);
  }

  type Movement {
    date     : Date;
    kind     : String(100);              // in words
    document : String(210);
    quantity : Double;                   // below 0: to go
    text     : String(500);
    isPast   : Boolean;
  }
}
