// One step of a waterfall, as a bar between the sums before and after it; the number stands beside it.
sap.ui.define(['sap/ui/core/Control'], (Control) => {
  const number = { type: 'float', defaultValue: 0 }
  return Control.extend('restock.buyer.ext.BridgeBar', {
    metadata: {
      properties: {
        from: number,
        to: number,
        /** Least and greatest sum of the whole waterfall: the ends of the scale. */
        least: number,
        most: number,
        isTotal: { type: 'boolean', defaultValue: false },
      },
    },
    renderer: {
      apiVersion: 2,
      render(rm, bar) {
        const [from, to, least, most] = ['From', 'To', 'Least', 'Most'].map((name) =>
          Number(bar[`get${name}`]() ?? 0),
        )
        const share = (value) => (100 * (value - least)) / Math.max(1e-9, most - least)
        const style = bar.getIsTotal() ? 'total' : to < from ? 'less' : 'more'
        rm.openStart('div', bar).class('restockBridge').attr('aria-hidden', 'true').openEnd()
        rm.openStart('span')
          .class(style)
          .style('left', `${share(Math.min(from, to))}%`)
          .style('width', `max(2px, ${Math.abs(share(to) - share(from))}%)`)
          .openEnd()
          .close('span')
        rm.close('div')
      },
    },
  })
})
