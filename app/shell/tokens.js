// UI5 1.136 adds listeners for dragging to the tokens of a filter each time they are drawn and removes none: forty each time
// somebody comes back to a list. Tokens are scrolled by wheel, touch and keys without it.
sap.ui.define(['sap/m/Tokenizer'], (Tokenizer) => ({
  mend() {
    const before = Tokenizer.prototype.onBeforeRendering
    Tokenizer.prototype.onBeforeRendering = function (...given) {
      before?.apply(this, given)
      if (this._oScroller) this._oScroller._bDragScroll = false
    }
  },
}))
