namespace restock;

using { restock.Units } from './types';
using { restock.Sources } from './source';
using { restock.Series } from './demand';

/** Forecasts of 28 days as they were given, kept until it is known what was then wanted. */
entity ForecastSamples {
  key series      : Integer;             // Series.ID
      toSeries    : Association to Series on toSeries.ID = series;
  key asOf        : Date;                // the first of the 28 days
      source      : Association to Sources;
      demandClass : String(20);
      confidence  : String(10);
      p10         : Units;
      p50         : Units;
      p90         : Units;
      naiveP10    : Units;               // what repeating the last season said; null in rows that an earlier version kept
      naiveP50    : Units;
      naiveP90    : Units;
}

/** The same of single series, for groups of them: sums over the windows that ended in a month. */
entity ForecastSeriesScores {
  key source      : Association to Sources;
  key kind        : String(10);          // given or replayed
  key series      : Integer;             // Series.ID
  key month       : Date;
      demandClass : String(20);
      cases       : Integer;
      p50         : Units;
      demand      : Units;
      squares     : Units;               // of the demand of each window
      error       : Units;               // |demand − P50|
      loss        : Units;               // mean pinball loss over P10, P50, P90
      naiveLoss   : Units;               // the same of repeating the last season
}

annotate ForecastSeriesScores with @assert.unique: { bySeries: [series, kind, month, source] };

/** How good the forecasts were: sums over the windows of 28 days that ended in a month. */
entity ForecastScores {
  key source      : Association to Sources;
  key kind        : String(10);          // given or replayed
  key month       : Date;                // its first day
  key demandClass : String(20);
  key confidence  : String(10);
      cases       : Integer;
      covered     : Integer;             // P10 ≤ demand ≤ P90
      above       : Integer;             // demand > P90
      below       : Integer;             // demand < P10
      bounded     : Integer;             // P10 > 0: only then demand can be below it
      p50         : Units;
      demand      : Units;
      loss        : Units;               // mean pinball loss over P10, P50, P90
}

/** Which engine last forecast a source's past. */
entity ForecastReplays {
  key source        : Association to Sources;
      engineVersion : String(20);
}
