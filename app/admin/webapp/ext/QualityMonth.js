// A month of a source's scored forecasts, as srv/doors/admin tells it.
sap.ui.define(['sap/ui/core/Element'], (Element) => {
  const number = { type: 'float', defaultValue: null }
  return Element.extend('restock.admin.ext.QualityMonth', {
    metadata: {
      properties: {
        month: { type: 'string' },
        text: { type: 'string' },
        kind: { type: 'string' },
        coverage: number,
        bias: number,
      },
    },
  })
})
