// What else a buyer may want to know of a proposal: with other inputs, other ways, what has moved, and who said what it was made from.
using { BuyerService } from '../buyer-service';
using { restock } from '../../../../db';

extend BuyerService.Proposals with actions {
  /** Which rule, or who else, gave each value that the quantity was calculated from. */
  function rules() returns many BuyerService.DecidingRule;
  /** What would be proposed with another lead time, service target (percent) or demand; what is absent stays as it is. */
  function whatIf(leadTimeDays : Double, targetPercent : Double, demandPercent : Double, demandDays : Integer) returns BuyerService.WhatIf;
  /** Other locations that could give, and other suppliers. */
  function alternatives() returns many BuyerService.Alternative;
  /** Receipts of the last 90 days, open orders, customer orders and reservations, by day. */
  function movements() returns many BuyerService.Movement;
}

extend service BuyerService with {
  type DecidingRule {
    name    : String(100);
    value   : String(100);
    giver   : String(300);               // in words
    address : String(500);               // of the ordering rule; null where there is none, or the user may not see rules
  }

  type WhatIf {
    quantity         : Integer64;        // 0: no order
    proposedQuantity : Integer64;
    value            : Decimal(19, 2);
    currency         : String(3);
    orderBy          : Date;
    text             : String(500);
  }

  type Alternative {
    kind     : String(100);              // in words
    name     : String(300);
    quantity : Integer64;                // that the location can give; null for a supplier
    text     : String(500);
  }

  type Movement {
    date     : Date;
    kind     : String(100);              // in words
    document : String(210);
    quantity : Double;                   // below 0: to go
    text     : String(500);
    isPast   : Boolean;
  }
}

// Every SKU at every location that has demand, ordered or not, and why.
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

// What planners say of coming demand instead of the forecast, as the app shows and enters it.
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

annotate BuyerService.Items with @restrict: [
  { grant: ['READ', 'outlook', 'cleaning', 'calculation'] },
];
annotate BuyerService.ForecastOverrides with @restrict: [
  { grant: 'READ' },
  { grant: ['addOverride', 'removeOverride'], to: ['Buyer', 'ApproverHigh'] },
];
