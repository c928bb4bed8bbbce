// Every SKU at every location that has demand, ordered or not, and why.
using { restock } from '../../../../db';
using { BuyerService } from '../buyer-service';

extend service BuyerService with {
  @readonly
  entity Items as select from restock.Series as own {
    key own.ID,
    own.source.ID as source : Integer,
    own.sku,
    own.location,
    virtual null as skuName : String(200),
    virtual null as skuText : String(350),
    virtual null as unit : String(20),
    virtual null as locationName : String(200),
    virtual null as locationText : String(350),
    virtual null as stateText : String(100),
    virtual null as criticality : Integer,
    virtual null as why : String(1000),
    virtual null as change : String(500),       // what would lead to an order; null where nothing but time does
    virtual null as proposal : Integer,         // the open one, or the one that was rejected
    virtual null as proposalText : String(20),
    virtual null as proposalHref : String(100), // its page in the app, from # on
    virtual null as onHand : Double,
    virtual null as leadTimeDays : Double,
    virtual null as enoughUntil : Date,
    virtual null as orderAbout : Date,
  } actions {
    /** As of a proposal: past and future weeks; none while the pair has no forecast. */
    function outlook(weeks : Integer) returns many BuyerService.OutlookWeek;
    function cleaning() returns many BuyerService.CleanedDay;
    /** The sum that gives no quantity, line by line; none where there is none. */
    function calculation() returns many BuyerService.CalculationLine;
  };

  type CalculationLine {
    termText : String(100);
    how      : String(300);
    value    : Double;
  }
}
