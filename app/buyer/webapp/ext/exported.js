// What the export as a spreadsheet needs beside the columns of the list: the proposal's number and version, quantities as
// numbers, codes and names apart, and a second sheet that says what was filtered.
sap.ui.define(['sap/ui/core/Element', 'sap/ui/core/format/DateFormat'], (Element, DateFormat) => {
  const isOf =
    (name) =>
    ({ property }) =>
      [property].flat().includes(name)
  const isQuantity = isOf('quantity')
  /** Codes that are shown together with their names. */
  const NAMES = { sku: 'skuName', location: 'locationName', supplier: 'supplierName' }

  /** A column of a code and its name as two. */
  function apart(column, texts) {
    const code = Object.keys(NAMES).find(
      (name) => isOf(name)(column) || isOf(`${name}Text`)(column),
    )
    if (!code) return [column]
    const name = { label: texts.getText('exportName', [column.label]), property: NAMES[code] }
    return [
      { ...column, property: code, type: 'String', template: undefined },
      { ...name, type: 'String', width: 20 },
    ]
  }

  const asNumber = (column, texts) => ({
    ...{ ...column, label: texts.getText('quantity') },
    ...{ property: 'quantity', type: 'Number', template: undefined },
  })

  /** What the list was limited to, by whom it was asked for and when. */
  function metainfo(table, texts) {
    const filters = Element.getElementById(table.getFilter())
    const now = DateFormat.getDateTimeInstance({ style: 'medium' }).format(new Date())
    const said = filters?.getAssignedFiltersText?.() ?? {}
    return {
      name: texts.getText('exportFilters'),
      items: [
        [texts.getText('exportView'), table.getHeader()],
        [texts.getText('exportFilters'), said.filtersTextExpanded ?? said.filtersText],
        [texts.getText('exportAt'), now],
      ]
        .filter(([, value]) => value)
        .map(([key, value]) => ({ key, value })),
    }
  }

  return {
    /** @param texts the app's bundle, there before an export can be asked for */
    completing: (texts) => (event) => {
      const { workbook } = event.getParameter('exportSettings')
      const context = (workbook.context ??= {})
      context.metainfo = [...(context.metainfo ?? []), metainfo(event.getSource(), texts)]
      if (!workbook.columns.some(isQuantity)) return
      const label = texts.getText('proposalNumber')
      const number = { label, property: 'number', type: 'String', width: 10 }
      const version = { label: texts.getText('exportVersion'), property: 'version', type: 'Number' }
      const shown = workbook.columns
        .map((column) => (isQuantity(column) ? asNumber(column, texts) : column))
        .flatMap((column) => apart(column, texts))
      workbook.columns = [
        ...(shown.some(isOf('number')) ? [] : [number]),
        ...shown,
        ...(shown.some(isOf('version')) ? [] : [version]),
      ]
    },
  }
})
