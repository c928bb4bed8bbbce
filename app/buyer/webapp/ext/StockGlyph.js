// A row's demand and its stock on one scale: the range from P10 to P90 with the P50, and a bar of what is on hand, on order
// after it. One look says whether the stock covers the demand.
sap.ui.define(['sap/ui/core/Control'], (Control) => {
  const WIDTH = 100
  function part(manager, style, from, to) {
    manager.openStart('span').class(style)
    manager.style('left', `${from}%`).style('width', `max(2px, ${to - from}%)`)
    manager.openEnd().close('span')
  }

  return Control.extend('restock.buyer.ext.StockGlyph', {
    metadata: {
      properties: {
        /** `p10`, `p50`, `p90`, `onHand`, `onOrder` in units; null while nothing is forecast. */
        figures: { type: 'object', defaultValue: null },
        /** The same in words. */
        text: { type: 'string', defaultValue: '' },
      },
    },
    renderer: {
      apiVersion: 2,
      render(manager, glyph) {
        const figures = glyph.getFigures()
        manager.openStart('div', glyph).class('restockGlyph')
        if (!figures) return manager.openEnd().close('div')
        const { p10, p50, p90, onHand, onOrder } = figures
        const most = Math.max(p90, onHand + onOrder, 1)
        const at = (units) => (WIDTH * Math.min(Math.max(units, 0), most)) / most
        const text = glyph.getText()
        manager.attr('role', 'img').attr('aria-label', text).attr('title', text).openEnd()
        part(manager, 'range', at(p10), at(p90))
        part(manager, 'median', at(p50), at(p50))
        if (onHand > 0) part(manager, onHand < p10 ? 'hand few' : 'hand', 0, at(onHand))
        if (onOrder > 0) part(manager, 'order', at(onHand), at(onHand + onOrder))
        manager.close('div')
      },
    },
  })
})
