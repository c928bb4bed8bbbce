// What suppliers are to be asked about their orders, ready to be sent.
using { BuyerService } from '../buyer-service';

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
