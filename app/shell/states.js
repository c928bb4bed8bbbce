// A coloured status is read out by its own words: UI5 would add "Invalid entry" to whatever is red, as if it were a field. What is
// wrong with a field is a description of it too: few screen readers know the attribute that UI5 names it by alone. What
// shows more of a list is named by all that it says.
sap.ui.define(
  ['sap/m/GrowingEnablement', 'sap/m/InputBaseRenderer', 'sap/m/ObjectStatus'],
  (Growing, Fields, ObjectStatus) => ({
    mend() {
      const before = ObjectStatus.prototype.onBeforeRendering
      ObjectStatus.prototype.onBeforeRendering = function (...given) {
        if (this.isPropertyInitial('stateAnnouncementText'))
          this.setProperty('stateAnnouncementText', ' ', true)
        before?.apply(this, given)
      }
      const stateOf = Fields.getAccessibilityState
      Fields.getAccessibilityState = function (...given) {
        const state = stateOf.apply(this, given)
        const { describedby, errormessage } = state
        if (!errormessage) return state
        const known = describedby?.value ?? describedby ?? ''
        return { ...state, describedby: { value: `${known} ${errormessage}`.trim(), append: true } }
      }
      const triggerOf = Growing.prototype._getTrigger
      const mended = new WeakSet()
      Growing.prototype._getTrigger = function (...given) {
        const trigger = triggerOf?.apply(this, given)
        if (trigger && !mended.has(trigger)) {
          mended.add(trigger)
          trigger.addEventDelegate({
            onAfterRendering: () => trigger.getDomRef()?.removeAttribute('aria-labelledby'),
          })
        }
        return trigger
      }
    },
  }),
)
