namespace restock;

using { restock.Json } from './types';
using { restock.Series } from './demand';
using { restock.Planning, restock.Skus } from './catalog';
using { restock.Sources } from './source';

/** What the engine needs to answer any horizon of 1..90 days without a refit. */
entity Forecasts {
  key series        : Integer;           // Series.ID: a number for the lookup's sake
      toSeries      : Association to Series on toSeries.ID = series;
      asOf          : Date;              // the first day that is forecast
      generatedAt   : Timestamp;
      engineVersion : String(20);
      model         : Json;
}

/** Each pair with its forecast, if it has one yet. */
view PairForecasts as
  select from Series
  left join Forecasts on Forecasts.series = Series.ID
  left join Planning  on Planning.source.ID = Series.source.ID
                     and Planning.sku = Series.sku and Planning.location = Series.location
  left join Skus      on Skus.source.ID = Series.source.ID and Skus.sku = Series.sku
  {
    key Series.ID, Series.source.ID as source_ID : Integer, Series.sku, Series.location, Series.ledBy,
    coalesce(Planning.phaseOutOn, Skus.phaseOutOn) as phaseOutOn : Date,
    Forecasts.asOf, Forecasts.generatedAt, Forecasts.engineVersion, Forecasts.model
  };

/** What a source's series teach each other: habits of its locations, and which methods to trust. */
entity Learnt {
  key source        : Association to Sources;
      asOf          : Date;
      engineVersion : String(20);
      contexts      : Json;
      calibration   : Json;
      plannedUntil  : Date;                    // the last day with a planned promotion that the forecasts know
      sync          : Integer;                 // the last one that has forecast all series, from this day on
      forecastFrom  : Date;
}
