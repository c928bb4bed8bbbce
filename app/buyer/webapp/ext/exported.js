// What the export as a spreadsheet needs beside the columns of the list: the proposal's number, and quantities as numbers.
sap.ui.define([], () => {
  const isQuantity = ({ property }) => [property].flat().includes('quantity')

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
      workbook.columns = [{ ...number, width: 10 }, ...shown]
    },
  }
})
