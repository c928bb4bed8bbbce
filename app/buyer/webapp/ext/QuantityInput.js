// A field for a quantity in a row, or the quantity alone where it cannot be changed. UI5's own input brings a list
// of suggestions into each row, which is most of what a row costs.
sap.ui.define(['sap/m/InputBase', 'sap/m/InputBaseRenderer'], (InputBase, InputBaseRenderer) =>
  InputBase.extend('restock.buyer.ext.QuantityInput', {
    metadata: {
      properties: { unit: { type: 'string', defaultValue: '' } },
      events: { liveChange: { parameters: { value: { type: 'string' } } } },
    },

    oninput(event) {
      InputBase.prototype.oninput.call(this, event)
      if (!event.isMarked('invalid')) this.fireLiveChange({ value: this.getFocusDomRef().value })
    },

    renderer: {
      apiVersion: 2,
      writeInnerAttributes(manager) {
        manager.attr('type', 'text').attr('autocomplete', 'off')
      },
      writeInnerContent(manager, input) {
        if (!input.getUnit()) return
        manager.openStart('span').class('restockUnit').openEnd()
        manager.text(input.getUnit()).close('span')
      },
      render(manager, input) {
        if (input.getEditable()) return InputBaseRenderer.render.call(this, manager, input)
        manager.openStart('span', input).class('sapMText').openEnd()
        manager.text([input.getValue(), input.getUnit()].filter(Boolean).join(' ')).close('span')
      },
    },
  }),
)
