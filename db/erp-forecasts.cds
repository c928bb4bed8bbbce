namespace restock;

using { restock.Code, restock.Sources, restock.Units } from './';

/**
 * What the ERP itself expects of periods, beside what Restock did. A row is as it was last read before its period
 * began, and stays so from then on, until it is scored.
 */
entity ErpForecasts {
  key source   : Association to Sources;
  key sku      : Code;
  key location : Code;
  key firstDay : Date;
      lastDay  : Date;
      quantity : Units;                  // of all its days
      readOn   : Date;                   // when it was first read as it is: before its first day
      p50      : Units;                  // of the same days, by the last forecast of Restock before they began; null: none yet
}

/** How good both were: sums over the periods of a series that ended in a month. */
entity ErpForecastScores {
  key source   : Association to Sources;
  key series   : Integer;                // Series.ID
  key month    : Date;                   // its first day
      cases    : Integer;
      demand   : Units;
      p50      : Units;
      quantity : Units;                  // what the ERP expected
      error    : Units;                  // |demand − P50|
      erpError : Units;                  // |demand − quantity|
}
