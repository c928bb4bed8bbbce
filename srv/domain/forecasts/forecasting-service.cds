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
    missing     : array of { code : String; days : Integer; };   // which data it had too little of
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

  /** A day that a forecast does not take as it was booked. */
  type CleanedDay {
    date    : Date not null;
    booked  : Double not null;           // below 0: returns
    taken   : Double;                    // instead; null: the day is left out
    reasons : array of String not null;  // of restock.CleaningReasons
  }

  /** Of a series, by a forecast of that day; ascending. */
  function cleaning(series : Integer, asOf : Date) returns array of CleanedDay;

  /** Of some pairs, in percent but for counts, units and money; null where nothing is known. */
  type PairFigures {
    cases         : Integer not null;
    bias          : Double;              // (sum of P50 − demand) / demand
    biasError     : Double;              // its standard error
    weightedLoss  : Double;              // 2 × pinball loss of P10, P50 and P90 / demand
    toNaive       : Double;              // loss over that of repeating the last season − 1
    toNaiveError  : Double;
    error         : Double not null;     // |demand − P50| of each window, added up
    money         : Double;              // the same at the unit cost, in the account's currency
    erpCases      : Integer not null;    // periods that the ERP forecast too
    toErp         : Double;              // how far P50 was off in them over how far the ERP was − 1
    toErpError    : Double;
    erpBias       : Double;              // of the ERP, and of P50 beside it
    biasBesideErp : Double;
  }

  /** Pairs that have a code in common; it is empty for those that have none. */
  type QualityGroup : PairFigures {
    part  : String not null;             // group, supplier, location, pattern, abc or xyz
    code  : String not null;
    name  : String;
    pairs : Integer not null;
  }

  type WorstPair : PairFigures {
    sku         : String not null;
    skuName     : String;
    location    : String not null;
    skuGroup    : String;
    supplier    : String;
    demandClass : String;
    demand      : Double not null;
    abc         : String;
    xyz         : String;
  }

  /** How good forecasts of 28 days were, of the latest year and a sample of the source's pairs. */
  type QualityReport : PairFigures {
    source   : Integer not null;
    kind     : String;                   // given, or replayed while no given ones are over; null: none is scored
    ![from]  : Date;                     // first and last month in which windows ended
    ![to]    : Date;
    currency : String not null;
    series   : Integer not null;         // pairs of the source
    pairs    : Integer not null;         // those that were scored
    groups   : array of QualityGroup not null;
    worst    : array of WorstPair not null;
  }

  function quality(source : Integer) returns QualityReport;

  /** Forecasts what changed since its last forecast, or everything, and reports its progress to the sync. */
  action refresh(source : Integer, sync : Integer, everything : Boolean) returns { series : Integer; };

  /** Keeps what forecasts and an override say, to be compared with what will be wanted. */
  action keepOverridden(ID : Integer);

  /** Forecasts of the source are new; caches drop what they hold. */
  event refreshed { source : Integer; };
}
