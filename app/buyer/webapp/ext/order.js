// From the list to the order of a supplier: of the first selected row, else of the one that costs most to wait for.
sap.ui.define([], () => ({
  open(_context, selected) {
    const row = selected?.find((each) => each.getProperty('supplier'))
    const query = row ? { supplier: row.getProperty('supplier') } : {}
    this.routing.navigateToRoute('SupplierOrder', { '?query': query })
  },
}))
