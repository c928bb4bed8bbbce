// A week of the outlook, as srv/doors/buyer tells it.
sap.ui.define(['sap/ui/core/Element'], (Element) => {
  /** Null where it is not known, which UI5 makes 0 of for 'float'. */
  const number = { type: 'any', defaultValue: null }
  return Element.extend('restock.buyer.ext.Week', {
    metadata: {
      properties: {
        date: { type: 'string' },
        isForecast: { type: 'boolean' },
        demand: number,
        demandBefore: number,
        demandP10: number,
        demandP90: number,
        days: number,
        promoted: number,
        arriving: number,
        arrivesOn: { type: 'any', defaultValue: null },
        stockP10: number,
        stockP50: number,
        stockP90: number,
        stockWithOrder: number,
        outOfStock: number,
        closed: number,
        outliers: number,
        returns: number,
      },
    },
  })
})
