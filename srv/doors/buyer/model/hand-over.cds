// Approved lines as files of the ERP's own import: srv/domain/proposals/handover.
using { BuyerService } from '../buyer-service';

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
