// A coloured status is read out by its own words: UI5 would add "Invalid entry" to whatever is red, as if it were a field.
sap.ui.define(['sap/m/ObjectStatus'], (ObjectStatus) => ({
  mend() {
    const before = ObjectStatus.prototype.onBeforeRendering
    ObjectStatus.prototype.onBeforeRendering = function (...given) {
      if (this.isPropertyInitial('stateAnnouncementText'))
        this.setProperty('stateAnnouncementText', ' ', true)
      before?.apply(this, given)
    }
  },
}))
