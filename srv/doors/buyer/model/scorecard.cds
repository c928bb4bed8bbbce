// How a supplier has kept its promises, as its page shows it.
using { BuyerService } from '../buyer-service';

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
