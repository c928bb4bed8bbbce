// The chosen lines of an order as a spreadsheet, each with its proposal as the reference.
sap.ui.define(['sap/ui/export/Spreadsheet'], (Spreadsheet) => {
  const COLUMNS = [
    ['proposalNumber', 'number'],
    ['orderSupplier', 'supplier'],
    ['budgetSku', 'sku'],
    ['orderSkuName', 'skuName'],
    ['budgetLocation', 'location'],
    ['quantity', 'quantity', 'Number'],
    ['orderUnit', 'unit'],
    ['orderUnitCost', 'unitCost', 'Number', 4],
    ['riskValue', 'value', 'Number', 2],
    ['orderCurrency', 'currency'],
    ['budgetOrderBy', 'orderBy', 'Date'],
  ]

  return {
    async save(bundle, { supplier, currency }, lines) {
      const columns = COLUMNS.map(([label, property, type = 'String', scale]) => ({
        ...{ label: bundle.getText(label), property, type, scale },
        ...(type === 'Date' && { inputFormat: 'yyyy-mm-dd' }),
      }))
      const dataSource = lines.map((line) => ({
        ...line,
        ...{ supplier, currency, quantity: Number(line.typed) },
        ...{ unitCost: numberOf(line.unitCost), value: numberOf(line.value) },
      }))
      const sheet = new Spreadsheet({
        ...{ workbook: { columns }, dataSource, fileName: `${supplier}.xlsx` },
        worker: false,
      })
      await sheet.build().finally(() => sheet.destroy())
    },
  }

  function numberOf(value) {
    return value === null ? null : Number(value)
  }
})
