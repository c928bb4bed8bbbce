// Where a screen is low, as at 200 % zoom, or narrow, as on a phone, a list begins with its lines: its filters are
// folded, and what has no room in a toolbar goes into its menu.
sap.ui.define(['sap/f/DynamicPage', 'sap/ui/core/ElementRegistry'], (DynamicPage, Elements) => ({
  mend() {
    const low = matchMedia('(max-height: 500px), (max-width: 600px)')
    const known = new Set()
    const fold = (page) => {
      if (page.isDestroyed()) known.delete(page)
      else if (low.matches) page.setHeaderExpanded(false)
    }
    const after = DynamicPage.prototype.onAfterRendering
    DynamicPage.prototype.onAfterRendering = function (...given) {
      after?.apply(this, given)
      if (known.has(this) || !this.getId().endsWith('::ListReport')) return
      known.add(this)
      setTimeout(fold, 0, this)
    }
    // The focus of the first row scrolls, which would unfold them.
    const onScroll = DynamicPage.prototype._toggleHeaderOnScroll
    DynamicPage.prototype._toggleHeaderOnScroll = function (...given) {
      if (!low.matches || !known.has(this)) onScroll?.apply(this, given)
    }
    low.addEventListener('change', () => known.forEach(fold))
    // UI5 measures a toolbar once, maybe before the fonts are there, in which it is wider.
    document.fonts.addEventListener('loadingdone', () => {
      const toolbars = Elements.filter((each) => each.isA('sap.m.OverflowToolbar'))
      for (const toolbar of toolbars) toolbar._resetAndInvalidateToolbar?.(true)
    })
  },
}))
