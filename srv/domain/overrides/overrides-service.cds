/** What planners say of coming demand instead of the forecast, for a time and with a reason. Refusals are thrown as `Refusal`. */
@protocol: 'none'
service OverridesService {
  /** An empty selector selects all. */
  type ForecastOverride {
    ID        : Integer;
    sku       : String;
    location  : String;
    skuGroup  : String;
    firstDay  : Date;
    lastDay   : Date;
    /** By which demand is more than the forecast expects; null where units are said. */
    percent   : Double;
    /** Of all days and all pairs together. */
    units     : Double;
    reason    : String;
    createdAt : Timestamp;
    createdBy : String;
    /** ahead, running or over. */
    status    : String;
    /** How far forecast and adjusted forecast were off, once its days are over; null before. */
    valueAdded : {
      pairs       : Integer;
      demand      : Double;
      statistical : Double;
      adjusted    : Double;
      errorBefore : Double;
      errorAfter  : Double;
    };
    /** Of the answer to add: the SKUs at locations that it concerns now. */
    concerns  : Integer;
  }

  type OverrideFilter {
    sku      : String;
    location : String;
    skuGroup : String;
    /** Those that are over before this day are left out. */
    notBefore : Date;
  }

  type OverridePage {
    data : array of ForecastOverride;
    next : String;
  }

  function list(filter : OverrideFilter, after : String, limit : Integer) returns OverridePage;
  function find(ID : Integer) returns ForecastOverride;
  /** What it concerns is proposed anew in the background. */
  action add(override : ForecastOverride) returns ForecastOverride;
  action remove(ID : Integer);
}
