// What following the proposals comes to, month by month, as its page shows it.
using { BuyerService } from '../buyer-service';

extend service BuyerService with {
  type PlannedShare {
    planned : Double;                    // null where nothing was planned
    came    : Double;
  }

  type PlannedAmount {
    planned : Decimal(19, 2);
    came    : Decimal(19, 2);
  }

  type ValueMonthMoney {
    currency     : String(3);
    stockValue   : BuyerService.PlannedAmount;   // mean of the measured days
    carryingCost : BuyerService.PlannedAmount;
    shortageCost : BuyerService.PlannedAmount;
    fillRate     : BuyerService.PlannedShare;     // 0 to 1; null where it was not measured
  }

  type ValueMonthFigures {
    pairs       : Integer;
    withoutCost : Integer;
    stockouts   : BuyerService.PlannedShare;     // 0 to 1
    unitsShort  : BuyerService.PlannedShare;
    money       : many BuyerService.ValueMonthMoney;
  }

  type DecisionWorth {
    currency   : String(3);
    asProposed : Decimal(19, 2);
    asDecided  : Decimal(19, 2);
    worth      : Decimal(19, 2);         // below 0 where the proposals were better
  }

  type MonthDecisions {
    what        : String(20);            // unchanged, edited, rejected
    person      : String(255);           // null: of all whose decisions are seen as a sum alone
    reason      : String(50);
    reasonText  : String(255);
    lines       : Integer;
    evaluated   : Integer;
    tooRecent   : Integer;
    withoutCost : Integer;
    worth       : many BuyerService.DecisionWorth;
  }

  type MonthLines {
    proposed : Integer;
    approved : Integer;                  // as proposed
    edited   : Integer;                  // approved with another quantity
    rejected : Integer;                  // or cancelled
    ordered  : Integer;                  // of the approved ones those that are orders of the ERP by now
  }

  type ValueMonth {
    source    : Integer;
    account   : String(255);
    month     : String(7);
    days      : Integer;
    firstDay  : Date;
    lastDay   : Date;
    lacks     : String(20);              // not_measured, too_few_days; null where there are figures
    figures   : BuyerService.ValueMonthFigures;
    lines     : BuyerService.MonthLines;
    decisions : many BuyerService.MonthDecisions;
  }

  /** The months of a year, the newest first. */
  function valueMonths() returns many ValueMonth;
}

// How a supplier has kept its promises, as its page shows it.
extend service BuyerService with {
  type ScorecardFigures {
    lines        : Integer;              // order lines that were due, or came early
    outstanding  : Integer;              // of them not there yet
    onTime       : Double;               // 0 to 1; null where nothing was due
    early        : Double;
    late         : Double;
    inFull       : Double;
    onTimeInFull : Double;
    daysLate     : Double;               // mean of the late ones
    mostDaysLate : Integer;
    priceChange  : Double;               // 0.05: the same goods cost 5 % more; null where no prices are known
  }

  type ScorecardMonth : BuyerService.ScorecardFigures {
    month : String(7);                   // of the promised days
  }

  type LatenessStock {
    currency : String(3);
    value    : Decimal(19, 2);
  }

  type Scorecard : BuyerService.ScorecardFigures {
    source        : Integer;
    supplier      : String(100);
    supplierName  : String(200);
    peersOnTime   : Double;              // the median of the other suppliers
    latenessStock : many BuyerService.LatenessStock;
    months        : many BuyerService.ScorecardMonth;   // ascending
  }

  /** A supplier's year; without lines where no receipt or order of it has a promised day. */
  function scorecard(source : Integer, supplier : String(100)) returns Scorecard;
}
