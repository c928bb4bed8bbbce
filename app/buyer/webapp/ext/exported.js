// What the export as a spreadsheet needs beside the columns of the list: the proposal's number, and quantities as numbers.
sap.ui.define([], () => {
  const isOf =
    (name) =>
    ({ property }) =>
      [property].flat().includes(name)
  const isQuantity = isOf('quantity')

  return {
    /** @param texts the app's bundle, there before an export can be asked for */
    completing: (texts) => (event) => {
      const { workbook } = event.getParameter('exportSettings')
      if (!workbook.columns.some(isQuantity)) return
      const number = { label: texts.getText('proposalNumber'), property: 'number', type: 'String' }
      const shown = workbook.columns.map((column) =>
        isQuantity(column)
          ? { ...column, label: texts.getText('quantity'), property: 'quantity', type: 'Number' }
          : column,
      )
      const isNumbered = shown.some(isOf('number'))
      workbook.columns = isNumbered ? shown : [{ ...number, width: 10 }, ...shown]
    },
  }
})
