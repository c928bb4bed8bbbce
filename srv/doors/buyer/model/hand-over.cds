// A supplier's order as one page of the app: its lines, what they come to, and what would fill it.
using { BuyerService } from '../buyer-service';

extend service BuyerService with {
  /** An order with pending purchases: of one ERP connection, supplier and currency and, where it is ordered apart, of one location. */
  type OpenOrder {
    source       : Integer;
    supplier     : String(100);
    supplierName : String(200);
    location     : String(100);          // null: of all locations that are not ordered apart
    currency     : String(3);
    lines        : Integer;
    value        : Decimal(19, 2);
    dueLines     : Integer;              // their last order day is today or has passed
    dueValue     : Decimal(19, 2);
    valueAtRisk  : Decimal(19, 2);       // what waiting with the due ones costs
    orderBy      : Date;                 // the first of the last order days
  }

  type WorkbenchLine {
    ID           : Integer;
    number       : String(20);
    version      : Integer;              // as it is shown: what is approved is what was seen
    sku          : String(100);
    skuName      : String(200);
    unit         : String(20);
    location     : String(100);
    locationName : String(200);
    urgency      : String(30);
    urgencyText  : String(100);
    criticality  : Integer;
    orderBy      : Date;
    isDueToday   : Boolean;              // on the present day of its location
    daysOfSupply : Integer;
    reviewPeriodDays : Integer;
    moq          : Double;
    lotSize      : Double;
    calculatedQuantity : Integer64;
    proposedQuantity   : Integer64;
    quantity     : Integer64;            // as chosen, else as proposed
    isChosen     : Boolean;
    isSmall      : Boolean;              // waiting with it costs less than a line is worth (lineWorth)
    unitCost     : Decimal(19, 4);       // at that quantity
    value        : Decimal(19, 2);
    valueAtRisk  : Decimal(19, 2);       // what waiting with it costs; null where it is unknown
    breakText    : String(100);          // the next price break; null where there is none
    approval     : String(10);           // of a chosen one: only, first (of two); null where it would be refused
    refusal      : String(500);          // why
  }

  type OrderGoal {
    kind     : String(20);               // minimum_value, minimum_quantity, free_freight, container
    name     : String(200);
    text     : String(200);              // how much of it is reached, and what is missing
    percent  : Integer;                  // 100 at most
    isReached : Boolean;
  }

  type OrderSuggestion {
    action    : String(10);              // add, drop
    text      : String(300);
    proposals : LargeString;             // their numbers, joined by commas
  }

  type SupplierOrder {
    source        : Integer;
    supplier      : String(100);
    supplierName  : String(200);
    location      : String(100);
    currency      : String(3);
    total         : Integer;             // lines that are open; no more than 1,000 of them are shown
    lines         : many WorkbenchLine;  // what costs most to wait for first
    chosen        : Integer;
    units         : Integer64;
    value         : Decimal(19, 2);
    valueAtRisk   : Decimal(19, 2);      // what waiting with the chosen ones would cost
    leftAtRisk    : Decimal(19, 2);      // what waiting with the others costs
    goals         : many OrderGoal;
    suggestions   : many OrderSuggestion;
    orderBy       : Date;
    nextOrderDay  : Date;
    orderDayAfter : Date;
    mayDecide     : Boolean;
    second        : Integer;             // chosen lines that another person must approve too
    refused       : Integer;             // chosen lines that this user may not approve
    refusal       : String(500);         // why, of the first
    approvers     : String(600);         // who may approve them instead, joined by commas
  }

  /** Orders with pending purchases, what costs most to wait for first. */
  function openOrders() returns many OpenOrder;

  /**
   * The open lines of an order. `chosen` lists which of them it holds, as approveMany takes them: 12@7:48; empty for none,
   * absent for those that are due; with `budget` those on which that is best spent. It decides nothing.
   */
  function supplierOrder(
    source : Integer, supplier : String(100), location : String(100), currency : String(3), chosen : LargeString,
    budget : Decimal(19, 2)
  ) returns SupplierOrder;
}

// Approved lines as files of the ERP's own import: srv/domain/proposals/handover.
extend service BuyerService with {
  type HandOverFile {
    number   : String(20);           // ho_12
    fileName : String(200);
    mimeType : String(100);
    lines    : Integer;
    content  : LargeString;          // Base64
  }

  /**
   * Takes approved proposals, and leaves a mark. `proposals` lists their numbers, joined by commas; `takenBefore`: refuse, leave_out or
   * again, for lines that were handed over before.
   */
  @requires: ['Buyer', 'ApproverHigh']
  action handOver(proposals : LargeString, perSupplier : Boolean, takenBefore : String(20)) returns many HandOverFile;

  /** A quantity that somebody has changed in the exported list. */
  type QuantityEdit {
    ID       : Integer;
    number   : String(20);
    version  : Integer;
    sku      : String(100);
    skuName  : String(200);
    location : String(100);
    before   : Integer64;            // as proposed now
    quantity : String(50);           // as it stands in the file
    moq      : Double;
    lotSize  : Double;
    calculatedQuantity : Integer64;
    fault    : String(300);          // why it does not count: gone, decided, or changed since the export; null where it does
  }

  type QuantityEdits {
    unchanged : Integer;
    edits     : many QuantityEdit;
  }

  /** What the exported list, changed and given back as a workbook in Base64, would change. It changes nothing. */
  @requires: ['Buyer', 'ApproverHigh']
  action readEdits(file : LargeString) returns QuantityEdits;
}

// What suppliers are to be asked about their orders, ready to be sent.
extend service BuyerService with {
  type SupplierMail {
    supplier     : String(100);
    supplierName : String(200);
    subject      : String(200);
    body         : LargeString;
  }

  /**
   * An e-mail to each supplier about its orders among these exceptions: which should come sooner, later or not at all, and which are
   * overdue. `exceptions` lists their numbers, joined by commas; `language`: en or de. It sends nothing.
   */
  function supplierMails(exceptions : LargeString, language : String(2)) returns many SupplierMail;
}
