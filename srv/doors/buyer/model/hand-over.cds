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
}
