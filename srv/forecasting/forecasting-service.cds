/** Computes forecasts from the stored demand and answers them; internal, other services connect to it. */
@protocol: 'none'
service ForecastingService {

  type Forecast {
    sku         : String;
    location    : String;
    horizonDays : Integer;
    p10         : Integer;
    p50         : Integer;
    p90         : Integer;
    confidence  : String;
    drivers     : array of String;       // always all of them; a door leaves them out where not asked
    censoredShare : Double;              // of the past year's days: without stock, they say nothing of demand
    /** With what planners say instead; null where they say nothing of the horizon. */
    adjusted    : {
      p10       : Integer;
      p50       : Integer;
      p90       : Integer;
      overrides : array of { ID : Integer; percent : Double; units : Double; reason : String; };
    };
    asOf        : Date;
    generatedAt : Timestamp;
    amounts     : array of { code : String; amount : Integer; };   // what adds up to the P50, where it was asked for
  }

  type Pair { sku : String; location : String; }

  type Answer {
    forecast : Forecast;                 // null where there is none
    error    : String;                   // forecast_not_found or forecast_not_ready
  }

  /** One answer a pair, in the order asked; `horizon` null means the configured one. */
  function lookup(pairs : array of Pair, horizon : Integer, withAmounts : Boolean) returns array of Answer;

  /** Days since 1970 that a forecast does not take as they were. */
  type Cleaning {
    outOfStock : array of Integer not null;
    closed     : array of Integer not null;
    outliers   : array of Integer not null;
  }

  /** Of a series, by a forecast of that day. */
  function cleaning(series : Integer, asOf : Date) returns Cleaning;

  /** Forecasts what changed since its last forecast, or everything, and reports its progress to the sync. */
  action refresh(source : Integer, sync : Integer, everything : Boolean) returns { series : Integer; };

  /** Keeps what forecasts and an override say, to be compared with what will be wanted. */
  action keepOverridden(ID : Integer);

  /** Forecasts of the source are new; caches drop what they hold. */
  event refreshed { source : Integer; };
}
