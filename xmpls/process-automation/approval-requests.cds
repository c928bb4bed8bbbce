/**
 * Proposals that a process of SAP Build Process Automation decides about. Rows come from Restock's
 * webhook; the plugin @cap-js/process starts and cancels the process as they are created and updated.
 */
@requires: 'system-user'
service ApprovalRequests {

  @bpm.process.businessKey: (ID)
  @bpm.process.start: {
    id    : '<projectId>.<processId>',
    on    : 'CREATE',
    inputs: [
      $self.ID, $self.sku, $self.location, $self.supplier, $self.quantity,
      $self.value, $self.currency, $self.rationale
    ]
  }
  @bpm.process.cancel: {
    on     : 'UPDATE',
    if     : (status in ('superseded', 'expired', 'approved', 'rejected', 'cancelled')),
    cascade: true
  }
  entity Requests {
    key ID        : String(20);       // prop_1042
        status    : String(30);
        version   : Integer;
        sku       : String(100);
        location  : String(100);
        supplier  : String(100);
        quantity  : Integer64;
        value     : String(30);       // decimal string
        currency  : String(3);
        rationale : String(1000);
  }
}
