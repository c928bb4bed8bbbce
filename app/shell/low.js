// Where a screen is low, as at 200 % zoom, or narrow, as on a phone, a list begins with its lines: its filters are
// folded.
sap.ui.define(['sap/f/DynamicPage'], (DynamicPage) => ({
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
    low.addEventListener('change', () => known.forEach(fold))
  },
}))
