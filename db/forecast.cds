namespace restock;

using { restock.Json } from './types';

/** What the engine needs to answer any horizon of 1..90 days without a refit. */
entity Forecasts {
  key series        : Integer;           // Series.ID
      asOf          : Date;              // the first day that is forecast
      generatedAt   : Timestamp;
      engineVersion : String(20);
      model         : Json;
}
