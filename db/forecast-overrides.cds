namespace restock;

using { restock.Code, restock.Units } from './types';

/**
 * What planners say of the demand of some days instead of the forecast, which stays as it is beside it. A selector that is
 * empty selects all; of several on a day the most specific one counts, and of these the last.
 */
entity ForecastOverrides {
  key ID        : Integer;
      sku       : Code default '';
      location  : Code default '';
      skuGroup  : Code default '';
      firstDay  : Date;
      lastDay   : Date;
      percent   : Double;                  // by which demand is more than the forecast expects; null where units are said
      units     : Units;                   // of all days and all pairs together
      reason    : String(200);
      createdAt : Timestamp;
      createdBy : String(255);
}

annotate ForecastOverrides with @assert.unique: { byDay: [lastDay, sku, location, ID] };

/**
 * What a forecast and an override said of the days of a pair, kept as soon as the forecast reaches all of them, and what
 * was then wanted. A number of pairs stands for all.
 */
entity ForecastOverrideCases {
  key override    : Integer;               // ForecastOverrides.ID
  key series      : Integer;               // Series.ID
      source      : Integer;
      firstDay    : Date;
      lastDay     : Date;
      statistical : Units;                 // the medians of all these days
      adjusted    : Units;
      demand      : Units;                 // null until the days are over, and known
      errorBefore : Units;                 // how far the forecast was off, and the adjusted one
      errorAfter  : Units;
}

annotate ForecastOverrideCases with @assert.unique: { open: [source, demand, lastDay, override, series], bySeries: [series, override] };
