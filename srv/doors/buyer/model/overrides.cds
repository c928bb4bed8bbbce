// What planners say of coming demand instead of the forecast, as the app shows and enters it.
using { restock } from '../../../../db';
using { BuyerService } from '../buyer-service';

extend service BuyerService with {
  /** A name that is empty selects all. */
  @readonly
  entity ForecastOverrides as select from restock.ForecastOverrides {
    key ID, sku, location, skuGroup, firstDay, lastDay, percent, units, reason, createdAt, createdBy,
    virtual null as skuText : String(100),       // the code without leading zeros
    virtual null as change : String(50),         // `+20 %`, `to 500`
    virtual null as status : String(50),         // in words
    virtual null as criticality : Integer,
    virtual null as canRemove : Boolean,
    virtual null as measured : String(100),      // how far forecast and adjusted forecast were off, once that is known
    virtual null as measuredCriticality : Integer,
  }
  actions {
    @(cds.odata.bindingparameter.collection)
    action addOverride(
      sku : restock.Code, location : restock.Code, skuGroup : restock.Code, firstDay : Date, lastDay : Date,
      percent : Double, units : Double, reason : String(200)
    ) returns ForecastOverrides;
    action removeOverride();
  };
}

extend entity BuyerService.Proposals with actions {
  /** Of its SKU at its location, or more widely. */
  action adjustForecast(
    percent : Double, units : Double, firstDay : Date, lastDay : Date, reason : String(200),
    allLocations : Boolean, wholeGroup : Boolean
  );
};
