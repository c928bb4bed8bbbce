/** Exchange rates that administrators enter, beside those of the sources. */
@protocol: 'none'
service RatesService {
  type RateKey { fromCurrency : String; toCurrency : String; validFrom : Date; source : Integer; }

  /** `rate` is a decimal string; `validFrom` today unless said otherwise. The rate of the same day is replaced. */
  action setRate(fromCurrency : String, toCurrency : String, rate : String, validFrom : Date) returns RateKey;
  /** Of a source's rates none is removed: they are what the source says. */
  action removeRate(fromCurrency : String, toCurrency : String, validFrom : Date, source : Integer);
}
