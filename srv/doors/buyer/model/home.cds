// What today needs, in money: the first page of the app, and its cards in a launchpad.
using { BuyerService } from './hand-over';
using { restock } from '../../../../db';

extend service BuyerService with {
  /** Lines with their worth. Amounts of several currencies are one where today's rates are known; else null, and all in the text. */
  type HomeSum {
    lines     : Integer;
    linesText : String(100);
    value     : Decimal(19, 2);
    currency  : String(3);
    valueText : String(300);
    riskText  : String(300);             // what waiting with them costs
  }

  /** What is due at a supplier. */
  type HomeOrder : BuyerService.OpenOrder {
    text      : String(350);             // the supplier's code and name
    valueText : String(100);
    riskText  : String(100);
    href      : String(1000);            // its page in the app, from # on
  }

  /** What a supplier's order needs by a day of the next seven. */
  type HomeDeadline {
    day       : Date;
    text      : String(350);
    lines     : Integer;
    valueText : String(100);
    nextOrderDay  : Date;                // when the supplier takes orders, where a rule says so
    orderDayAfter : Date;
    href      : String(1000);
  }

  type HomeException {
    kind        : String(30);
    kindText    : String(100);
    criticality : Integer;
    count       : Integer;
    valueText   : String(300);
    href        : String(1000);
  }

  /** How a figure of stock or forecast stands. */
  type HomeFigure {
    value : Decimal(19, 2);              // null where it is not known
    text  : String(300);
    note  : String(300);                 // what it counts, and what it does not
  }

  /** What the user is told: asked, passed on, escalated. */
  type HomeNotice {
    kind      : String(20);
    at        : Timestamp;
    text      : String(1500);
    valueText : String(300);
    riskText  : String(300);
    href      : String(1000);
  }

  type Home {
    user        : String(255);
    isAdmin     : Boolean;
    asOf        : Date;
    due         : HomeSum;
    open        : HomeSum;
    out         : HomeSum;             // nothing on hand
    stockout    : HomeSum;             // runs out before an order of today arrives
    second      : HomeSum;
    mine        : HomeSum;             // of which the user is responsible; null where rules name nobody
    team        : HomeSum;             // of which somebody of the user's team is
    notices     : many HomeNotice;     // the newest first; no more than 50
    moreNotices : Boolean;
    blocked     : Integer;
    exceptions  : many HomeException;    // open ones, what is worth most first
    exceptionsCount : Integer;
    dueOrders   : many HomeOrder;        // what costs most to wait for first; no more than 50
    moreOrders  : Integer;               // due beyond those
    deadlines   : many HomeDeadline;     // the earliest first; no more than 50
    stock       : HomeFigure;
    reached     : HomeFigure;            // percent of days with stock
    bias        : HomeFigure;            // percent
    costsQuestion : String(500);         // as long as nobody has said what a stockout costs
    dataAsOf    : Date;                  // the oldest of the connected sources
    dataAgeDays : Integer;
    isDataStale : Boolean;
    failingSources : Integer;
  }

  /** What today needs of what the user sees. */
  function home() returns Home;
}

// Lines with which waiting costs less than a line is worth, a row a supplier.
extend service BuyerService with {
  @readonly @cds.persistence.skip
  entity SmallLines {
    key ID           : String(300);      // of source, supplier and currency
        source       : Integer;
        supplier     : String(100);
        supplierText : String(350);
        currency     : String(3);
        lines        : Integer;
        value        : Decimal(19, 2);
        valueAtRisk  : Decimal(19, 2);   // what waiting with all of them costs
        orderHref    : String(1000);     // the supplier's order in the app, from # on
  }
}

// Keys that act as the signed-in person: they see, confirm and revoke them.
extend service BuyerService with {
  /** Keys of /v1 that act as the user. One that decides about proposals does so once the user has confirmed it. */
  @readonly
  entity ApiKeys as select from restock.ApiKeys {
    key ID, name, replace(replace(replace(replace(cast(scopes as String(1000)), '[', ''), ']', ''), '"', ''), ',', ', ') as scopes : String(500), actsAs, maxOrderValue, currency, createdAt, createdBy, expiresAt, confirmedAt, status,
    case when status in ('pending_confirmation', 'user_left') then true else false end as canConfirm : Boolean,
    case when status in ('revoked', 'expired') then false else true end as canRevoke : Boolean,
    toStatus : Association to restock.ApiKeyStates on toStatus.code = $self.status
  }
  actions {
    action confirm() returns ApiKeys;
    action revoke() returns ApiKeys;
  };

  /** The same by number, for whoever reads no list. */
  action confirmKey(id : String(20) @mandatory) returns ApiKeys;
}

annotate BuyerService.ApiKeys with @restrict: [
  { grant: 'READ', where: (actsAs = $user) },
  { grant: 'confirm', to: ['Buyer', 'ApproverHigh'], where: (actsAs = $user) },
  { grant: 'revoke', where: (actsAs = $user) },
];
annotate BuyerService.confirmKey with @requires: ['Buyer', 'ApproverHigh'];
