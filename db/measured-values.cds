namespace restock;

using { restock.Code, restock.Units } from './types';
using { restock.Sources } from './source';

/** Of which days of a month a source's stock was measured, each once: in the run that first proposed of it. */
entity MeasuredMonths {
  key source      : Association to Sources;
  key month       : String(7);           // YYYY-MM
      firstDay    : Date;
      lastDay     : Date;
      days        : Integer;
      plannedDays : Integer;             // from the first day to the end of the month
}

/**
 * What came of a month and what was planned of it: sums over the pairs that can be ordered, of a location and a group in a
 * currency. What came is of the measured days, what was planned on the first of them of all planned days.
 */
entity MeasuredValues {
  key source              : Association to Sources;
  key month               : String(7);
  key location            : Code default '';
  key skuGroup            : Code default '';
  key currency            : String(3) default '';
      pairDays            : Integer;
      uncostedDays        : Integer;     // of them of pairs without a unit cost, which are in no money
      stockoutDays        : Integer;     // of them with nothing on hand
      unitsShort          : Units;       // that the forecast expects of those days
      stockValue          : Double;      // of each day, added up
      shortageCost        : Double;
      carryingCost        : Double;
      demandValue         : Double;      // that the forecast expects of the days, at unit cost
      shortValue          : Double;      // of it on days with nothing on hand
      plannedPairDays     : Integer;
      plannedStockoutDays : Double;
      plannedUnitsShort   : Units;
      plannedStockValue   : Double;
      plannedShortageCost : Double;
      plannedCarryingCost : Double;
      plannedDemandValue  : Double;
      plannedShortValue   : Double;
}
